/** The built-in model: it looks things up with the tools it is given, and quotes. It needs no network, and never guesses. */

import { escapedInLine, proseOf, UNESCAPED } from '../../text/code.ts'
import type { SdkModel, SdkOptions } from '../sdk/prompt.ts'
import { type Heard, heardIn } from './heard.ts'
import { type Passage, passagesFor } from './passages.ts'

type Generated = Awaited<ReturnType<SdkModel['doGenerate']>>
type Content = Generated['content'][number]
type Part = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never

/** Documents that are read, and lines around what was found in them. */
const MOST_READ = 2
const AROUND = 12

const ABOUT =
  "Quoted by Ambit's built-in model local/extractive, which only looks up and quotes. " +
  'Set AMBIT_MODEL=provider/model, such as anthropic/…, openai/… or openai-compatible/…, to talk with another.'

const NOTHING =
  'I found nothing about that: neither in the collections nor in the context of this place.\n\n' +
  'To make files findable, run "ambit collection add NAME DIRECTORY" and then "ambit index".'

const NEAR = 'Nothing of what I read says it in words like yours. What comes nearest:'

/** Places that are named so. */
const MOST_NEAR = 3

/** An implementation of the SDK's model interface. The same prompt gives the same answer. */
export function extractive(): SdkModel {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: 'extractive',
    supportedUrls: {},
    doGenerate: async (options) => generated(options),
    doStream: async (options) => ({ stream: streamOf(streamed(generated(options))) }),
  }
}

/** Not `ReadableStream.from`, which browsers' types do not know: this is checked beside the tests of the web UI, too. */
function streamOf(parts: Iterable<Part>): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

function generated({ prompt, tools = [] }: SdkOptions): Generated {
  const heard = heardIn(prompt)
  const calls = nextCalls(heard, new Set(tools.map(({ name }) => name))).map(
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

/** It searches once, reads around the best hits once, and then answers. */
function nextCalls({ question, called, hits }: Heard, tools: ReadonlySet<string>) {
  if (question.trim() === '') return []
  if (tools.has('search') && !called.includes('search')) return [{ tool: 'search', input: { query: question } }]
  if (!tools.has('read') || called.includes('read')) return []
  const documents = new Map(hits.toReversed().map((hit) => [hit.uri, hit]))
  const best = [...documents.values()].toReversed().slice(0, MOST_READ)
  return best.map(({ uri, start, end }) => {
    return { tool: 'read', input: { path: uri, lines: `${Math.max(1, start - AROUND)}-${end + AROUND}` } }
  })
}

function answerTo({ question, found, given }: Heard): string {
  const passages = passagesFor(question, [...found, ...given])
  if (passages.length === 0) return `${found.length > 0 ? nearestOf(found) : NOTHING}\n\n${ABOUT}`
  return `${passages.map(quoted).join('\n\n')}\n\n${ABOUT}`
}

/** Where a search found something that says it in none of the words of the question. */
function nearestOf(found: Heard['found']): string {
  const places = found.slice(0, MOST_NEAR).map(({ source, place, firstLine }) => {
    return `- [${source}] ${escapedInLine(place)}:${firstLine}`
  })
  return `${NEAR}\n\n${places.join('\n')}`
}

function quoted({ text, source, place, line }: Passage): string {
  const lines = withoutNumbers(text).map((one) => (one === '' ? '>' : `> ${one}`))
  return `${lines.join('\n')}\n\n[${source}] ${escapedInLine(place)}:${line}`
}

const LINE = /\r\n?|\n/
const NUMBER = new RegExp(String.raw`${UNESCAPED}\[(?=\d{1,6}\])`, 'g')

/** The lines of a text as they are shown; what looks like a citation in them cites nothing. Code cites nothing anyway. */
function withoutNumbers(text: string): string[] {
  const prose = proseOf(text).split(LINE)
  return text.split(LINE).map((line, at) => {
    const numbers = new Set([...(prose[at] ?? '').matchAll(NUMBER)].map(({ index }) => index))
    return numbers.size === 0
      ? line
      : line
          .split('')
          .map((one, of) => (numbers.has(of) ? `\\${one}` : one))
          .join('')
  })
}

/** Text comes by the line, so that whoever streams it streams. */
function* streamed({ content, finishReason, usage }: Generated): Generator<Part> {
  yield { type: 'stream-start', warnings: [] }
  for (const part of content) {
    if (part.type === 'tool-call') yield part
    if (part.type !== 'text') continue
    yield { type: 'text-start', id: '0' }
    for (const delta of part.text.match(/[^\n]*\n|[^\n]+$/g) ?? []) yield { type: 'text-delta', id: '0', delta }
    yield { type: 'text-end', id: '0' }
  }
  yield { type: 'finish', finishReason, usage }
}
