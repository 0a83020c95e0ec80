/** The built-in model: searches with the offered tools, and quotes the best passages. It needs no network or key. */

import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { throwIfAborted } from '../../core/errors.ts'
import { LOW_COVERAGE } from '../../retrieval/meaning.ts'
import { isRepeated, MAX_NEAREST_PASSAGES, NearestPassages } from '../../retrieval/nearest-passages.ts'
import { splitTextUnits, type TextUnit } from '../../retrieval/units.ts'
import { type CitedPlace, citationUri, givenElements, isPackageFact, sourceNumbers } from '../../text/citations.ts'
import { escapeInline, proseOf, UNESCAPED } from '../../text/code.ts'
import { isPlaceUri } from '../../text/collection-uri.ts'
import { elementsOf, type FramedElement, unescapeText } from '../../text/elements.ts'
import { closeFence } from '../../text/fences.ts'
import { isOwnReport, preferSources } from '../../text/own-reports.ts'
import { isProgramSettings } from '../../text/program-names.ts'
import type { LanguageModel, Message, StepPart, StepRequest } from '../language.ts'
import { priceOf } from '../prices.ts'

/** `linesAround`: lines to read around a hit; a hit that starts up to line `readFromStart` is read from line 1. */
const READ_LIMITS = { documents: 5, linesAround: 300, readFromStart: 500 } as const

/** In characters. `joined`: passages are joined up to this size. `longest`: the longest passage that is shown completely. */
const PASSAGE_SIZES = { joined: 900, longest: 1800 } as const

const PATH_CONTEXTS_TOOL = 'path_contexts'

const ANSWER_NOTE =
  'These places come nearest to the question; the built-in model local/extractive does not judge whether they answer it. ' +
  'Set AMBIT_MODEL=provider/model, such as anthropic/…, openai/… or openai-compatible/…, to get an answer.'

const NOT_FOUND =
  'Not found in this place or in the collections.\n\nOnly what is in a collection is searched. ' +
  'To add a directory, run "ambit collection add NAME DIRECTORY" and then "ambit index".'

type ReadTable = (() => Uint8Array) | undefined

/** The built-in model. The same messages always give the same answer. `readTable`: reads the table of word vectors. */
export function local(readTable?: ReadTable): LanguageModel {
  return {
    name: BUILT_IN_MODEL,
    canSee: false,
    price: priceOf(BUILT_IN_MODEL),
    async *step(request, signal) {
      throwIfAborted(signal)
      yield* answerParts(request, readTable)
      yield { type: 'finish', reason: 'stop', usage: { input: 0, cached: 0, output: 0, cost: 0 } }
    },
  }
}

/** Yields the parts of an answer: text line by line, so that a client can stream it. */
function* answerParts({ messages, tools, callsNothing }: StepRequest, readTable: ReadTable): Generator<StepPart> {
  const prompt = parsePrompt(messages)
  const nearest = nearestPlaces(prompt, readTable)
  const callable = new Set(callsNothing ? [] : tools.map(({ name }) => name))
  const calls = nextCalls(prompt, callable, nearest)
  for (const [at, { tool, input }] of calls.entries())
    yield { type: 'call', id: `local-${messages.length + 1}-${at}`, tool, input: JSON.stringify(input) }
  if (calls.length > 0) return
  const text = writeAnswer(nearest)
  for (const line of text.split(/(?<=\n)/)) yield { type: 'text', text: line }
  yield { type: 'part', part: { type: 'text', text } }
}

/**
 * The next calls: a search, then reads around the best hits. If the read texts have few words of the question, one more search by
 * meaning; if nothing is near, the path contexts.
 */
function nextCalls(prompt: ParsedPrompt, tools: ReadonlySet<string>, { places, coverage }: NearestPlaces) {
  const { question, calledTools, hits, hasOnlyReports } = prompt
  if (question.trim() === '' || !tools.has('search')) return []
  // In a search, a minus excludes the word after it; in a question such as `xz -9`, it does not.
  const query = question.replace(/(?<!\S)-(?=\w)/g, '')
  const searches = calledTools.filter((tool) => tool === 'search').length
  if (searches === 0) return [{ tool: 'search', input: { query } }]
  // If only reports of Ambit were read, other hits are read, too, once.
  const reads = calledTools.filter((tool) => tool === 'read').length
  const readsMore = calledTools.at(-1) === 'search' || (hasOnlyReports && reads <= READ_LIMITS.documents)
  if (readsMore && hits.length > 0 && tools.has('read')) {
    const count = searches === 1 ? READ_LIMITS.documents : READ_LIMITS.documents - reads
    return dropNearbyHits(hits).slice(0, count).map(readAround)
  }
  if (searches === 1 && reads < READ_LIMITS.documents && coverage < LOW_COVERAGE)
    return [{ tool: 'search', input: { query, minScore: 0 } }]
  const hasFinished = !tools.has(PATH_CONTEXTS_TOOL) || calledTools.includes(PATH_CONTEXTS_TOOL) || places.length > 0
  return hasFinished ? [] : [{ tool: PATH_CONTEXTS_TOOL, input: {} }]
}

/** Drops hits that are read together with an earlier one. */
function dropNearbyHits(hits: readonly Hit[]): readonly Hit[] {
  return hits.filter(
    ({ uri, start }, at) =>
      !hits.slice(0, at).some((one) => one.uri === uri && Math.abs(one.start - start) < READ_LIMITS.linesAround),
  )
}

function readAround({ uri, start, end }: Hit) {
  const first = start <= READ_LIMITS.readFromStart ? 1 : start - READ_LIMITS.linesAround
  return { tool: 'read', input: { path: uri, lines: `${first}-${end + READ_LIMITS.linesAround}` } }
}

interface Passage {
  readonly unit: TextUnit
  readonly text: CitableText
}

/** `places`: the passages nearest to a question. `leftOut`: unquoted reports of Ambit. `missing`: words in no text. */
function nearestPlaces({ question, texts, reports }: ParsedPrompt, readTable: ReadTable) {
  const passages = texts.flatMap((text) => passagesOf(text).map(({ unit, parts }) => ({ unit, parts, text })))
  // Each unit is ranked alone: a long passage has several subjects. The answer shows the passage around the unit.
  const passageOfUnit = passages.flatMap((passage) => passage.parts.map(() => passage))
  const units = passages.flatMap(({ parts }) => parts)
  const ranking = new NearestPassages(units, readTable)
  const places: Passage[] = []
  const ranked = ranking.rank(question)
  const coverage = ranked.reduce((most, one) => Math.max(most, one.coverage), 0)
  const candidates = ranked.flatMap(({ at }) => passageOfUnit[at] ?? [])
  for (const passage of preferSources(candidates, ({ text }) => reports.has(text.place))) {
    if (places.length === MAX_NEAREST_PASSAGES) break
    if (!places.some(({ unit }) => isRepeated(passage.unit.text, unit.text))) places.push(passage)
  }
  const leftOut = places.some(({ text }) => reports.has(text.place)) ? [] : [...reports]
  return { places, coverage, leftOut, missing: ranking.missing(question) }
}

type NearestPlaces = ReturnType<typeof nearestPlaces>

/** Joins neighbouring paragraphs and items under one heading. Each row of a table is separate. `parts`: the joined units. */
function passagesOf({ text, title, firstLine = 1 }: CitableText) {
  const passages: { readonly unit: TextUnit; readonly parts: TextUnit[] }[] = []
  for (const unit of splitTextUnits(text, { title, firstLine })) {
    const { unit: last, parts = [] } = passages.at(-1) ?? {}
    const canJoin = last && last.kind !== 'row' && unit.kind !== 'row' && last.trail === unit.trail
    if (canJoin && unit.end - last.start <= PASSAGE_SIZES.joined) {
      const joined = { ...last, text: text.slice(last.start, unit.end), end: unit.end }
      passages[passages.length - 1] = { unit: joined, parts: [...parts, unit] }
    } else passages.push({ unit, parts: [unit] })
  }
  return passages
}

function writeAnswer({ places, leftOut, missing }: NearestPlaces): string {
  if (places.length === 0) return NOT_FOUND
  const quoted = (words: readonly string[]) => words.map((word) => `“${escapeInline(word)}”`).join(', ')
  const guesses = missing.flatMap((one) => one.guesses)
  const searched = guesses.length === 0 ? '' : `; also searched: ${quoted(guesses)}`
  const notes = leftOut.map((place) => `Not quoted, because it is a report of Ambit: ${escapeInline(place)}.`)
  if (missing.length > 0)
    notes.push(`Nothing that was read holds ${quoted(missing.map(({ word }) => word))}${searched}.`)
  return [...places.map(showPlace), ...notes, ANSWER_NOTE].join('\n\n')
}

/** A passage with its number, place, lines and the headings above it. */
function showPlace({ unit, text: { source, place, firstLine } }: Passage): string {
  const end = unit.line + unit.text.split(LINE_BREAK).length - 1
  const lines = firstLine === undefined ? '' : `:${unit.line}${end > unit.line ? `-${end}` : ''}`
  const heading = unit.trail.length === 0 ? '' : `, under “${escapeInline(unit.trail.join(' › '))}”`
  return `${blockQuote(withHeader(unit))}\n\n[${source}] ${escapeInline(place)}${lines}${heading}`
}

/** The text of a unit. A row of a table is preceded by the header of the table. */
function withHeader({ kind, lead, text }: TextUnit): string {
  if (kind !== 'row' || lead === '') return text
  return `${lead}\n|${' --- |'.repeat(Math.max(1, lead.split('|').length - 2))}\n${text}`
}

const LINE_BREAK = /\r\n?|\n/
const CITATION_NUMBER = new RegExp(String.raw`${UNESCAPED}\[(?=\d{1,6}\])`, 'g')

/** A passage as a Markdown block quote, shortened. Text that looks like a citation is escaped, except in code. */
function blockQuote(passage: string): string {
  const beginning = passage.slice(0, PASSAGE_SIZES.longest).toWellFormed()
  const end = Math.max(beginning.search(/\s\S*$/), PASSAGE_SIZES.longest / 2)
  const text = closeFence(openFence(beginning.length < passage.length ? `${beginning.slice(0, end)} …` : passage))
  const prose = proseOf(text).split(LINE_BREAK)
  const lines = text.split(LINE_BREAK).map((line, at) => {
    const numbers = new Set([...(prose[at] ?? '').matchAll(CITATION_NUMBER)].map(({ index }) => index))
    const escapedLine = [...line.split('').entries()]
      .map(([column, character]) => (numbers.has(column) ? `\\${character}` : character))
      .join('')
    return `> ${escapedLine}`.trimEnd()
  })
  return lines.join('\n')
}

/** Opens the block of code that a text begins in, if the text has only its closing fence. */
function openFence(text: string): string {
  const fence = /\n(`{3,}|~{3,})\s*$/.exec(text)?.[1]
  return fence !== undefined && closeFence(text) !== text ? `${fence}\n${text}` : text
}

/** A text that can be quoted, and its place. */
interface CitableText {
  /** Number of its citation. */
  readonly source: number
  /** Its URI or path, such as `ambit://docs/a.md`. */
  readonly place: string
  /** `''` for a text without a title. */
  readonly title: string
  readonly text: string
  /** The first line of the text in its place; undefined for a description of the place, which is not in a file. */
  readonly firstLine: number | undefined
}

/** Lines of a document, from 1. */
interface Hit {
  readonly uri: string
  readonly start: number
  readonly end: number
}

type ParsedPrompt = ReturnType<typeof parsePrompt>

/**
 * Parses the messages of a conversation.
 *
 * @returns `calledTools`: the tools called since the question, in order, including failed calls. `hits`: the unread
 * hits, the best first. `reports`: the places of documents that Ambit wrote. `texts`: the texts of the place's context,
 * then of documents and hits.
 */
function parsePrompt(messages: readonly Message[]) {
  const questionIndex = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[questionIndex]
  const results = messages.slice(questionIndex + 1).flatMap(resultsIn)
  const given = givenElements(results.map(({ text }) => text))
  const isEvidence = ({ attributes: { uri = '' } }: FramedElement) => !isPlaceUri(uri) || !isProgramSettings(uri)
  const elements = given.filter(isEvidence)
  // A document that was read contains its hits.
  const documents = elements.flatMap((one) =>
    one.tag === 'document' ? [lineRangeOf(citationUri(one, NO_PLACE), one)] : [],
  )
  const isRead = (hit: Hit) =>
    documents.some(({ uri, start, end }) => uri === hit.uri && start <= hit.start && hit.start <= end)
  const hits = elements.filter((one) => one.tag === 'hit' && !isRead(lineRangeOf(one.attributes.uri, one)))
  const texts = elements.filter(({ tag }) => tag === 'document' || tag === 'path-context')
  const ownReports = texts.filter(({ body }) => isOwnReport(unescapeText(body)))
  const reports = new Set(ownReports.flatMap((one) => citationUri(one, NO_PLACE) ?? []))
  const contexts = messages.flatMap((message) => (message.role === 'context' ? [message.text] : []))
  const numbers = sourceNumbers(givenElements([...contexts, ...messages.flatMap(resultsIn).map(({ text }) => text)]))
  return {
    question: question?.role === 'user' ? question.text : '',
    calledTools: results.map(({ tool }) => tool),
    hits: hits.map((one) => lineRangeOf(one.attributes.uri, one)),
    reports,
    hasOnlyReports: documents.length > 0 && documents.every(({ uri }) => reports.has(uri)),
    texts: [
      ...contexts.flatMap((text) => elementsOf(text).flatMap((one) => textsOf(one, numbers, currentPlace(text)))),
      ...[...texts, ...hits].flatMap((one) => textsOf(one, numbers)),
    ],
  }
}

function resultsIn(message: Message): { readonly tool: string; readonly text: string }[] {
  if (message.role !== 'tool') return []
  return message.results.map(({ tool, text, isError }) => ({ tool, text: isError ? '' : text }))
}

function lineRangeOf(uri = '', { attributes: { lines = '1-1' } }: FramedElement): Hit {
  const [start = 1, end = start] = lines.split('-').map(Number)
  return { uri, start, end }
}

function currentPlace(text: string): CitedPlace {
  const { body = '', attributes = {} } = elementsOf(text).find(({ tag }) => tag === 'place') ?? {}
  return { place: unescapeText(body), root: attributes.root }
}

/** Matches a path context, or a notice about removed characters, before a text. */
const LEADING_ELEMENT =
  /^(?:<path-context(?: [a-z-]+="[^"]*")* \/>\n|<(path-context|notice)(?: [a-z-]+="[^"]*")*>\n?([\s\S]*?)\n?<\/\1>\n)/

const NO_PLACE: CitedPlace = { place: '' }

function textsOf(element: FramedElement, numbers: ReadonlyMap<string, number>, at = NO_PLACE): CitableText[] {
  const { lines = '1', title = '', filename, path } = element.attributes
  // Conversations of earlier releases number paths instead of URIs.
  const place = [citationUri(element, at), filename, path].find((one) => one !== undefined && numbers.has(one))
  const source = place === undefined ? undefined : numbers.get(place)
  if (place === undefined || source === undefined) return []
  const pathContexts: CitableText[] = []
  let body = element.body
  for (let leading = LEADING_ELEMENT.exec(body); leading; leading = LEADING_ELEMENT.exec(body)) {
    const [whole, tag, text = ''] = leading
    const entry = { source, place, title: '', text: unescapeText(text), firstLine: undefined }
    if (tag === 'path-context') pathContexts.push(entry)
    body = body.slice(whole.length)
  }
  const isPackage = isPackageFact(element)
  const text = isPackage ? factLines(unescapeText(body)) : unescapeText(body)
  const firstLine = isPackage || element.tag === 'path-context' ? undefined : Number.parseInt(lines, 10) || 1
  return [...pathContexts, { source, place, title: isPackage ? element.tag : title, text, firstLine }]
}

/** Converts indented JSON to a Markdown list, with an item for each line. */
function factLines(json: string): string {
  const lines = json.split(/,?\n\s*/).map((line) => line.replace(/^"([^"]*)":\s*/, '$1: ').trim())
  return lines.flatMap((line) => (/^[{}[\]]*$/.test(line) ? [] : [`- ${line}`])).join('\n')
}
