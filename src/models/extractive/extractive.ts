/** The built-in model: it looks things up with the tools it is given, and quotes. It needs no network, and never guesses. */

import { findAnswer } from '../../retrieval/answers.ts'
import { splitTextUnits, type TextUnit } from '../../retrieval/units.ts'
import { escapedInLine } from '../../text/code.ts'
import type { SdkModel, SdkOptions } from '../sdk/prompt.ts'
import { type Heard, heardIn, type Quotable } from './heard.ts'
import { cite, type Quoted, quotePassage, quoteSentence } from './quote.ts'

type Generated = Awaited<ReturnType<SdkModel['doGenerate']>>
type Content = Generated['content'][number]
type SdkStreamPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never

/** Documents that are read, lines around what was found in them, and the last line of a document up to which all is read. */
const MOST_READ = 5
const AROUND = 300
const NEAR_START = 500

/** The tool that gives what people wrote about places. */
const SAID = 'path_contexts'

/** Sentences that are quoted. */
const MOST_QUOTED = 3

const ABOUT =
  "Quoted by Ambit's built-in model local/extractive, which only looks up and quotes. " +
  'Set AMBIT_MODEL=provider/model, such as anthropic/…, openai/… or openai-compatible/…, to talk with another.'

const MAKE_FINDABLE =
  'Only what is in a collection is searched. To add a directory, run "ambit collection add NAME DIRECTORY" and then "ambit index".'

/** An implementation of the SDK's model interface. The same prompt gives the same answer. */
export function extractive(): SdkModel {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: 'extractive',
    supportedUrls: {},
    doGenerate: async (options) => generateAnswer(options),
    doStream: async (options) => ({ stream: toStream(streamParts(generateAnswer(options))) }),
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

function generateAnswer({ prompt, tools = [], toolChoice }: SdkOptions): Generated {
  const heard = heardIn(prompt)
  const callable = toolChoice?.type === 'none' ? [] : tools
  const calls = nextCalls(heard, new Set(callable.map(({ name }) => name))).map(
    ({ tool, input }, at): Content => ({
      type: 'tool-call',
      toolCallId: `local-${prompt.length}-${at}`,
      toolName: tool,
      input: JSON.stringify(input),
    }),
  )
  const content = calls.length > 0 ? calls : [{ type: 'text', text: answerTo(heard) } as const]
  const unified = calls.length > 0 ? ('tool-calls' as const) : ('stop' as const)
  return { content, finishReason: { unified, raw: unified }, usage: NO_USAGE, warnings: [] }
}

const NO_USAGE: Generated['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/**
 * It searches where the person stands, and reads around the best hits; where that answers nothing, it does so everywhere, then
 * takes what people said of all places, and then answers.
 */
function nextCalls(heard: Heard, tools: ReadonlySet<string>) {
  const { question, called, hits, isEverywhere } = heard
  if (question.trim() === '' || !tools.has('search')) return []
  if (!called.includes('search')) return [{ tool: 'search', input: { query: question } }]
  if (called.at(-1) === 'search' && hits.length > 0 && tools.has('read')) return readHits(hits)
  if (answerIn(heard).answer.found !== 'no') return []
  if (!isEverywhere) return [{ tool: 'search', input: { query: question, place: '/' } }]
  // Search finds documents; what people said of a place may answer where none does.
  return tools.has(SAID) && !called.includes(SAID) ? [{ tool: SAID, input: {} }] : []
}

function readHits(hits: Heard['hits']) {
  const documents = new Map(hits.toReversed().map((hit) => [hit.uri, hit]))
  const best = [...documents.values()].toReversed().slice(0, MOST_READ)
  return best.map(({ uri, start, end }) => {
    const first = start <= NEAR_START ? 1 : start - AROUND
    return { tool: 'read', input: { path: uri, lines: `${first}-${end + AROUND}` } }
  })
}

function answerIn({ question, found, given, elsewhere }: Heard) {
  const sources = new Map<TextUnit, Quotable>()
  for (const text of [...given, ...found]) {
    const { title, firstLine } = text
    for (const unit of splitTextUnits(text.text, { title, firstLine })) sources.set(unit, text)
  }
  const answer = findAnswer(question, [...sources.keys()], {
    most: MOST_QUOTED,
    isFirst: (unit) => !elsewhere.has(sources.get(unit)?.place ?? ''),
  })
  const quotes = answer.passages.flatMap((passage): Quoted[] => {
    const from = sources.get(passage.of)
    return from === undefined ? [] : [{ passage, from }]
  })
  return { answer, quotes }
}

function answerTo(heard: Heard): string {
  const { answer, quotes } = answerIn(heard)
  if (answer.found === 'no') return notFound(heard, quotes, answer.missing)
  const passage = quotes[0] === undefined ? '' : quotePassage(quotes[0])
  const doubt = answer.found === 'perhaps' ? `This may not be all that you asked.${withoutWords(answer.missing)}` : ''
  const isBeyond = quotes.some(({ from }) => heard.elsewhere.has(from.place))
  const where =
    isBeyond && heard.standing !== '' ? `${escapedInLine(heard.standing)} does not answer this. From elsewhere:` : ''
  return [where, ...quotes.map(quoteSentence), ...(passage === '' ? [] : ['In its place:', passage]), doubt, ABOUT]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Says where it looked, and what comes nearest. */
function notFound({ standing, called, found }: Heard, near: readonly Quoted[], missing: readonly string[]): string {
  const searched = called.includes('search') ? ['the collections'] : []
  const here = standing === '' ? 'the context of this place' : standing
  const places = near.map(({ passage: { unit }, from }) => {
    const heading = unit.trail.at(-1)
    return `- ${cite(from, unit.line)}${heading === undefined ? '' : ` (${escapedInLine(heading)})`}`
  })
  const told = `Not found in ${[escapedInLine(here), ...searched].join(', nor in ')}.${withoutWords(missing)}`
  const nearest = places.length === 0 ? '' : `What comes nearest:\n\n${[...new Set(places)].join('\n')}`
  const hint = found.length === 0 ? MAKE_FINDABLE : ''
  return [told, nearest, hint, ABOUT].filter((part) => part !== '').join('\n\n')
}

/** Words of the question that are shown. */
const MOST_WORDS = 5

function withoutWords(missing: readonly string[]): string {
  if (missing.length === 0) return ''
  const words = missing.slice(0, MOST_WORDS).map((word) => `“${escapedInLine(word)}”`)
  return ` Nothing that I read says ${words.join(', ')}.`
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
