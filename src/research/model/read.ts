/** Reads answers of models strictly. Undefined means that an answer does not have the requested form. */

import { foldSpace } from '../../text/trim.ts'
import { ITEM_KINDS } from '../answers.ts'
import { routeByWords } from '../extractive/stages.ts'
import { isQuoted } from '../report/claim-check.ts'
import { sharedItems } from '../routing/route.ts'
import type { QuotedItem, Span, Sufficiency } from '../run/evidence.ts'
import { NO_CHOICE, type RouterChoice } from '../run/slices.ts'
import type { Brief, ClaimVerdict, DecomposeTask, GradedPart, JudgeTask, RouterTask, Routing } from '../run/stages.ts'

export type ModelAnswer = Readonly<Record<string, unknown>>

/** Maximum characters of a text in an answer. */
const MAX_TEXT = 1200

function isShortText(value: unknown, maximum = MAX_TEXT): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= maximum
}

function readTexts(value: unknown, maximum: number): string[] | undefined {
  if (!Array.isArray(value) || !value.every((one) => isShortText(one))) return undefined
  return [...new Set(value.map(foldSpace))].slice(0, maximum)
}

/** A refused item of a digest, and the reason: a sentence. */
export interface RefusedItem {
  readonly item: unknown
  readonly why: string
}

/** Reads the items of a digest. Refuses an item if its quotation is in none of the spans that it names. */
export function digestIn({ items }: ModelAnswer, spans: Spans) {
  if (!Array.isArray(items)) return undefined
  const read = items.map((item) => readItem(item, spans))
  return { items: read.flatMap((one) => ('why' in one ? [] : one)), refused: read.filter((one) => 'why' in one) }
}

function readItem(item: unknown, spans: Spans): QuotedItem | RefusedItem {
  const { kind, text, quote: ownQuote, sources } = Object(item)
  const quote = ownQuote || text
  const knownKind = ITEM_KINDS.find((one) => one === kind)
  const named = Array.isArray(sources) ? sources.map((source) => String(source).replace(/^.*::/s, '')) : []
  const namedSpans = [...new Set(named.filter((source) => spans.has(source)))]
  const refused = (why: string) => ({ item, why })
  if (!knownKind) return refused(`Its kind must be one of ${ITEM_KINDS.join(', ')}.`)
  if (!isShortText(text)) return refused(`Its text is empty, or longer than ${MAX_TEXT} characters.`)
  if (namedSpans.length === 0) return refused('It names no span that was given.')
  const subject = ownQuote ? 'quote' : 'text, which has no quote,'
  if (!isShortText(quote) || !namedSpans.some((source) => isQuoteIn(quote, spans.get(source))))
    return refused(`Its ${subject} does not stand in the span that it names, word for word.`)
  const foldedText = foldSpace(text)
  return { kind: knownKind, text: foldedText, ...(quote !== text && { quote: foldSpace(quote) }), sources: namedSpans }
}

type Spans = ReadonlyMap<string, Pick<Span, 'text' | 'header'>>

/** Whether a span contains a quotation. In a row of CSV, a comma ends a cell and is never part of a number. */
function isQuoteIn(quote: string, { text, header = '|' }: Pick<Span, 'text' | 'header'> = { text: '' }): boolean {
  const separateCells = (row: string) => (header.startsWith('|') ? row : row.replace(/,(?=\S)/g, ', '))
  const isIn = (words: string, source: string) => isQuoted(separateCells(words), separateCells(source))
  return isIn(quote, text) || isIn(withoutMarks(quote), withoutMarks(text))
}

/** Removes marks of emphasis and code: a span may contain only the first mark of a pair. */
function withoutMarks(text: string): string {
  return text.replace(/[*_`]+/g, '')
}

export function queriesIn({ queries }: ModelAnswer): string[] | undefined {
  const texts = readTexts(queries, 3)
  return texts && texts.length > 0 ? texts.map((query) => query.slice(0, 300)) : undefined
}

export function sufficiencyIn({ is_sufficient, reasoning, gaps }: ModelAnswer): Sufficiency | undefined {
  const openQuestions = readTexts(gaps, 20)
  if (typeof is_sufficient !== 'boolean' || !isShortText(reasoning, 8000) || !openQuestions) return undefined
  return { is_sufficient, reasoning: foldSpace(reasoning), gaps: openQuestions }
}

type GrowthLimits = Pick<DecomposeTask, 'maximum' | 'asked'>

/** New questions; none for a single one, because a question is divided into at least two. */
export function childrenIn({ children }: ModelAnswer, { maximum, asked }: GrowthLimits): string[] | undefined {
  const unasked = readTexts(children, maximum)?.filter((question) => !asked.includes(question))
  return unasked && unasked.length === 1 ? [] : unasked
}

/** Groups of contradicting items, by id. Unknown ids are dropped, and groups from one file. */
export function conflictsIn({ conflicts }: ModelAnswer, fileOf: ReadonlyMap<string, string>): string[][] | undefined {
  if (!Array.isArray(conflicts)) return undefined
  const groups = conflicts.slice(0, 100).map((one) => {
    const { item_ids: ids } = Object(one)
    return [...new Set<string>(Array.isArray(ids) ? ids.filter((id) => fileOf.has(id)) : [])]
  })
  return groups.filter((ids) => ids.length <= 6 && new Set(ids.map((id) => fileOf.get(id))).size > 1)
}

/**
 * The items that a router chose for each child question. Unknown ids are dropped and counted. A child gets the items
 * with matching words if the model left it out, or named only unknown ids for it.
 */
export function routedIn({ children }: ModelAnswer, task: RouterTask): Routing | undefined {
  if (!Array.isArray(children) || !children.every(isChoice)) return undefined
  const items = new Set(task.slice.selected_items.map(({ id }) => id))
  const byWords = routeByWords(task).choices
  let unknown = 0
  const choices = task.children.map(({ id, question }): readonly [string, RouterChoice] => {
    const choice: ChildChoice | undefined = children.find((one: ChildChoice) => one.node_id === id)
    const known = choice?.item_ids.filter((one) => items.has(one)) ?? []
    unknown += (choice?.item_ids.length ?? 0) - known.length
    const isUnusable = !choice || (choice.item_ids.length > 0 && known.length === 0)
    if (isUnusable) return [id, { ...(byWords[id] ?? NO_CHOICE), isFallback: true }]
    return [id, choiceOf(choice, [...new Set([...known, ...sharedItems(task.slice.selected_items, question)])])]
  })
  return { choices: Object.fromEntries(choices), unknown }
}

interface ChildChoice extends Pick<RouterChoice, 'item_ids' | 'selection_reason'> {
  readonly node_id: string
  readonly coverage_note?: unknown
  readonly why_relevant?: unknown
}

function isChoice(value: unknown): value is ChildChoice {
  const { node_id, item_ids, selection_reason } = Object(value)
  const hasIds = Array.isArray(item_ids) && item_ids.every((id) => typeof id === 'string')
  return typeof node_id === 'string' && hasIds && typeof selection_reason === 'string'
}

function choiceOf({ selection_reason, coverage_note, why_relevant }: ChildChoice, item_ids: readonly string[]) {
  const chosenIds = new Set(item_ids)
  const pairs: readonly (readonly [string, unknown])[] = Array.isArray(why_relevant)
    ? why_relevant.map((one) => [String(Object(one).id), Object(one).why])
    : Object.entries(Object(why_relevant))
  const reasons = pairs.filter(([id, why]) => chosenIds.has(id) && isShortText(why, 500))
  return {
    item_ids,
    selection_reason: foldSpace(selection_reason).slice(0, MAX_TEXT),
    coverage_note: typeof coverage_note === 'string' ? foldSpace(coverage_note).slice(0, MAX_TEXT) : '',
    ...(reasons.length > 0 && { why_relevant: Object.fromEntries(reasons) as Record<string, string> }),
  }
}

/** Verdicts, by the words of models. */
const VERDICTS: Readonly<Record<string, ClaimVerdict['verdict']>> = {
  true: 'supported',
  yes: 'supported',
  supported: 'supported',
  part: 'partly',
  partly: 'partly',
  partial: 'partly',
  false: 'unsupported',
  no: 'unsupported',
  unsupported: 'unsupported',
}

/** The verdict on a statement; none if the statement is unknown or the verdict invalid. */
export function readVerdict(value: unknown, { claims }: JudgeTask): ClaimVerdict[] {
  const { id, verdict, supported, why, edit } = Object(value)
  const read = VERDICTS[String(verdict ?? supported).toLowerCase()]
  if (read === undefined || !claims.some((claim) => claim.id === String(id))) return []
  return [
    {
      id: String(id),
      verdict: read,
      why: isShortText(why) ? foldSpace(why).slice(0, 300).toWellFormed() : '',
      ...(isShortText(edit) && { edit: foldSpace(edit) }),
    },
  ]
}

/** A rewritten paragraph. An empty text omits the paragraph. */
export function readParagraph(value: unknown) {
  const { id, text } = Object(value)
  return typeof text === 'string' ? [{ id: String(id), text: text.trim() }] : []
}

/** Maximum parts of a question. */
const MAX_PARTS = 8

export function briefIn({ parts, reader, form, missing }: ModelAnswer, question: string): Brief | undefined {
  const asked = readTexts(parts, MAX_PARTS)
  const text = (value: unknown) => (isShortText(value) ? foldSpace(value) : '')
  if (!asked || asked.length === 0) return undefined
  return { question, parts: asked, reader: text(reader), form: text(form), missing: readTexts(missing, 20) ?? [] }
}

export function outlineIn({ sections }: ModelAnswer) {
  if (!Array.isArray(sections)) return undefined
  return sections.slice(0, 10).flatMap((one) => {
    const { title, says, form } = Object(one)
    return isShortText(title, 200) ? [{ title, says: isShortText(says) ? says : '', form: String(form ?? 'text') }] : []
  })
}

const GRADES: Readonly<Record<string, GradedPart['answered']>> = {
  answered: 'answered',
  yes: 'answered',
  part: 'part',
  partly: 'part',
  absent: 'absent',
  open: 'open',
  no: 'open',
}

export function readGrade(value: unknown, parts: readonly string[]): GradedPart[] {
  const { id, answered, lacks } = Object(value)
  const text = parts[Number(id) - 1]
  const grade = GRADES[String(answered).toLowerCase()]
  if (text === undefined || !grade) return []
  return [{ text, answered: grade, ...(grade === 'part' && isShortText(lacks) && { lacks: foldSpace(lacks) }) }]
}
