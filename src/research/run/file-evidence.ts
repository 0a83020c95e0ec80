/** Everything that the files of a run say: each sentence, item, row and piece of code can be found by a question. */

import { AnswerIndex, type FoundAnswer } from '../../retrieval/answers.ts'
import { splitSentences, splitTextUnits, type TextUnit } from '../../retrieval/units.ts'
import { cellsOfRow, labelCells } from '../../text/tables.ts'
import { classifySentence } from '../extractive/digest.ts'
import type { ReadFile } from '../report/sources.ts'
import type { Span } from './context.ts'
import type { DigestItem } from './evidence.ts'
import { type ComputedAnswer, computeAnswer } from './table-answers.ts'
import type { EvidenceTable } from './table-columns.ts'

/** Items that a question needs at most, and the share of the best one's score that they have at least. */
const NEEDED = { most: 12, nearly: 0.4 } as const

/** A passage as a finding tells it. */
interface SaidPassage {
  /** On one line; of a row each cell with the name of its column. */
  readonly text: string
  readonly isRow: boolean
}

export class FileEvidence {
  readonly #refs = new Map<TextUnit, string>()
  readonly #numbers = new Map<TextUnit, number>()
  readonly #before = new Map<TextUnit, TextUnit>()
  /** Of a sentence that leads to a list, both as they are written. */
  readonly #lists = new Map<TextUnit, string>()
  /** What stands directly before a table. */
  readonly #leads = new Map<string, TextUnit>()
  readonly #tables = new Map<string, { table: EvidenceTable; rows: (readonly string[])[] }>()
  readonly #index: AnswerIndex
  readonly #texts: readonly string[]
  #folded: readonly string[] | undefined

  constructor(files: readonly ReadFile[]) {
    for (const file of files) this.#read(file)
    const units = [...this.#refs.keys()]
    for (const [at, unit] of units.entries()) this.#numbers.set(unit, at)
    this.#index = new AnswerIndex(units, true)
    this.#texts = files.map(({ text }) => text)
  }

  /** How many passages there are. */
  get size(): number {
    return this.#index.units.length
  }

  find(question: string, options: { readonly most: number; readonly nearly: number }): FoundAnswer {
    return this.#index.find(question, options)
  }

  get hasTables(): boolean {
    return this.#tables.size > 0
  }

  /** What is computed on a table of the files, where the question plainly asks for it. */
  compute(question: string): ComputedAnswer | undefined {
    return computeAnswer(
      question,
      [...this.#tables.values()].map(({ table }) => table),
    )
  }

  /** What a unit is cited by. */
  refOf(unit: TextUnit): string {
    return this.#refs.get(unit) ?? ''
  }

  /** The alias of the file that a unit is of. */
  fileOf(unit: TextUnit): string {
    return this.refOf(unit).split('::', 1)[0] ?? ''
  }

  say(unit: TextUnit): SaidPassage {
    const list = this.#lists.get(unit)
    return list === undefined ? sayPassage(unit, this.#before.get(unit)) : { text: onOneLine(list), isRow: false }
  }

  /** Whether some text holds the word, in whatever form. */
  holds(word: string): boolean {
    this.#folded ??= this.#texts.map((text) => text.toLowerCase())
    const folded = word.toLowerCase()
    return this.#folded.some((text) => text.includes(folded))
  }

  /**
   * What a question needs, as items: those of the digest where they say the same, else with an id of their own, which is the
   * same whoever asks. `digested`: how many items the digest has.
   */
  itemsFor(question: string, digest: readonly DigestItem[], digested: number): DigestItem[] {
    const known = new Map(digest.flatMap((item) => item.sources.map((ref) => [`${ref} ${item.text}`, item] as const)))
    const { found, passages } = this.find(question, NEEDED)
    if (found === 'no') return []
    return passages.map(({ unit }) => {
      const { text } = this.say(unit)
      const ref = this.refOf(unit)
      const id = `F${digested + (this.#numbers.get(unit) ?? 0) + 1}`
      return known.get(`${ref} ${text}`) ?? { id, kind: classifySentence(text), text, sources: [ref] }
    })
  }

  /** `before`: a sentence that stands directly before the row, and so parts it from the table above. */
  #addRow({ text, lead, trail }: TextUnit, { alias, ref, before }: RowPlace): void {
    const header = cellsOfRow(lead, '')
    if (lead === '' || new Set(header).size < header.length) return
    const place = [alias, ...trail, lead].join('\0')
    if (before) this.#leads.set(place, before)
    const led = this.#leads.get(place)
    const key = [place, led && this.#refs.get(led), led?.start].join('\0')
    const isName = led !== undefined && led.text.length <= LONGEST_NAME && LEADING.test(led.text)
    const known = this.#tables.get(key)
    const rows = known?.rows ?? []
    const about = [alias.replace(/\.\w+$/, ''), ...trail, ...(isName ? [led.text] : [])].join(' ')
    if (!known) this.#tables.set(key, { rows, table: { ref, about, name: trail.at(-1) ?? alias, header, rows } })
    rows.push(cellsOfRow(text, lead))
  }

  #read({ alias, title, text, isCsv, isPrinted = false, spans }: ReadFile): void {
    const units = splitSentences(splitTextUnits(text, { title: title ?? alias, isCsv, isPrinted }))
    const all = [...spans]
    const parts: TextUnit[] = []
    let before: TextUnit | undefined
    for (const unit of units) {
      for (const { span, part } of cutBySpans(unit, all, text)) {
        if (!(part.kind === 'row' ? /[\p{L}\p{N}]/u : /\p{L}/u).test(part.text)) continue
        const ref = `${alias}::${span.id}`
        this.#refs.set(part, ref)
        parts.push(part)
        if (part.kind === 'row')
          this.#addRow(part, { alias, ref, before: isPrinted || before?.kind === 'row' ? undefined : before })
        if (before && this.#refs.get(before) === ref && part.block !== '' && before.block === part.block) {
          this.#before.set(part, before)
        }
        before = part
      }
    }
    for (const [at, part] of parts.entries()) {
      const end = LEADING.test(part.text) ? this.#endOfList(parts, at) : undefined
      if (end !== undefined) this.#lists.set(part, text.slice(part.start, end))
    }
  }

  /** Where the items end that follow a sentence in its span and are short enough to be told with it. */
  #endOfList(parts: readonly TextUnit[], at: number): number | undefined {
    const lead = parts[at]
    let end: number | undefined
    for (let next = at + 1; next < parts.length; next++) {
      const item = parts[next]
      if (!lead || item?.kind !== 'item' || this.refOf(item) !== this.refOf(lead)) break
      if (item.end - lead.start > LONGEST_PAIR) break
      end = item.end
    }
    return end
  }
}

interface RowPlace {
  readonly alias: string
  readonly ref: string
  readonly before: TextUnit | undefined
}

/** Characters of a line before a table that is its name: `Planned:`. */
const LONGEST_NAME = 80

/** What ends so says nothing without the list behind it. */
const LEADING = /[:：]["”*_]*$/

/** A unit by the spans that it stands in: what reaches across two of them is a part of each. */
function cutBySpans(unit: TextUnit, spans: readonly Span[], text: string) {
  const found: { readonly span: Span; readonly part: TextUnit }[] = []
  for (let at = lastFrom(spans, unit.start); at < spans.length; at++) {
    const span = spans[at]
    if (!span || span.start >= unit.end) break
    const [start, end] = [Math.max(unit.start, span.start), Math.min(unit.end, span.end)]
    if (start >= end) continue
    const isWhole = start === unit.start && end === unit.end
    found.push({ span, part: isWhole ? unit : { ...unit, start, end, text: text.slice(start, end).trim() } })
  }
  return found
}

/** Place of the last span that begins at an offset or before it; 0 where none does. */
function lastFrom(spans: readonly Span[], offset: number): number {
  let [low, high] = [0, spans.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((spans[middle]?.start ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** What begins like this says nothing without the sentence before it. */
const LEANING = /^(?:it|its|they|their|them|this|these|those|he|his|she|her)\b/i

/** Characters of a sentence and the one that it leans on, or the list that it leads to, together. */
const LONGEST_PAIR = 600

export function sayPassage({ kind, text, lead }: TextUnit, before?: TextUnit): SaidPassage {
  if (kind === 'row') {
    const cells = cellsOfRow(text, lead)
    return { text: labelCells(lead === '' ? [] : cellsOfRow(lead, ''), cells), isRow: true }
  }
  const own = onOneLine(text)
  const leans = before !== undefined && LEANING.test(own) && before.text.length + own.length < LONGEST_PAIR
  return { text: leans ? `${onOneLine(before.text)} ${own}` : own, isRow: false }
}

function onOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.replace(/^(?:(?:[-*+>]|\d{1,3}[.)])\s+(?:\[[ xX!-]\]\s+)?|#{1,6}\s+|:::\s?\w+\s+)+/, '')
}
