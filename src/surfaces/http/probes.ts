/** Health, readiness and metrics. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from '../../core/answer.ts'
import { ContextError, NoSpace } from '../../core/errors.ts'
import { loadOnce, withTimeout } from '../../core/steps.ts'
import type { Engine } from '../../engine/engine.ts'
import { content, endpoint, PROBLEM } from './endpoint.ts'
import type { AnsweredRequest, HttpParts, HttpRouter } from './http-parts.ts'
import { refuse } from './problem.ts'
import type { ServerSlots, Tenants } from './tenant.ts'

/** Milliseconds that a probe waits for the store. */
const PROBE_MS = 2_000

/** Milliseconds between two measurements of the delay of the event loop. */
const RESOLUTION_MS = 10

/** Milliseconds for which a count of jobs is reused. */
const JOBS_CACHE_MS = 5_000

/** The metrics of a server. Gauges are measured on request. */
export function metricsOf(engine: Engine, { requests, operations, streams }: ServerSlots, tenants: Tenants): Metrics {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const secondsOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) / 1000
  const currentPeriod = () => Math.floor(performance.now() / JOBS_CACHE_MS)
  const countWaiting = loadOnce(async () => (await engine.jobs()).waiting(), currentPeriod)
  return new Metrics({
    ambit_http_requests_running: { help: 'Requests that are being answered.', read: () => requests.all.takenCount },
    ambit_operations_running: { help: 'Operations under way.', read: () => operations.all.takenCount },
    ambit_answers_running: { help: 'Answers of the assistant under way.', read: () => tenants.answers },
    ambit_research_running: { help: 'Runs of research under way in this process.', read: () => engine.running() },
    ambit_jobs_waiting: {
      help: 'Jobs that no process runs yet. Missing while the database does not answer.',
      read: async () => {
        const counts = await withTimeout(countWaiting(), PROBE_MS, undefined).catch(() => undefined)
        return counts && { label: 'kind', of: counts }
      },
    },
    ambit_event_streams: { help: 'Streams of events that are open.', read: () => streams.all.takenCount },
    ambit_principals: { help: 'Principals that have sent requests.', read: () => tenants.size },
    process_resident_memory_bytes: { help: 'Memory of the process.', read: () => process.memoryUsage.rss() },
    process_start_time_seconds: {
      help: 'When the process began, in seconds since 1970.',
      read: () => Date.now() / 1000 - process.uptime(),
    },
    nodejs_eventloop_delay_p99_seconds: {
      help: 'The 99th percentile of the delays of the event loop since the last reading.',
      read: () => secondsOf(delays.percentile(99)),
    },
    // Read last, because it resets the measurement.
    nodejs_eventloop_delay_seconds: {
      help: 'Longest delay of the event loop since the last reading.',
      read: () => {
        const seconds = secondsOf(delays.max)
        delays.reset()
        return seconds
      },
    },
  })
}

/**
 * Adds the probes. `/healthz`: whether the process answers. `/readyz`: whether the store answers and has the version of this
 * program, its disk has space, and the process runs its jobs and is not ending. `/metrics`: counters and gauges.
 */
export function addProbes(
  app: HttpRouter,
  parts: Pick<HttpParts, 'engine' | 'closing' | 'isRunningJobs' | 'onDatabaseState'> & { readonly metrics: Metrics },
): void {
  const { engine, closing, isRunningJobs, onDatabaseState } = parts
  let isDatabaseAvailable = true
  const probeRefusal = async () => {
    if (closing?.aborted || isRunningJobs?.() === false) return NOT_READY
    const problem = await storeProblem(engine)
    // Reported only on change, because probes repeat.
    if (isDatabaseAvailable === (problem !== undefined)) onDatabaseState?.(problem)
    isDatabaseAvailable = problem === undefined
    if (problem instanceof NoSpace) return DISK_FULL
    return isDatabaseAvailable ? undefined : NOT_READY
  }
  app.get('/healthz', (http) => http.json({ status: 'ok' }))
  app.get('/readyz', async (http) => {
    const refusal = await probeRefusal()
    return refusal ? refuse(refusal) : http.json({ status: 'ready' })
  })
  app.get('/metrics', async (http) => {
    // A client without a visitor is a program on this machine.
    const refusal = http.env.visitor?.refusal('admin')
    if (refusal) return refuse(refusal)
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }
    return new Response(await parts.metrics.text(), { headers })
  })
}

/** The problem of the store; undefined if the store answers in time and has disk space. */
async function storeProblem(engine: Engine): Promise<unknown> {
  const answers = engine.library().then(async ({ port }) => {
    await port.version()
    await port.assertRoom()
    return undefined
  })
  const settled = answers.catch((error: unknown) => error)
  return withTimeout(settled, PROBE_MS, new ContextError('unavailable', SLOW_DATABASE))
}

const SLOW_DATABASE = `The database does not answer within ${PROBE_MS / 1000} seconds.`

/** This response is public, so only the log has the reason. */
const NOT_READY = {
  status: 503,
  detail: 'The server is not ready.',
  hint: 'Its database does not answer, or the server is ending: see its log.',
} as const

const DISK_FULL = { ...NOT_READY, detail: 'The disk of the database is full.', hint: 'Free some space.' } as const

const STATUS = { 'application/json': { schema: { type: 'object', properties: { status: { type: 'string' } } } } }

export const PROBE_ENDPOINTS = {
  '/healthz': endpoint('get healthz', 'Whether the server answers', {
    security: [],
    responses: { 200: { description: 'It does.', content: STATUS } },
  }),
  '/readyz': endpoint('get readyz', 'Whether the server can do its work', {
    security: [],
    responses: { 200: { description: 'Its database answers, and it is not ending.', content: STATUS }, 503: PROBLEM },
  }),
  '/metrics': endpoint(
    'get metrics',
    'Counters of the server and the number of waiting jobs, for Prometheus; requires the scope admin',
    { responses: { 200: { description: 'The text format.', ...content('text/plain', text) }, default: PROBLEM } },
  ),
}

/** Upper bounds of durations, in seconds. */
const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** One number; or several numbers, by the value of a label. */
type GaugeValue = number | { readonly label: string; readonly of: Readonly<Record<string, number>> }

/** Gauges by the name of their metric, measured on request. Undefined values are left out. */
type Gauges = Readonly<Record<string, { readonly help: string; read(): GaugeValue | Promise<GaugeValue | undefined> }>>

/** The histogram of the durations of one route, in seconds. */
interface DurationHistogram {
  /**
   * For each bound, the number of durations up to this bound and above the previous bound; at the end, the number above all
   * bounds.
   */
  counts: readonly number[]
  sum: number
}

export class Metrics {
  readonly #gauges: Gauges
  /** Numbers of answers, by their labels. */
  readonly #answers = new Map<string, number>()
  /** Histograms, by the label of their route. */
  readonly #durations = new Map<string, DurationHistogram>()

  constructor(gauges: Gauges) {
    this.#gauges = gauges
  }

  count({ method, route, status, ms }: Omit<AnsweredRequest, 'principal'>): void {
    const ofRoute = `route="${route}"`
    const labels = `method="${method}",${ofRoute},status="${status}"`
    this.#answers.set(labels, (this.#answers.get(labels) ?? 0) + 1)
    const durations = this.#durations.get(ofRoute) ?? { counts: [...DURATION_BOUNDS, 0].map(() => 0), sum: 0 }
    this.#durations.set(ofRoute, durations)
    const seconds = ms / 1000
    const at = DURATION_BOUNDS.findIndex((bound) => seconds <= bound)
    durations.counts = durations.counts.with(at, (durations.counts.at(at) ?? 0) + 1)
    durations.sum += seconds
  }

  async text(): Promise<string> {
    const lines = [...this.#answers].map(([labels, count]) => `ambit_http_requests_total{${labels}} ${count}`)
    const gauges = Object.entries(this.#gauges).map(async ([name, { help, read }]) =>
      metricText(name, { type: 'gauge', help, lines: gaugeLines(name, await read()) }),
    )
    return [
      metricText('ambit_http_requests_total', { type: 'counter', help: 'Requests that were answered.', lines }),
      metricText('ambit_http_request_duration_seconds', {
        type: 'histogram',
        help: 'Time until the answer began.',
        lines: [...this.#durations].flatMap(([labels, durations]) => histogramLines(labels, durations)),
      }),
      ...(await Promise.all(gauges)),
    ].join('')
  }
}

function gaugeLines(name: string, reading: GaugeValue | undefined): string[] {
  if (reading === undefined) return []
  if (typeof reading === 'number') return [`${name} ${reading}`]
  return Object.entries(reading.of).map(([kind, count]) => `${name}{${reading.label}="${kind}"} ${count}`)
}

function histogramLines(labels: string, { counts, sum }: DurationHistogram): string[] {
  const name = 'ambit_http_request_duration_seconds'
  let count = 0
  const buckets = counts.map((bucketCount, at) => {
    count += bucketCount
    return `${name}_bucket{${labels},le="${DURATION_BOUNDS[at] ?? '+Inf'}"} ${count}`
  })
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`]
}

function metricText(
  name: string,
  { type, help, lines }: { readonly type: string; readonly help: string; readonly lines: readonly string[] },
): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${line}\n`).join('')}`
}
