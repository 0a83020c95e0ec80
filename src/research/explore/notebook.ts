/** Notes of a model on a question. Each note is checked against its references when it is added. */

import { ContextError, quoteValue } from '../../core/errors.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { type ClaimSource, whyUnsupported } from '../report/claim-check.ts'
import { LARGEST_SMALL_NUMBER, MEASURES, valuesIn } from '../report/numbers.ts'
import { quotationsIn } from '../report/quotations.ts'
import { passageTitle } from '../report/sources.ts'
import { type EvidenceItem, type EvidencePassage, NOTE_BASES } from '../run/evidence.ts'
import { aliasOf } from '../run/slices.ts'
import type { ExploreTask } from '../run/stages.ts'
import { calculate, DAY, type QueryRequest, type QueryRows } from './tables.ts'

/** Maximum notes of one question, and characters of a note. */
const MAX_NOTES = 200
const MAX_TEXT = 1200

/** Maximum characters of each source of a calculation: a judge reads there what the numbers mean. */
const MAX_OPERAND_LENGTH = 400

/** What a note may refer to: an item, a passage, a calculation, or a search that found nothing (an absence). */
export interface Referent {
  /** `F12` an item, `P3` a passage, `C1` a calculation, `A1` a search that found nothing. */
  readonly id: string
  /** Citations of its sources: `a.md::S3`, or a URL. A calculation or an absence first cites itself. */
  readonly refs: readonly string[]
  readonly title: string
  readonly text: string
  readonly kind: EvidenceItem['kind']
  /** The SQL statement of a calculation on tables. */
  readonly sql?: string
}

export class Notebook {
  readonly #task: ExploreTask
  readonly #referents = new Map<string, Referent>()
  readonly #notes = new Map<string, EvidenceItem>()
  /** For the id of a calculation or absence that repeats an earlier one: the earlier referent. */
  readonly #repeated = new Map<string, Referent>()
  #passageCount = 0
  readonly #derivedCounts = { A: 0, C: 0 }
  /** Whether the last call of `note` had a refused note. If so, the next call of `finish` is refused, too. */
  hasRefusedNotes = false
  /** Calculations, and searches that found nothing. Notes cite them like passages. */
  readonly passages: EvidencePassage[] = []

  constructor(task: ExploreTask) {
    this.#task = task
    for (const { id, text, quote, sources } of task.slice.selected_items) {
      this.#add({ id, refs: sources, title: sources[0] ?? '', text: quote ?? text, kind: 'context' })
    }
    this.addPassages(task.passages)
  }

  get notes(): readonly EvidenceItem[] {
    return [...this.#notes.values()]
  }

  get referents(): readonly Referent[] {
    return [...this.#referents.values()]
  }

  /** Passages that were looked up. */
  get lookedUp(): readonly Referent[] {
    return this.referents.filter(({ id }) => id.startsWith('P'))
  }

  /** Adds looked-up passages for notes to cite. Each passage has one id. */
  addPassages(passages: readonly EvidencePassage[]): Referent[] {
    return passages.map((passage) => {
      const { ref, text, kind } = passage
      const existing = this.referents.find((one) => one.refs[0] === ref && one.text === text)
      if (existing) return existing
      return this.#add({ id: `P${++this.#passageCount}`, refs: [ref], title: passageTitle(passage), text, kind })
    })
  }

  /** Pages that were found but not read: a line each. */
  get unread(): readonly string[] {
    return (this.#task.unread?.() ?? []).map(({ url, title, error = '' }) => `${title} (${url}). ${error}`.trim())
  }

  /** The referent with an id, or the page with an address. @throws ContextError `not-found`. */
  referent(id: string): Referent {
    const name = id.trim()
    const found =
      this.#referents.get(name) ?? this.#repeated.get(name) ?? this.lookedUp.find(({ refs }) => refs[0] === name)
    if (found) return found
    const hint = 'Refer by ids: F1 an item, P1 a passage, C1 a calculation, A1 a search that found nothing.'
    throw new ContextError('not-found', `There is nothing called ${quoteValue(id)}.`, { hint })
  }

  /** Adds a note. @throws ContextError if its references do not support it, as far as code can tell. */
  addNote({ text, basis = 'said', refs }: Readonly<Record<string, unknown>>): void {
    const note = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : ''
    if (note === '' || note.length > MAX_TEXT) throw refuseNote(`"text" must have 1 to ${MAX_TEXT} characters.`)
    const knownBasis = NOTE_BASES.find((one) => one === basis)
    if (!knownBasis) throw refuseNote(`"basis" must be one of ${NOTE_BASES.join(', ')}.`)
    const names = [refs].flat().filter((one) => typeof one === 'string')
    if (names.length === 0) throw refuseNote('"refs" must name what the note rests on.')
    if (this.#notes.size >= MAX_NOTES) throw refuseNote(`At most ${MAX_NOTES} notes are kept.`)
    const cited = names.map((name) => this.referent(name))
    const letter = { absent: 'A', computed: 'C' }[knownBasis as string]
    const tool = knownBasis === 'absent' ? 'absent' : 'compute'
    if (letter && !cited.some(({ id }) => id.startsWith(letter)))
      throw refuseNote(`A note that is ${knownBasis} needs an id ${letter}…: call ${tool} first.`)
    this.#assertSupported(note, cited)
    const allRefs = [...new Set(cited.flatMap((one) => one.refs))]
    const [first = ''] = allRefs
    const { kind = 'context' } = cited[0] ?? {}
    const sql = cited.find((one) => one.sql)?.sql
    const optional = { ...(allRefs.length > 1 && { refs: allRefs }), ...(sql && { sql }) }
    this.#notes.set(note, { text: note, ref: first, kind, basis: knownBasis, ...optional })
  }

  /**
   * Calculates the value of an expression. `names`: what the expression rests on; its numbers and years must be there.
   * `title`: a name for readers; may be empty. @throws ContextError
   */
  compute({ expression, title }: { readonly expression: string; readonly title: string }, names: readonly string[]) {
    const cited = names.map((name) => this.referent(name))
    const value = calculate(expression)
    // A judge checks the month and day of a date. Measures, such as the days of a week, need no source.
    this.#assertSupported(`${expression.replace(DAY, '$1')} =`, cited, MEASURES.map(String))
    const sum = `${expression.trim()} = ${value}`
    const text = [sum, ...cited.map((one) => `of ${operandsIn(one.text, expression)}`)].join('\n')
    const refs = [...new Set(cited.flatMap((one) => one.refs))]
    const files = [...new Set(cited.flatMap((one) => one.refs.filter((ref) => ref.includes('::')).map(aliasOf)))]
    const origin = files.length > 0 ? ` (with numbers of ${files.join(', ')})` : ''
    const named = `${title === '' ? sum : `${title}: ${sum}`}${origin}`
    return { ...this.#addDerived('C', { title: named, text, refs, kind: cited[0]?.kind ?? 'context' }), sum }
  }

  /** Adds the rows of a SQL statement, cited with the tables that it names. `title`: as in `compute`. */
  addQuery({ sql, title, tables }: QueryRequest & { readonly title: string }, { columns, rows }: QueryRows) {
    const given = [columns, ...rows].map((row) => row.map((cell) => String(cell ?? '')).join(' | ')).join('\n')
    const refs = tables.filter(({ name }) => sql.toLowerCase().includes(name)).map(({ ref }) => ref)
    const files = [...new Set(refs.map(aliasOf))].join(', ')
    const named = `${title || 'Rows'} (calculated from ${files || 'no file'})`
    const text = `${given}\n\nBy ${sql}`
    return { ...this.#addDerived('C', { title: named, text, refs, kind: 'context', sql }), given }
  }

  /** Adds an absence: what was searched for, and where. `kind`: the kind of the first searched passage. */
  addAbsence(title: string, text: string, kind: Referent['kind'] = 'context'): Referent {
    return this.#addDerived('A', { title, text, refs: [], kind })
  }

  /** Takes the next id for a call. A failed call keeps its id: notes may already name the ids of later calls. */
  takeId(letter: 'A' | 'C'): void {
    this.#derivedCounts[letter]++
  }

  #addDerived(letter: 'A' | 'C', referent: Omit<Referent, 'id'>): Referent {
    const { title, text, refs, kind } = referent
    const existing = this.referents.find((one) => one.id.startsWith(letter) && one.title === title && one.text === text)
    const number = this.#derivedCounts[letter]
    if (existing) {
      this.#repeated.set(`${letter}${number}`, existing)
      return { ...existing, id: `${letter}${number}` }
    }
    const ref = `${letter === 'A' ? 'absence' : 'calculation'}:${this.#task.node}/${number}`
    this.passages.push({ ref, kind, title, text })
    return this.#add({ ...referent, id: `${letter}${number}`, refs: [ref, ...refs] })
  }

  #add(referent: Referent): Referent {
    this.#referents.set(referent.id, referent)
    return referent
  }

  /** @throws ContextError if a quotation or a number is in none of the references. */
  #assertSupported(text: string, cited: readonly Referent[], computed: readonly string[] = []): void {
    const sources = cited.flatMap((one) => this.#sourcesOf(one))
    const quotes = quotationsIn(`${text} [1]`).map(({ quote }) => quote)
    const question = `${this.#task.task}\n${this.#task.question}`
    const why = whyUnsupported(text, quotes, { sources, question, today: this.#task.today, computed })
    if (why !== undefined) throw refuseNote(why)
  }

  #sourcesOf({ id, refs, title, text }: Referent): ClaimSource[] {
    const own = refs.flatMap((ref) => this.#task.sources.claimSource(ref) ?? [])
    // The model wrote the title of a calculation, so the title proves nothing.
    return [...own, { text, context: id.startsWith('C') ? '' : title }]
  }
}

/** The sentences of a text that contain a number of an expression; the whole text if there is no such sentence. */
function operandsIn(text: string, expression: string): string {
  const values = new Set(valuesIn([expression], false).filter((one) => one > LARGEST_SMALL_NUMBER))
  const parts = text.split('\n').flatMap((line) => sentencesOf(line).map((one) => one.text))
  const sentences = parts.filter((part) => valuesIn([part]).some((one) => values.has(one)))
  const operands = sentences.join(' ') || text
  const isCut = operands.length > MAX_OPERAND_LENGTH
  return isCut ? `${operands.slice(0, MAX_OPERAND_LENGTH).toWellFormed()} …` : operands
}

function refuseNote(message: string): ContextError {
  return new ContextError('invalid-input', message, { hint: 'Nothing was kept. Mend it, and note it again.' })
}
