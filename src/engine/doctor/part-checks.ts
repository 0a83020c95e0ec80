import { existsSync } from 'node:fs'
import type { ToolServers } from '../../agent/tool-servers.ts'
import type { Library, LibraryDependencies } from '../../collections/library.ts'
import { findHookScopes } from '../../context/init.ts'
import { AGENT_NAMES, type AgentName, BUILT_IN_MODEL, CHECKED_VERSIONS } from '../../core/choices.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/roots.ts'
import type { LanguageModel } from '../../models/language.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import type { DoctorFinding } from '../config/answers.ts'
import { ANSWER_LIMIT_MS, type DoctorConfig, doctorFailure, doctorWarning, ok, readVersion } from './doctor.ts'

/** Maximum number of problems, or of files left out because of secrets, in a message. */
const MAX_LISTED = 3

interface CheckedServices extends Pick<LibraryDependencies, 'embedding' | 'reranking'> {
  readonly language?: () => Promise<LanguageModel>
  readonly servers?: () => Promise<Pick<ToolServers, 'settled'> | undefined>
}

const NO_SECRETS = ok('No file is left out because of a secret.')

/** Reports the files that are left out because of secrets. */
async function secretsFinding({ db, database }: DbConfig, library: () => Promise<Library>): Promise<DoctorFinding> {
  // Opening the library would create a database.
  if (!database && (db === undefined || (db !== ':memory:' && !existsSync(db)))) return NO_SECRETS
  const { port } = await library()
  const names = (await port.collections.list()).map(({ name }) => name)
  const deniedByCollection = await Promise.all(
    names.map(async (name) =>
      (await port.documents.skipped(name)).flatMap(({ path, why }) => (why === 'denied' ? [`${name}/${path}`] : [])),
    ),
  )
  const deniedFiles = deniedByCollection.flat()
  if (deniedFiles.length === 0) return NO_SECRETS
  const shownFiles = deniedFiles.slice(0, MAX_LISTED).join(', ')
  const ellipsis = deniedFiles.length > MAX_LISTED ? ' …' : ''
  return ok(oneLine(`${countNoun(deniedFiles.length, 'file')} left out because of secrets: ${shownFiles}${ellipsis}`))
}

/** Checks of the database, of files left out because of secrets, of the models and of the MCP servers. An error that a check throws is its finding. */
export function libraryChecks(
  config: { readonly db?: string; readonly database?: object },
  library: () => Promise<Library>,
  { language, embedding, reranking, servers }: CheckedServices = {},
): Readonly<Record<string, (config: unknown, run: Run) => Promise<DoctorFinding>>> {
  return {
    database: () => database(config, library),
    secrets: () => secretsFinding(config, library),
    model: async (_, { signal }) => modelFinding(await language?.(), signal),
    'MCP servers': async (_, { signal }) => serversFinding(await (await servers?.())?.settled(signal)),
    embedding: async (_, { signal }) => {
      const model = await embedding?.()
      if (!model) return ok('No embedding model is set: Ambit compares meaning by its built-in table of words.')
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

/** Maximum tokens of the answer. Some models refuse a limit that leaves no room for reasoning. */
const MAX_TOKENS = 16

async function modelFinding(model: LanguageModel | undefined, signal: AbortSignal | undefined): Promise<DoctorFinding> {
  if (!model || model.name === BUILT_IN_MODEL)
    return ok('No language model is set: the assistant searches and quotes, and writes no answers.')
  const messages = [{ role: 'user' as const, text: 'Say: ready.' }]
  const request = { system: 'Answer in one word.', messages, tools: [], maxOutputTokens: MAX_TOKENS }
  const reason = await answerWithin(model.name, signal, async (within) => {
    for await (const part of model.step(request, within)) if (part.type === 'finish') return part.reason
    return 'interrupted'
  })
  if (reason !== 'interrupted') return ok(`${model.name} answers.`)
  return doctorFailure(`${model.name} ended its answer too early.`, 'Check AMBIT_MODEL_URL.')
}

function serversFinding(servers: Awaited<ReturnType<ToolServers['settled']>> = []): DoctorFinding {
  if (servers.length === 0) return ok('None are set: the assistant has only its own tools.')
  const lines = servers.map(({ name, state, problem, tools }) =>
    state === 'ready' ? `${name}: ${countNoun(tools.length, 'tool')}.` : `${name}: ${problem}`,
  )
  if (servers.every(({ state }) => state === 'ready')) return ok(lines.join(' '))
  return doctorFailure(lines.join(' '), 'Check "mcpServers" in the configuration file.')
}

type DbConfig = Parameters<typeof libraryChecks>[0]

async function database({ db, database }: DbConfig, library: () => Promise<Library>): Promise<DoctorFinding> {
  if (!database) {
    if (db === undefined) return doctorWarning('The database has no path.', 'Set AMBIT_DB.')
    if (db !== ':memory:' && !existsSync(db)) return ok(`It does not exist yet; its path is ${db}.`)
  }
  const { port, collections } = await library()
  await port.assertRoom()
  const problems = await port.check()
  if (problems.length > 0) {
    const more = problems.length > MAX_LISTED ? ` And ${problems.length - MAX_LISTED} more.` : ''
    const message = `${problems.slice(0, MAX_LISTED).join(' ')}${more}`
    const hint = database
      ? 'Restore a backup, or import the file of an "ambit export".'
      : 'Run "ambit index --rebuild".'
    return doctorFailure(message, hint)
  }
  const { bytes, documents, collections: statuses } = await collections.status()
  const problemLines = statuses.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  if (problemLines.length > 0) {
    const hint = 'Restore its directory, or run "ambit collection remove NAME".'
    return doctorWarning(problemLines.slice(0, MAX_LISTED).join(' '), hint)
  }
  const outdatedByCollection = await Promise.all(statuses.map(({ name }) => port.documents.listOutdated(name)))
  const outdatedCount = outdatedByCollection.reduce((sum, { size }) => sum + size, 0)
  if (outdatedCount > 0) {
    const message = `${countNoun(outdatedCount, 'document')} ${outdatedCount === 1 ? 'was' : 'were'} indexed by an older version or with other settings.`
    return doctorWarning(message, 'Run "ambit index": it reads them again.')
  }
  const kind = database ? 'PostgreSQL' : 'SQLite'
  return ok(`${kind}: ${port.name}, ${formatBytes(bytes)}, ${countNoun(documents, 'document')}.`)
}

/** A service's answer, within the time limit. */
async function answerWithin<Value>(
  name: string,
  signal: AbortSignal | undefined,
  ask: (limitedSignal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const timeout = AbortSignal.timeout(ANSWER_LIMIT_MS)
  try {
    return await ask(AbortSignal.any([timeout, ...(signal ? [signal] : [])]))
  } catch (error) {
    if (!timeout.aborted) throw error
    throw new ContextError('unavailable', `${name} did not answer within ${ANSWER_LIMIT_MS / 1000} seconds.`)
  }
}

/** Program names of agents that differ from the names of the agents. */
const PROGRAMS: Readonly<Partial<Record<AgentName, string>>> = {
  cursor: 'cursor-agent',
  vscode: 'code',
  kiro: 'kiro-cli',
  factory: 'droid',
}

/** The program and the hooks of a coding agent. */
interface AgentState {
  readonly agent: AgentName
  /** The version of the program; `''` if the program does not print it, absent without a program. */
  readonly version?: string
  /** Scopes whose settings have its hooks. */
  readonly hookScopes: readonly (keyof typeof WORDS_OF_SCOPE)[]
}

/** Checks the coding agents and their hooks. `programs`: names of programs to start instead of the usual ones. */
export async function checkAgents(
  { home }: DoctorConfig,
  { signal }: Run,
  programs: Readonly<Partial<Record<AgentName | 'ambit', string>>> = {},
): Promise<DoctorFinding> {
  const homeDirectory = home === false ? undefined : (home ?? systemHome())
  const scopesByAgent = findHookScopes({ root: projectRootOf(process.cwd()), home: homeDirectory })
  const states = await Promise.all(
    AGENT_NAMES.map(async (agent): Promise<AgentState> => {
      const version = await askVersion(programs[agent] ?? PROGRAMS[agent] ?? agent, signal)
      return { agent, hookScopes: scopesByAgent[agent], ...(version !== undefined && { version }) }
    }),
  )
  const present = states.filter((state) => state.version !== undefined || state.hookScopes.length > 0)
  const hasHooks = present.some((state) => state.hookScopes.length > 0)
  return agentFinding(present, !hasHooks || (await askVersion(programs.ambit ?? 'ambit', signal)) !== undefined)
}

/** The version that a program prints; `''` if it prints none, undefined without the program. */
async function askVersion(program: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return /(?<!\d)\d+\.\d+[\w.-]*/.exec(await readVersion(program, signal))?.[0] ?? ''
  } catch (error) {
    return Object(error).code === 'ENOENT' ? undefined : ''
  }
}

/** The finding about coding agents and their hooks. `canHooksRun`: whether the program that the hooks start is on the PATH, or no hooks are set. */
function agentFinding(states: readonly AgentState[], canHooksRun: boolean): DoctorFinding {
  if (states.length === 0) return ok('No coding agent is on the PATH, and no hooks are set.')
  const message = states.map(describeAgent).join(' ')
  if (!canHooksRun) {
    const problem = 'The hooks do nothing: there is no ambit on the PATH.'
    return doctorWarning(`${message} ${problem}`, 'Put ambit on the PATH: see "Install" in its README.')
  }
  if (states.some(isUnchecked))
    return doctorWarning(message, 'The hooks of a newer agent may differ: look at what "ambit hook" says on stderr.')
  const isBare = states.some(({ version, hookScopes }) => version !== undefined && hookScopes.length === 0)
  return { ...ok(message), ...(isBare && { hint: '"ambit init --agent NAME --user" sets the hooks of an agent.' }) }
}

function isUnchecked({ agent, version }: AgentState): boolean {
  const checkedVersion = CHECKED_VERSIONS[agent]
  return checkedVersion !== undefined && version !== undefined && isNewerVersion(version, checkedVersion)
}

/** Whether a version is above another, by its three numbers. */
function isNewerVersion(version: string, than: string): boolean {
  const numbersOf = (text: string) => /\d+(\.\d+){0,2}/.exec(text)?.[0] ?? ''
  return numbersOf(version).localeCompare(numbersOf(than), 'en', { numeric: true }) > 0
}

const WORDS_OF_SCOPE = { project: 'this project', user: 'all your projects', local: 'you in this project' } as const

function describeAgent(state: AgentState): string {
  const { agent, version, hookScopes } = state
  const scopes = hookScopes.map((scope) => `for ${WORDS_OF_SCOPE[scope]}`)
  const hooks = scopes.length === 0 ? 'no hooks' : `hooks ${scopes.join(' and ')}`
  const program = version === undefined ? ', and is not on the PATH' : ''
  const newer = isUnchecked(state) ? `; Ambit was checked with ${CHECKED_VERSIONS[agent]}` : ''
  return `${`${agent} ${version ?? ''}`.trim()} has ${hooks}${program}${newer}.`
}
