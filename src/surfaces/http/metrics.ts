/** What a server counts, in the text format of Prometheus (version 0.0.4). Labels are words of ours alone. */

import type { HeardRequest } from './http-parts.ts'

/** Upper bounds of durations, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A number, or one for each value of a label. */
type Reading = number | { readonly label: string; readonly of: Readonly<Record<string, number>> }

/** What is measured when it is asked for, by the name of the metric. What is not known is left out. */
export type Gauges = Readonly<Record<string, { readonly help: string; read(): Reading | Promise<Reading | undefined> }>>

interface Durations {
  readonly counts: number[]
  sum: number
  count: number
}

export class Metrics {
  readonly #gauges: Gauges
  readonly #requests = new Map<string, number>()
  readonly #durations = new Map<string, Durations>()

  constructor(gauges: Gauges) {
    this.#gauges = gauges
  }

  heard({ method, route, status, ms }: Pick<HeardRequest, 'method' | 'route' | 'status' | 'ms'>): void {
    const labels = `method="${escapeLabel(method)}",route="${escapeLabel(route)}",status="${status}"`
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1)
    const key = `route="${escapeLabel(route)}"`
    const known = this.#durations.get(key) ?? { counts: BOUNDS.map(() => 0), sum: 0, count: 0 }
    this.#durations.set(key, known)
    const seconds = ms / 1000
    known.sum += seconds
    known.count++
    for (const [at, bound] of BOUNDS.entries()) if (seconds <= bound) known.counts[at] = (known.counts[at] ?? 0) + 1
  }

  async text(): Promise<string> {
    const requests = [...this.#requests].map(([labels, count]) => `ambit_http_requests_total{${labels}} ${count}`)
    const gauges = Object.entries(this.#gauges).map(async ([name, { help, read }]) =>
      metric(name, { type: 'gauge', help, lines: readings(name, await read()) }),
    )
    return [
      metric('ambit_http_requests_total', { type: 'counter', help: 'Requests that were answered.', lines: requests }),
      metric('ambit_http_request_duration_seconds', {
        type: 'histogram',
        help: 'Time until the answer began.',
        lines: [...this.#durations].flatMap(([labels, durations]) => histogram(labels, durations)),
      }),
      ...(await Promise.all(gauges)),
    ].join('')
  }
}

function readings(name: string, reading: Reading | undefined): string[] {
  if (reading === undefined) return []
  if (typeof reading === 'number') return [`${name} ${reading}`]
  return Object.entries(reading.of).map(
    ([value, count]) => `${name}{${reading.label}="${escapeLabel(value)}"} ${count}`,
  )
}

function histogram(labels: string, { counts, sum, count }: Durations): string[] {
  const name = 'ambit_http_request_duration_seconds'
  const buckets = BOUNDS.map((bound, at) => `${name}_bucket{${labels},le="${bound}"} ${counts[at] ?? 0}`)
  const whole = `${name}_bucket{${labels},le="+Inf"} ${count}`
  return [...buckets, whole, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`]
}

function metric(
  name: string,
  { type, help, lines }: { readonly type: string; readonly help: string; readonly lines: readonly string[] },
): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${line}\n`).join('')}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
