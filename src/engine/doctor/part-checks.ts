import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { ToolServers } from '../../agent/tool-servers.ts'
import type { LazyModel } from '../../collections/collections.ts'
import type { LazyReranking, Library } from '../../collections/library.ts'
import { wiredAgents } from '../../context/init.ts'
import { AGENT_NAMES, type AgentName, BUILT_IN_MODEL, CHECKED_VERSIONS } from '../../core/choices.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/roots.ts'
import type { LanguageModel } from '../../models/language.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import type { DoctorFinding } from '../config/answers.ts'
import { type DoctorConfig, doctorFailure, doctorWarning, isNewerVersion, ok } from './doctor.ts'

/** Maximum number of problems in a message. */
const MOST = 3

/** Time limit for the answer of a service, and for the version of a program, in milliseconds. */
const PATIENCE_MS = 10_000

interface Models {
  readonly language?: () => Promise<LanguageModel>
  readonly embedding?: LazyModel
  readonly reranking?: LazyReranking
  readonly servers?: () => Promise<Pick<ToolServers, 'settled'> | undefined>
}

const NO_SECRETS = ok('No file is left out because of a secret.')

/** Warns about files that are left out because of secrets. */
async function secretsFinding({ db, database }: Place, library: () => Promise<Library>): Promise<DoctorFinding> {
  // Opening the library would create a database.
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
  return ok(oneLine(`${countNoun(all.length, 'file')} left out because of secrets: ${lines}${more}`))
}

/** Checks the database and the services of models; an error is the failure of its check. */
export function libraryChecks(
  config: { readonly db?: string; readonly database?: object },
  library: () => Promise<Library>,
  { language, embedding, reranking, servers }: Models = {},
): Readonly<Record<string, (config: unknown, run: Run) => Promise<DoctorFinding>>> {
  return {
    database: () => database(config, library),
    secrets: () => secretsFinding(config, library),
    model: async (_, { signal }) => modelFinding(await language?.(), signal),
    'MCP servers': async (_, { signal }) => serversFinding(await (await servers?.())?.settled(signal)),
    embedding: async (_, { signal }) => {
      const model = await embedding?.()
      if (!model) return ok('None is set: meaning is compared by the table of words that Ambit brings.')
      const { length } = await answerWithin(model.name, signal, (within) => model.query('ready?', within))
      return ok(`${model.name} answers, with ${length} dimensions.`)
    },
    reranking: async (_, { signal }) => {
      const model = await reranking?.()
      if (!model) return ok('No reranking model is set: results keep the order of the search.')
      await answerWithin(model.name, signal, (within) => model.rank('ready?', ['Ready.', 'Not yet.'], within))
      return ok(`${model.name} answers, with scores.`)
    },
  }
}

/** More than one token, because some models refuse a limit that leaves no room for reasoning. */
const MOST_TOKENS = 16

async function modelFinding(model: LanguageModel | undefined, signal: AbortSignal | undefined): Promise<DoctorFinding> {
  if (!model || model.name === BUILT_IN_MODEL)
    return ok('No language model is set: the assistant searches and quotes, and writes no answers.')
  const messages = [{ role: 'user' as const, text: 'Say: ready.' }]
  const request = { system: 'Answer in one word.', messages, tools: [], maxOutputTokens: MOST_TOKENS }
  const reason = await answerWithin(model.name, signal, async (within) => {
    for await (const part of model.step(request, within)) if (part.type === 'finish') return part.reason
    return 'interrupted'
  })
  if (reason !== 'interrupted') return ok(`${model.name} answers.`)
  return doctorFailure(`${model.name} breaks off.`, 'Look at AMBIT_MODEL_URL.')
}

function serversFinding(servers: Awaited<ReturnType<ToolServers['settled']>> = []): DoctorFinding {
  if (servers.length === 0) return ok('None are set: the assistant has only its own tools.')
  const lines = servers.map(({ name, state, problem, tools }) =>
    state === 'ready' ? `${name}: ${countNoun(tools.length, 'tool')}.` : `${name}: ${problem}`,
  )
  if (servers.every(({ state }) => state === 'ready')) return ok(lines.join(' '))
  return doctorFailure(lines.join(' '), 'Look at "mcpServers" in the configuration file.')
}

type Place = Parameters<typeof libraryChecks>[0]

async function database({ db, database }: Place, library: () => Promise<Library>): Promise<DoctorFinding> {
  if (!database) {
    if (db === undefined) return doctorWarning('There is no place for one.', 'Set AMBIT_DB.')
    if (db !== ':memory:' && !existsSync(db)) return ok(`It does not exist yet; its path is ${db}.`)
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
    return doctorFailure(message, hint)
  }
  const { bytes, documents, collections: known } = await collections.status()
  const gone = known.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  if (gone.length > 0) {
    const hint = 'Restore its directory, or run "ambit collection remove NAME".'
    return doctorWarning(gone.slice(0, MOST).join(' '), hint)
  }
  const unlike = await Promise.all(known.map(({ name }) => port.documents.unlike(name)))
  const old = unlike.reduce((sum, { size }) => sum + size, 0)
  if (old > 0) {
    const message = `${countNoun(old, 'document')} ${old === 1 ? 'was' : 'were'} indexed by an older version or with other settings.`
    return doctorWarning(message, 'Run "ambit index": it reads them again.')
  }
  const kind = database ? 'PostgreSQL' : 'SQLite'
  return ok(`${kind}: ${port.name}, ${formatBytes(bytes)}, ${countNoun(documents, 'document')}.`)
}

/** A service's answer, within the time limit. */
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

/** Program names of the agents. */
const PROGRAMS: Readonly<Record<AgentName, string>> = {
  claude: 'claude',
  codex: 'codex',
  cursor: 'cursor-agent',
  gemini: 'gemini',
  opencode: 'opencode',
  kilo: 'kilo',
  copilot: 'copilot',
  vscode: 'code',
  cline: 'cline',
  crush: 'crush',
  qwen: 'qwen',
  kiro: 'kiro-cli',
  factory: 'droid',
}

/** An agent whose program is on the PATH, or whose hooks are set. */
interface AgentState {
  readonly agent: AgentName
  /** `''` if the program does not print it; absent without a program. */
  readonly version?: string
  /** Files with its hooks. */
  readonly wired: readonly string[]
}

/** `programs`: names of programs, of agents or of Ambit, that replace the usual ones. */
export async function checkAgents(
  { home }: DoctorConfig,
  { signal }: Run,
  programs: Readonly<Partial<Record<AgentName | 'ambit', string>>> = {},
): Promise<DoctorFinding> {
  const own = home === false ? undefined : (home ?? systemHome())
  const wired = wiredAgents({ root: projectRootOf(process.cwd()), home: own })
  const states = await Promise.all(
    AGENT_NAMES.map(async (agent): Promise<AgentState> => {
      const version = await askVersion(programs[agent] ?? PROGRAMS[agent], signal)
      return { agent, wired: wired[agent], ...(version !== undefined && { version }) }
    }),
  )
  const found = states.filter((state) => state.version !== undefined || state.wired.length > 0)
  const isWired = found.some((state) => state.wired.length > 0)
  return agentFinding(found, !isWired || (await askVersion(programs.ambit ?? 'ambit', signal)) !== undefined)
}

/** The version that a program prints; `''` if it prints none, undefined without the program. */
async function askVersion(program: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  // It is started in the directory of Node, so that a program of that name in the current directory is not.
  const options = { cwd: dirname(process.execPath), timeout: PATIENCE_MS, ...(signal && { signal }) }
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], options)
    return /(?<!\d)\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? ''
  } catch (error) {
    return Object(error).code === 'ENOENT' ? undefined : ''
  }
}

/** `isLive`: whether the program that the hooks start is on the PATH. */
function agentFinding(states: readonly AgentState[], isLive: boolean): DoctorFinding {
  if (states.length === 0) return ok('No coding agent is on the PATH, and no hooks are set.')
  const message = states.map(sentenceOn).join(' ')
  if (!isLive) {
    const dead = 'The hooks are not live: there is no ambit on the PATH.'
    return doctorWarning(`${message} ${dead}`, 'Install it where all programs find it: npm install -g ambit')
  }
  if (states.some(isUnchecked))
    return doctorWarning(message, 'The hooks of a newer agent may differ: look at what "ambit hook" says on stderr.')
  const isBare = states.some(({ version, wired }) => version !== undefined && wired.length === 0)
  const hint = '"ambit init --agent NAME --user" sets the hooks of an agent.'
  return { ...ok(message), ...(isBare && { hint }) }
}

function isUnchecked({ agent, version }: AgentState): boolean {
  const checked = CHECKED_VERSIONS[agent]
  return checked !== undefined && version !== undefined && version !== '' && isNewerVersion(version, checked)
}

function sentenceOn(state: AgentState): string {
  const { agent, version, wired } = state
  const named = version === undefined ? `${agent}, which is not on the PATH` : `${agent} ${version}`.trim()
  const hooks = wired.length === 0 ? 'no hooks' : `hooks in its settings for the ${wired.join(' and the ')}`
  const newer = isUnchecked(state) ? `; newer than ${CHECKED_VERSIONS[agent]}, which Ambit was checked with` : ''
  return `${named}: ${hooks}${newer}.`
}
