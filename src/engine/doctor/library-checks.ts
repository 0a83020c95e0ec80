import { existsSync } from 'node:fs'
import type { LazyModel } from '../../collections/collections.ts'
import type { LazyReranking, Library } from '../../collections/library.ts'
import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { LanguageModel } from '../../models/language.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'

/** What one look found. */
interface LibraryFinding {
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly hint?: string
}

/** Maximum number of problems in a message. */
const MOST = 3

/** Milliseconds that a service has to show that it is there. */
const PATIENCE_MS = 10_000

interface Models {
  readonly language?: () => Promise<LanguageModel>
  readonly embedding?: LazyModel
  readonly reranking?: LazyReranking
  readonly servers?: () => Promise<Servers | undefined>
}

/** MCP servers, as far as they are looked at. */
interface Servers {
  settled(signal?: AbortSignal): Promise<
    readonly {
      readonly name: string
      readonly state: string
      readonly problem?: string
      readonly tools: readonly unknown[]
      readonly left: readonly string[]
    }[]
  >
}

const NO_SECRETS: LibraryFinding = { status: 'ok', message: 'No file is left out because of a secret.' }

/** Warns of files that are left out because they hold secrets. */
async function secretsFinding({ db, database }: Place, library: () => Promise<Library>): Promise<LibraryFinding> {
  // To look would make one.
  if (!database && (db === undefined || (db !== ':memory:' && !existsSync(db)))) return NO_SECRETS
  const { port } = await library()
  const names = (await port.collections.list()).map(({ name }) => name)
  const skipped = await Promise.all(
    names.map(async (name) =>
      (await port.documents.skipped(name)).flatMap(({ path, why }) => (why === 'denied' ? [`${name}/${path}`] : [])),
    ),
  )
  const all = skipped.flat()
  if (all.length === 0) return NO_SECRETS
  const lines = all.slice(0, MOST).join(', ')
  const more = all.length > MOST ? ' …' : ''
  const message = `${countNoun(all.length, 'file')} left out because of secrets: ${lines}${more}`
  return { status: 'ok', message: oneLine(message) }
}

/** Checks the database and the services of models; an error is the failure of its check. */
export function libraryChecks(
  config: { readonly db?: string; readonly database?: object },
  library: () => Promise<Library>,
  { language, embedding, reranking, servers }: Models = {},
): Readonly<Record<string, (config: unknown, run: Run) => Promise<LibraryFinding>>> {
  return {
    database: () => database(config, library),
    secrets: () => secretsFinding(config, library),
    model: async (_, { signal }) => modelFinding(await language?.(), signal),
    'MCP servers': async (_, { signal }) => serversFinding(await (await servers?.())?.settled(signal)),
    embedding: async (_, { signal }) => {
      const model = await embedding?.()
      if (!model)
        return { status: 'ok', message: 'None is set: meaning is compared by the table of words that Ambit brings.' }
      const { length } = await answerWithin(model.name, signal, (within) => model.query('ready?', within))
      return { status: 'ok', message: `${model.name} answers, with ${length} dimensions.` }
    },
    reranking: async (_, { signal }) => {
      const model = await reranking?.()
      if (!model) return { status: 'ok', message: 'No reranking model is set: results keep the order of the search.' }
      await answerWithin(model.name, signal, (within) => model.rank('ready?', ['Ready.', 'Not yet.'], within))
      return { status: 'ok', message: `${model.name} answers, with scores.` }
    },
  }
}

/** Some models think before they say a word, and are refused where they may not: so a few tokens more than one. */
const MOST_TOKENS = 16

async function modelFinding(
  model: LanguageModel | undefined,
  signal: AbortSignal | undefined,
): Promise<LibraryFinding> {
  if (!model || model.name === BUILT_IN_MODEL) {
    return {
      status: 'ok',
      message: 'No language model is set: the assistant searches and quotes, and writes no answers.',
    }
  }
  const messages = [{ role: 'user' as const, text: 'Say: ready.' }]
  const request = { system: 'Answer in one word.', messages, tools: [], maxOutputTokens: MOST_TOKENS }
  const reason = await answerWithin(model.name, signal, async (within) => {
    for await (const part of model.step(request, within)) if (part.type === 'finish') return part.reason
    return 'interrupted'
  })
  if (reason !== 'interrupted') return { status: 'ok', message: `${model.name} answers.` }
  return { status: 'failed', message: `${model.name} breaks off.`, hint: 'Look at AMBIT_MODEL_URL.' }
}

function serversFinding(servers: Awaited<ReturnType<Servers['settled']>> = []): LibraryFinding {
  if (servers.length === 0) return { status: 'ok', message: 'None are set: the assistant has only its own tools.' }
  const lines = servers.map(({ name, state, problem, tools }) =>
    state === 'ready' ? `${name}: ${countNoun(tools.length, 'tool')}.` : `${name}: ${problem}`,
  )
  const isAll = servers.every(({ state }) => state === 'ready')
  const hint = 'Look at "mcpServers" in the configuration file.'
  return { status: isAll ? 'ok' : 'failed', message: lines.join(' '), ...(!isAll && { hint }) }
}

type Place = Parameters<typeof libraryChecks>[0]

async function database({ db, database }: Place, library: () => Promise<Library>): Promise<LibraryFinding> {
  if (!database) {
    if (db === undefined) return { status: 'warning', message: 'There is no place for one.', hint: 'Set AMBIT_DB.' }
    if (db !== ':memory:' && !existsSync(db))
      return { status: 'ok', message: `It does not exist yet; its path is ${db}.` }
  }
  const { port, collections } = await library()
  await port.assertRoom()
  const problems = await port.check()
  if (problems.length > 0) {
    const more = problems.length > MOST ? ` And ${problems.length - MOST} more.` : ''
    const message = `${problems.slice(0, MOST).join(' ')}${more}`
    const hint = database
      ? 'Restore a backup, or import the file of an "ambit export".'
      : 'Run "ambit index --rebuild".'
    return { status: 'failed', message, hint }
  }
  const { bytes, documents, collections: known } = await collections.status()
  const gone = known.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  if (gone.length > 0) {
    const hint = 'Restore its directory, or run "ambit collection remove NAME".'
    return { status: 'warning', message: gone.slice(0, MOST).join(' '), hint }
  }
  const unlike = await Promise.all(known.map(({ name }) => port.documents.unlike(name)))
  const old = unlike.reduce((sum, { size }) => sum + size, 0)
  if (old > 0) {
    const message = `${countNoun(old, 'document')} ${old === 1 ? 'was' : 'were'} indexed by an older version or with other settings.`
    return { status: 'warning', message, hint: 'Run "ambit index": it reads them again.' }
  }
  return {
    status: 'ok',
    message: `${database ? 'PostgreSQL' : 'SQLite'}: ${port.name}, ${formatBytes(bytes)}, ${countNoun(documents, 'document')}.`,
  }
}

/** What a service answers, if it does so in time. */
async function answerWithin<Value>(
  name: string,
  signal: AbortSignal | undefined,
  ask: (within: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    return await ask(AbortSignal.any([patience, ...(signal ? [signal] : [])]))
  } catch (error) {
    if (!patience.aborted) throw error
    throw new ContextError('unavailable', `${name} did not answer within ${PATIENCE_MS / 1000} seconds.`)
  }
}
