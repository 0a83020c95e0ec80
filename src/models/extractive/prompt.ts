/** What the built-in model reads in a prompt: the question, what was called for it, and the texts that it may show. */

import { type CitedPlace, citedAs, isPackageFact } from '../../text/citations.ts'
import { elementsOf, type FramedElement, unescapeText } from '../../text/elements.ts'
import type { SdkOptions } from '../sdk/prompt.ts'

type SdkPromptMessages = SdkOptions['prompt']

/** A text that may be shown, and where it is. */
export interface CitableText {
  /** What it is cited by. */
  readonly source: number
  /** As it is named: `ambit://docs/a.md`, a path. */
  readonly place: string
  /** `''` where there is none. */
  readonly title: string
  readonly text: string
  /** The line of its place that the text begins on; undefined for what stands in no file, and describes the place. */
  readonly firstLine: number | undefined
}

/** Lines of a document, from 1. */
interface Hit {
  readonly uri: string
  readonly start: number
  readonly end: number
}

export interface ParsedPrompt {
  readonly question: string
  /** The tools that were called since it was asked, in order; those that failed, too. */
  readonly called: readonly string[]
  /** Where something was found since and was not read yet, the best first. */
  readonly hits: readonly Hit[]
  /** The context of the place, then what was found or read since. */
  readonly texts: readonly CitableText[]
}

export function parsePrompt(prompt: SdkPromptMessages): ParsedPrompt {
  const isTold = ({ role, providerOptions }: SdkPromptMessages[number]) =>
    role === 'user' && providerOptions?.ambit !== undefined
  const asked = prompt.findLastIndex((message) => message.role === 'user' && !isTold(message))
  const results = prompt.slice(asked + 1).flatMap(resultsIn)
  // Hits stand in an element that says how many there are.
  const elements = results
    .flatMap(({ text }) => elementsOf(text))
    .flatMap((one) => (one.tag === 'results' ? elementsOf(one.body) : [one]))
  // What was read of a document holds what was found in it.
  const read = elements.flatMap((one) => (one.tag === 'document' ? [placeOf(citedAs(one, NOWHERE), one)] : []))
  const isRead = (hit: Hit) =>
    read.some(({ uri, start, end }) => uri === hit.uri && start <= hit.start && hit.start <= end)
  const hits = elements.filter((one) => one.tag === 'hit' && !isRead(placeOf(one.attributes.uri, one)))
  const others = elements.filter(({ tag }) => tag === 'document' || tag === 'path-context')
  const contexts = prompt.filter(isTold).flatMap(promptTexts)
  const numbers = numbersIn(
    prompt.flatMap((message) => [...promptTexts(message), ...resultsIn(message).map(({ text }) => text)]),
  )
  return {
    // Before it stand the files that were sent with it.
    question: prompt[asked] ? (promptTexts(prompt[asked]).at(-1) ?? '') : '',
    called: results.map(({ tool }) => tool),
    hits: hits.map((one) => placeOf(one.attributes.uri, one)),
    texts: [
      ...contexts.flatMap((text) => elementsOf(text).flatMap((one) => textsOf(one, numbers, placeIn(text)))),
      ...[...others, ...hits].flatMap((one) => textsOf(one, numbers)),
    ],
  }
}

function promptTexts({ role, content }: SdkPromptMessages[number]): string[] {
  if (role !== 'user') return []
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

function resultsIn({ role, content }: SdkPromptMessages[number]): { readonly tool: string; readonly text: string }[] {
  if (role !== 'tool') return []
  return content.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    return [{ tool: part.toolName, text: part.output.type === 'text' ? part.output.value : '' }]
  })
}

/** The numbers by which places are cited, as the prompt gives them: `[1] ambit://docs/a.md`. */
function numbersIn(texts: readonly string[]): ReadonlyMap<string, number> {
  const sources = texts.flatMap(elementsOf).filter(({ tag }) => tag === 'sources')
  const lines = sources.flatMap(({ body }) => [...unescapeText(body).matchAll(/^\[(\d+)\] (.+)$/gm)])
  return new Map(lines.map(([, number, place = '']) => [place, Number(number)]))
}

function placeOf(uri = '', { attributes: { lines = '1-1' } }: FramedElement): Hit {
  const [start = 1, end = start] = lines.split('-').map(Number)
  return { uri, start, end }
}

function placeIn(text: string): CitedPlace {
  const { body = '', attributes = {} } = elementsOf(text).find(({ tag }) => tag === 'place') ?? {}
  return { place: unescapeText(body), root: attributes.root }
}

/** What people said of a place, and what was taken out, stand before a text. */
const BEFORE =
  /^(?:<path-context(?: [a-z-]+="[^"]*")* \/>\n|<(path-context|notice)(?: [a-z-]+="[^"]*")*>\n?([\s\S]*?)\n?<\/\1>\n)/

const NOWHERE: CitedPlace = { place: '' }

/** A text, and what people said of its place. */
function textsOf(element: FramedElement, numbers: ReadonlyMap<string, number>, at = NOWHERE): CitableText[] {
  const { lines = '1', title = '', filename, path } = element.attributes
  // A conversation of an earlier release has numbers for paths.
  const place = [citedAs(element, at), filename, path].find((one) => one !== undefined && numbers.has(one))
  const source = place === undefined ? undefined : numbers.get(place)
  if (place === undefined || source === undefined) return []
  const said: CitableText[] = []
  let body = element.body
  for (let found = BEFORE.exec(body); found; found = BEFORE.exec(body)) {
    const [whole, tag, text = ''] = found
    const entry = { source, place, title: '', text: unescapeText(text), firstLine: undefined }
    if (tag === 'path-context') said.push(entry)
    body = body.slice(whole.length)
  }
  const isFact = isPackageFact(element)
  const text = isFact ? factLines(unescapeText(body)) : unescapeText(body)
  const firstLine = isFact || element.tag === 'path-context' ? undefined : Number.parseInt(lines, 10) || 1
  return [...said, { source, place, title: isFact ? element.tag : title, text, firstLine }]
}

/** JSON of two spaces, as a list: each line says one thing. */
function factLines(json: string): string {
  const lines = json.split('\n').map((line) =>
    line
      .replace(/^\s*"([^"]*)":\s*/, '$1: ')
      .replace(/,$/, '')
      .trim(),
  )
  return lines.flatMap((line) => (/^[{}[\]]*$/.test(line) ? [] : [`- ${line}`])).join('\n')
}
