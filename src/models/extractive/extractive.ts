/** The built-in model: it looks things up with the tools it is given, and shows the best places. It needs no network. */

import { NEAREST, NearestPassages } from '../../retrieval/nearest-passages.ts'
import { splitTextUnits, type TextUnit } from '../../retrieval/units.ts'
import { escapedInLine, proseOf, UNESCAPED } from '../../text/code.ts'
import { closeFence } from '../../text/fences.ts'
import type { SdkModel, SdkOptions } from '../sdk/prompt.ts'
import { type CitableText, type ParsedPrompt, parsePrompt } from './prompt.ts'

type Generated = Awaited<ReturnType<SdkModel['doGenerate']>>
type Content = Generated['content'][number]
type SdkStreamPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never

/** Documents that are read, lines around what was found in them, and the last line of a document up to which all is read. */
const READ = { most: 5, around: 300, nearStart: 500 } as const

/** Characters that a passage is filled up to, and of the longest that is shown whole. */
const SHOWN = { full: 900, longest: 1800 } as const

/** The tool that gives what people wrote about places. */
const SAID = 'path_contexts'

const ABOUT =
  'These places come nearest to the question; the built-in model local/extractive does not judge whether they answer it. ' +
  'Set AMBIT_MODEL=provider/model, such as anthropic/…, openai/… or openai-compatible/…, to get an answer.'

const NOT_FOUND =
  'Not found in this place or in the collections.\n\nOnly what is in a collection is searched. ' +
  'To add a directory, run "ambit collection add NAME DIRECTORY" and then "ambit index".'

/** An implementation of the SDK's model interface. The same prompt gives the same answer. */
export function extractive(readTable?: () => Uint8Array): SdkModel {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: 'extractive',
    supportedUrls: {},
    doGenerate: async (options) => generateAnswer(options, readTable),
    doStream: async (options) => ({ stream: toStream(streamParts(generateAnswer(options, readTable))) }),
  }
}

/** Not `ReadableStream.from`, which browsers' types do not know: this is checked beside the tests of the web UI, too. */
function toStream(parts: Iterable<SdkStreamPart>): ReadableStream<SdkStreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

type ReadTable = (() => Uint8Array) | undefined

function generateAnswer({ prompt, tools = [], toolChoice }: SdkOptions, readTable: ReadTable): Generated {
  const parsed = parsePrompt(prompt)
  const nearest = nearestPlaces(parsed, readTable)
  const callable = toolChoice?.type === 'none' ? [] : tools
  const calls = nextCalls(parsed, new Set(callable.map(({ name }) => name)), nearest.places.length > 0).map(
    ({ tool, input }, at): Content => ({
      type: 'tool-call',
      toolCallId: `local-${prompt.length}-${at}`,
      toolName: tool,
      input: JSON.stringify(input),
    }),
  )
  const content = calls.length > 0 ? calls : [{ type: 'text', text: writeAnswer(nearest) } as const]
  const unified = calls.length > 0 ? ('tool-calls' as const) : ('stop' as const)
  return { content, finishReason: { unified, raw: unified }, usage: NO_USAGE, warnings: [] }
}

const NO_USAGE: Generated['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/** It searches, and reads around the best hits; where nothing holds a word of the question, it takes what people said of places. */
function nextCalls(parsed: ParsedPrompt, tools: ReadonlySet<string>, hasPlaces: boolean) {
  const { question, called, hits } = parsed
  if (question.trim() === '' || !tools.has('search')) return []
  if (!called.includes('search')) return [{ tool: 'search', input: { query: question } }]
  if (called.at(-1) === 'search' && hits.length > 0 && tools.has('read')) {
    return farApart(hits).slice(0, READ.most).map(readAround)
  }
  const isOver = !tools.has(SAID) || called.includes(SAID) || hasPlaces
  return isOver ? [] : [{ tool: SAID, input: {} }]
}

/** Without those that are read with an earlier one. */
function farApart(hits: ParsedPrompt['hits']): ParsedPrompt['hits'] {
  return hits.filter(
    ({ uri, start }, at) =>
      !hits.slice(0, at).some((one) => one.uri === uri && Math.abs(one.start - start) < READ.around),
  )
}

function readAround({ uri, start, end }: ParsedPrompt['hits'][number]) {
  const first = start <= READ.nearStart ? 1 : start - READ.around
  return { tool: 'read', input: { path: uri, lines: `${first}-${end + READ.around}` } }
}

/** A passage, and the text that it stands in. */
interface Passage {
  readonly unit: TextUnit
  readonly from: CitableText
}

/** The passages that come nearest to a question, and its words that none of the texts holds. */
function nearestPlaces({ question, texts }: ParsedPrompt, readTable: ReadTable) {
  const all = texts.flatMap((from) => passagesOf(from).map((unit): Passage => ({ unit, from })))
  const ranking = new NearestPassages(
    all.map(({ unit }) => unit),
    readTable,
  )
  const seen = new Set<string>()
  const ranked = ranking.rank(question).flatMap(({ at }) => all[at] ?? [])
  const places = ranked.filter(({ unit }) => !seen.has(unit.text) && seen.add(unit.text)).slice(0, NEAREST)
  return { places, missing: ranking.missing(question) }
}

/** Paragraphs and items that stand together under one heading; each row of a table by itself. */
function passagesOf({ text, title, firstLine = 1 }: CitableText): TextUnit[] {
  const passages: TextUnit[] = []
  for (const unit of splitTextUnits(text, { title, firstLine })) {
    const last = passages.at(-1)
    const isTogether = last && last.kind !== 'row' && unit.kind !== 'row' && last.trail === unit.trail
    if (isTogether && unit.end - last.start <= SHOWN.full)
      passages[passages.length - 1] = { ...last, text: text.slice(last.start, unit.end), end: unit.end }
    else passages.push(unit)
  }
  return passages
}

function writeAnswer({ places, missing }: ReturnType<typeof nearestPlaces>): string {
  if (places.length === 0) return NOT_FOUND
  const words = missing.map((word) => `“${escapedInLine(word)}”`).join(', ')
  const lacks = words === '' ? [] : [`Nothing that was read holds ${words}.`]
  return [...places.map(showPlace), ...lacks, ABOUT].join('\n\n')
}

/** A passage with its number, place and lines, and the headings that it stands under. */
function showPlace({ unit, from: { source, place, firstLine } }: Passage): string {
  const end = unit.line + unit.text.split(LINE).length - 1
  const lines = firstLine === undefined ? '' : `:${unit.line}${end > unit.line ? `-${end}` : ''}`
  const heading = unit.trail.length === 0 ? '' : `, under “${escapedInLine(unit.trail.join(' › '))}”`
  return `${blockQuote(withHeader(unit))}\n\n[${source}] ${escapedInLine(place)}${lines}${heading}`
}

/** A row says little without the header of its table. */
function withHeader({ kind, lead, text }: TextUnit): string {
  if (kind !== 'row' || lead === '') return text
  return `${lead}\n|${' --- |'.repeat(Math.max(1, lead.split('|').length - 2))}\n${text}`
}

const LINE = /\r\n?|\n/
const NUMBER = new RegExp(String.raw`${UNESCAPED}\[(?=\d{1,6}\])`, 'g')

/** Lines as they are, which cite nothing by themselves: code cites nothing anyway. */
function blockQuote(whole: string): string {
  const cut = whole.slice(0, SHOWN.longest).toWellFormed()
  const end = Math.max(cut.search(/\s\S*$/), SHOWN.longest / 2)
  const text = closeFence(cut.length < whole.length ? `${cut.slice(0, end)} …` : whole)
  const prose = proseOf(text).split(LINE)
  const lines = text.split(LINE).map((line, at) => {
    const numbers = new Set([...(prose[at] ?? '').matchAll(NUMBER)].map(({ index }) => index))
    const plain = [...line.split('').entries()].map(([of, one]) => (numbers.has(of) ? `\\${one}` : one)).join('')
    return `> ${plain}`.trimEnd()
  })
  return lines.join('\n')
}

/** Text comes by the line, so that whoever streams it streams. */
function* streamParts({ content, finishReason, usage }: Generated): Generator<SdkStreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const part of content) {
    if (part.type === 'tool-call') yield part
    if (part.type !== 'text') continue
    yield { type: 'text-start', id: '0' }
    for (const delta of part.text.match(/[^\n]+\n?|\n/g) ?? []) yield { type: 'text-delta', id: '0', delta }
    yield { type: 'text-end', id: '0' }
  }
  yield { type: 'finish', finishReason, usage }
}
