import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ContextError } from '../../core/errors.ts'
import type { SignOnConfig } from '../../engine/config.ts'
import type { Engine } from '../../engine/engine.ts'
import { newSecret } from '../../engine/sign-ins.ts'
import { openServedRoots, type ServedRoots } from '../../files/roots.ts'
import { createHttpApp } from './app.ts'
import { Auth } from './auth.ts'
import type { HttpParts } from './http-parts.ts'
import { bindAddress, serveRequests } from './listen.ts'
import { Log } from './log.ts'
import { addressFor, bracketAddress, hostsFor, type ServeOptions } from './options.ts'
import type { SignOn } from './sign-on/sign-on.ts'

export interface ServeParts extends Pick<HttpParts, 'operations' | 'aliases' | 'version' | 'mcp' | 'web'> {
  /** The token that the user chose. */
  readonly token: string | undefined
  /** The identity provider; undefined for none. */
  readonly signOn?: SignOnConfig | undefined
  /** Whether the log contains stack traces of errors. */
  readonly debug: boolean
  open(options: Pick<ServeOptions, 'db' | 'role'>): Promise<Engine>
}

const doNothing = () => {}

/** The name of the database in the log. */
const DATABASE = 'the database'

/** Milliseconds between the start of a server and its first jobs. */
const WORK_DELAY_MS = 1_000

/** Maximum milliseconds that aborted work may take to end. */
const STOP_TIMEOUT_MS = 2_000

/** Runs the server until a signal ends the process. Returns the exit code. */
export async function serve(
  options: ServeOptions,
  { token: chosenToken, signOn: signOnConfig, ...parts }: ServeParts,
): Promise<number> {
  const { role, openMetrics = false, allowWrite = false } = options
  const [isWorker, isLogged, drainMs] = [role === 'worker', options.log === 'json', options.drain * 1000]
  const address = await addressFor(options.host, chosenToken)
  const roots = rootsOf(options)
  const engine = await parts.open(options)
  const token = chosenToken ?? newSecret()
  const closing = new AbortController()
  const log = new Log({ debug: parts.debug, secrets: [token, signOnConfig?.clientSecret ?? ''] })
  // A worker only answers probes, so it needs no sign-in.
  const signOn = isWorker || !signOnConfig ? undefined : await createSignOn(signOnConfig, engine, log)
  const auth = new Auth(token, engine, { rules: signOn?.rules, isGenerated: chosenToken === undefined })
  const { server, port } = await bindAddress(address, options.port)
  const backgroundWork = new Set<Promise<void>>()
  let isRunningJobs = !isWorker
  const app = createHttpApp({
    ...parts,
    engine,
    auth,
    ...(signOn && { signOn }),
    roots,
    hosts: hostsFor(options, address, port),
    logBug: (error, where) => log.logBug(error, where),
    ...(isLogged && { onRequestEnd: (request) => log.logRequest(request) }),
    onDatabaseState: (problem) =>
      problem === undefined ? log.logEvent('there again', { where: DATABASE }) : log.logUnavailable(problem, DATABASE),
    openMetrics,
    isWorker,
    isRunningJobs: () => isRunningJobs,
    allowWrite,
    closing: closing.signal,
    backgroundWork,
  })
  let isClosing = false
  serveRequests(server, app, () => isClosing)
  const url = urlOf(options, address, port)
  // The log contains no sign-in link, because logs are stored and read by others.
  if (isLogged) log.logEvent('listening', { url, version: parts.version })
  // Listens for signals before printing the address, because the reader of the address may stop the server at once.
  const signalReceived = waitForSignal()
  if (options.json || !isLogged) printAddress(options, url, { token, auth })
  for (const message of engine.warnings) {
    if (isLogged) log.logEvent('warning', { message })
    else process.stderr.write(`${message}\n`)
  }
  // Removes what killed processes left. After a failure, the next start removes it.
  backgroundWork.add(engine.sweep(closing.signal).then(doNothing, doNothing))
  // Workers do not know the rules, and would continue the research of people whom the rules no longer admit.
  backgroundWork.add(signOutOthers(auth, closing.signal))
  const startAbort = new AbortController()
  const jobsStarted = startWork(engine, options, { ended: startAbort.signal, log }).then((failure) => {
    isRunningJobs ||= failure === undefined
    return failure
  })
  const signal = await Promise.race([signalReceived, jobsStarted.then((failure) => failure ?? neverSettles)])
  isClosing = true
  startAbort.abort()
  if (isLogged) log.logEvent('ending', { signal: String(signal), drain: drainMs })
  // Other processes take over the jobs at once, while this process finishes its requests.
  const handedOver = engine.handOver()
  await drainServer(server, closing, drainMs)
  // Aborts the work that continues without clients. Its progress is stored.
  closing.abort()
  await Promise.all([jobsStarted, handedOver])
  await Promise.race([Promise.allSettled(backgroundWork), pause(STOP_TIMEOUT_MS, undefined, { ref: false })])
  await engine.close()
  // Ends the process even if a child process ignores the signal.
  setTimeout(() => process.exit(), 500).unref()
  if (signal === 'SIGINT') {
    if (process.stderr.isTTY) process.stderr.write('Ended. The next "ambit serve" continues work in progress.\n')
    return INTERRUPTED
  }
  if (typeof signal === 'string') return 0
  throw signal
}

/** Exit code after Ctrl-C. */
const INTERRUPTED = 130

const neverSettles = new Promise<never>(() => {})

/**
 * Milliseconds to wait before each sign-out of people whom earlier rules admitted: at once, and again when processes
 * with earlier rules have ended.
 */
const SIGN_OUT_DELAYS_MS = [0, 60_000]

/** Milliseconds between two attempts. */
const RETRY_MS = 5_000

/** Signs out people whom earlier rules admitted, as soon as the store answers. */
async function signOutOthers(auth: Auth, signal: AbortSignal): Promise<void> {
  const waitFor = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => {})
  const hasFailed = () => auth.signOutOthers().catch(() => true)
  for (const ms of SIGN_OUT_DELAYS_MS) {
    await waitFor(ms)
    while (!signal.aborted && (await hasFailed())) await waitFor(RETRY_MS)
  }
}

/**
 * Starts running jobs as soon as the database can be opened. Returns an error if a person must repair something first; else
 * undefined.
 */
async function startWork(
  engine: Engine,
  { role, jobs }: ServeOptions,
  { ended, log }: { readonly ended: AbortSignal; readonly log: Log },
): Promise<ContextError | undefined> {
  // Jobs start later, so that they do not slow down the first requests.
  if (role !== 'worker') await pause(WORK_DELAY_MS, undefined, { signal: ended }).catch(() => {})
  for (let isReported = false; !ended.aborted; isReported = true) {
    try {
      await (role === 'api' ? engine.jobs() : engine.work(jobs))
      if (isReported) log.logEvent('there again', { where: 'the queue of jobs' })
      return undefined
    } catch (error) {
      if (error instanceof ContextError && error.code === 'invalid-input') return error
      if (!isReported) log.logUnavailable(error, 'the queue of jobs')
      await pause(1_000 + Math.random() * 1_000, undefined, { signal: ended }).catch(() => {})
    }
  }
  return undefined
}

async function createSignOn(settings: SignOnConfig, engine: Engine, log: Log): Promise<SignOn> {
  const { oidc } = await import('./sign-on/oidc.ts')
  const key = async () => (await engine.signIns()).key()
  const now = async () => (await engine.signIns()).now()
  return oidc(settings, { onProblem: (problem) => log.logEvent('sign-in failed', { problem }), key, now })
}

/** The directories of `--root`. Default: the current directory, if it may be served. */
function rootsOf({ root: roots = [] }: ServeOptions): ServedRoots {
  if (roots.length > 0) return openServedRoots(roots)
  try {
    return openServedRoots(['.'])
  } catch {
    process.stderr.write('The current directory is not served; name directories with --root.\n')
    return { paths: [], real: [] }
  }
}

function urlOf({ host }: ServeOptions, address: string, port: number): string {
  const bindsAll = address === '0.0.0.0' || address === '::'
  return `http://${bindsAll ? 'localhost' : bracketAddress(host)}:${port}`
}

/**
 * Prints the token only with `--json`, for programs. A person gets a one-time link, so that the token stays out of terminals and
 * histories.
 */
function printAddress({ json, role }: ServeOptions, url: string, { token, auth }: { token: string; auth: Auth }): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ url, token })}\n`)
    return
  }
  if (role === 'worker') {
    process.stdout.write(`${url}/readyz\n`)
    process.stderr.write('Running jobs. Ctrl-C leaves them to other workers.\n')
    return
  }
  process.stdout.write(`${url}/login?code=${auth.newCode()}\n`)
  process.stderr.write(
    'Open the link in a browser; it works once, within an hour. Programs send a token, which you choose with\n' +
      'AMBIT_TOKEN, or get with --json. Ctrl-C ends the server.\n',
  )
}

/** Resolves with the name of the first signal. A second signal ends the process at once. */
function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    const end = (name: string) => {
      for (const signal of SIGNALS) process.off(signal, end)
      resolve(name)
    }
    for (const signal of SIGNALS) process.on(signal, end)
  })
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Waits until open requests are finished. After `drainMs`, aborts them; a second later, closes their connections. */
async function drainServer(server: Server, closing: AbortController, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const stop = setTimeout(() => closing.abort(), drainMs)
  const cutting = setTimeout(() => server.closeAllConnections(), drainMs + 1_000)
  await closed
  clearTimeout(stop)
  clearTimeout(cutting)
}
