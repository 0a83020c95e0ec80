/** What a server counts, in the text format of Prometheus (version 0.0.4). Labels are words of ours alone. */

import type { AnsweredRequest } from './http-parts.ts'

/** Upper bounds of durations, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A number, or one for each value of a label. */
type Reading = number | { readonly label: string; readonly of: Readonly<Record<string, number>> }

/** What is measured when it is asked for, by the name of the metric. What is not known is left out. */
export type Gauges = Readonly<Record<string, { readonly help: string; read(): Reading | Promise<Reading | undefined> }>>

/** Answers of one route. */
interface Durations {
  /** How many took no longer than each bound and longer than the one before; the last: longer than all. */
  readonly counts: number[]
  sum: number
}

/** Answers of one method, route and status. */
interface Answers {
  readonly labels: string
  readonly durations: Durations
  count: number
}

export class Metrics {
  readonly #gauges: Gauges
  readonly #answers = new Map<string, Answers>()
  readonly #durations = new Map<string, Durations>()

  constructor(gauges: Gauges) {
    this.#gauges = gauges
  }

  count({ method, route, status, ms }: Pick<AnsweredRequest, 'method' | 'route' | 'status' | 'ms'>): void {
    const key = `${method} ${status} ${route}`
    const answers = this.#answers.get(key) ?? this.#newAnswers(key, { method, route, status })
    const seconds = ms / 1000
    let at = 0
    while (seconds > (BOUNDS[at] ?? Number.POSITIVE_INFINITY)) at++
    const { durations } = answers
    durations.counts[at] = (durations.counts[at] ?? 0) + 1
    durations.sum += seconds
    answers.count++
  }

  #newAnswers(key: string, { method, route, status }: Pick<AnsweredRequest, 'method' | 'route' | 'status'>): Answers {
    const ofRoute = `route="${escapeLabel(route)}"`
    const known = this.#durations.get(ofRoute) ?? { counts: [...BOUNDS, 0].map(() => 0), sum: 0 }
    this.#durations.set(ofRoute, known)
    const labels = `method="${escapeLabel(method)}",${ofRoute},status="${status}"`
    const answers = { labels, durations: known, count: 0 }
    this.#answers.set(key, answers)
    return answers
  }

  async text(): Promise<string> {
    const requests = [...this.#answers.values()].map(
      ({ labels, count }) => `ambit_http_requests_total{${labels}} ${count}`,
    )
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

function histogram(labels: string, { counts, sum }: Durations): string[] {
  const name = 'ambit_http_request_duration_seconds'
  let count = 0
  const buckets = counts.map((own, at) => {
    count += own
    return `${name}_bucket{${labels},le="${BOUNDS[at] ?? '+Inf'}"} ${count}`
  })
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`]
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
