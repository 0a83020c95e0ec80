/** The spans of a text as numbers: a large CSV has a million, and as objects they would take seconds from thread to thread. */

import type { Span } from './context.ts'

/** Spans in the order of their text. An array of them is one, too. */
export interface SpanList extends Iterable<Span> {
  readonly length: number
  at(index: number): Span | undefined
}

/** Strings, one after the other. */
interface JoinedStrings {
  readonly text: string
  /** Where each one ends. */
  readonly ends: Uint32Array
}

/** All but the text of the spans. Its numbers are shared, so a thread gets them at once, however many there are. */
export interface PackedSpans {
  /** `FIELDS` for each span. */
  readonly numbers: Uint32Array
  /** Headings that spans stand under, each path with a NUL after each title. */
  readonly headings: JoinedStrings
  readonly headers: JoinedStrings
}

/** Numbers of a span: its start, its end, its first and last line, its page or 0, and the number of its headings and of its header. */
const FIELDS = 7

export function packSpans(spans: readonly Span[]): PackedSpans {
  const numbers = sharedNumbers(spans.length * FIELDS)
  const [headings, headers] = [new StringNumbers(), new StringNumbers()]
  for (const [at, { start, end, lines, page = 0, headings: path, header }] of spans.entries()) {
    const titles = headings.numberOf(path.map((title) => `${title}\0`).join(''))
    // No header is another one than an empty one.
    const named = header === undefined ? 0 : headers.numberOf(header) + 1
    numbers.set([start, end, lines.start, lines.end, page, titles, named], at * FIELDS)
  }
  return { numbers, headings: headings.join(), headers: headers.join() }
}

function sharedNumbers(count: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT))
}

/** Numbers strings from 0, the same string alike. */
class StringNumbers {
  readonly #numbers = new Map<string, number>()

  numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size
    if (number === this.#numbers.size) this.#numbers.set(text, number)
    return number
  }

  join(): JoinedStrings {
    const ends = sharedNumbers(this.#numbers.size)
    let end = 0
    for (const [text, number] of this.#numbers) ends[number] = end += text.length
    return { text: [...this.#numbers.keys()].join(''), ends }
  }
}

/** Makes each span when it is asked for. */
export class SpanTable implements SpanList {
  readonly text: string
  readonly packed: PackedSpans

  constructor(text: string, packed: PackedSpans) {
    this.text = text
    this.packed = packed
  }

  get length(): number {
    return this.packed.numbers.length / FIELDS
  }

  at(index: number): Span | undefined {
    const at = index < 0 ? this.length + index : index
    const [start, end, first, last, page, titles, header] = this.packed.numbers.subarray(at * FIELDS, (at + 1) * FIELDS)
    if (at < 0 || header === undefined) return undefined
    return {
      id: `S${at + 1}`,
      text: this.text.slice(start, end),
      start: start ?? 0,
      end: end ?? 0,
      lines: { start: first ?? 0, end: last ?? 0 },
      ...(page !== undefined && page > 0 && { page }),
      headings: stringAt(this.packed.headings, titles ?? 0)
        .split('\0')
        .slice(0, -1),
      ...(header > 0 && { header: stringAt(this.packed.headers, header - 1) }),
    }
  }

  *[Symbol.iterator](): Generator<Span> {
    for (let at = 0; at < this.length; at++) {
      const span = this.at(at)
      if (span) yield span
    }
  }
}

function stringAt({ text, ends }: JoinedStrings, number: number): string {
  return text.slice(ends[number - 1] ?? 0, ends[number])
}

/** Spans as a thread is sent them. */
export interface SentSpans {
  /** The text that packed ones are of, else `''`. */
  readonly text: string
  readonly spans: PackedSpans | readonly Span[]
}

export function sendSpans(spans: SpanList): SentSpans {
  return spans instanceof SpanTable ? { text: spans.text, spans: spans.packed } : { text: '', spans: [...spans] }
}

export function openSpans({ text, spans }: SentSpans): SpanList {
  return 'numbers' in spans ? new SpanTable(text, spans) : spans
}
