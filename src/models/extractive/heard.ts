/** What the built-in model finds in a prompt: the question, what was done for it, and the texts that it may quote. */

import { type CitedPlace, citedAs, isPackageFact } from '../../text/citations.ts'
import { elementsOf, type FramedElement, unescapeText } from '../../text/elements.ts'
import type { SdkOptions } from '../sdk/prompt.ts'

type SdkPromptMessages = SdkOptions['prompt']

/** A text that may be quoted, and where it is. */
export interface Quotable {
  /** What it is cited by. */
  readonly source: number
  /** As it is named: `ambit://docs/a.md`, a path. */
  readonly place: string
  /** `''` where none is told. */
  readonly title: string
  readonly text: string
  /** The line of its place that the text begins on. */
  readonly firstLine: number
  /** Somebody said it of the place: it stands on no line of a file. */
  readonly isSaid?: true
}

export interface Heard {
  readonly question: string
  /** Where the person stands, as the prompt names it; `''` where it does not. */
  readonly standing: string
  /** The tools that were called since it was asked, in order; those that failed, too. */
  readonly called: readonly string[]
  /** Where something was found since and was not read yet, the best first. */
  readonly hits: readonly { readonly uri: string; readonly start: number; readonly end: number }[]
  /** What was found elsewhere than where the person stands: as it is named. */
  readonly elsewhere: ReadonlySet<string>
  /** Whether it was looked for elsewhere. */
  readonly isEverywhere: boolean
  /** What was found or read since; then what was given before. */
  readonly found: readonly Quotable[]
  readonly given: readonly Quotable[]
}

export function heardIn(prompt: SdkPromptMessages): Heard {
  const asked = prompt.findLastIndex(
    ({ role, providerOptions }) => role === 'user' && providerOptions?.ambit === undefined,
  )
  const since = prompt.slice(asked + 1)
  const results = since.flatMap(resultsIn)
  const elements = results.flatMap(({ text }) => elementsOf(text)).flatMap(withoutRoot)
  const searched = results.filter(({ tool }) => tool === 'search').map(({ text }) => text)
  const beyond = searched
    .map((text, at) => (at > 0 ? text : text.split(FROM_ELSEWHERE)[1]))
    .filter((text) => text !== undefined)
  // What was read of a document holds what was found in it.
  const read = new Set(elements.flatMap((one) => (one.tag === 'document' ? [citedAs(one, NOWHERE)] : [])))
  const isQuoted = ({ tag, attributes }: FramedElement) =>
    tag === 'document' || tag === 'path-context' || (tag === 'hit' && !read.has(attributes.uri))
  const context = prompt.filter(({ role, providerOptions }) => role === 'user' && providerOptions?.ambit !== undefined)
  const numbers = numbersIn(
    prompt.flatMap((message) => [...promptTexts(message), ...resultsIn(message).map(({ text }) => text)]),
  )
  const texts = context.flatMap(promptTexts)
  const standing = texts.map((text) => placeIn(text).place).findLast((place) => place !== '') ?? ''
  const said = elements.flatMap(({ tag, attributes: { uri = '' } }) => (tag === 'path-context' ? [uri] : []))
  const elsewhere = new Set([
    ...hitsIn(beyond).map(({ uri }) => uri),
    ...said.filter((uri) => uri !== standing && !uri.startsWith(`${standing}/`)),
  ])
  return {
    // Before it stand the files that were sent with it.
    question: prompt[asked] ? (promptTexts(prompt[asked]).at(-1) ?? '') : '',
    standing,
    called: results.map(({ tool }) => tool),
    hits: hitsIn(searched).filter(({ uri }) => !read.has(uri)),
    elsewhere,
    isEverywhere: beyond.length > 0 || standing === '',
    found: elements.filter(isQuoted).flatMap((element) => quotablesOf(element, numbers)),
    given: texts.flatMap((text) => givenIn(text, numbers)),
  }
}

/** Behind it a search tells what is not where the person stands. No text of a file holds it, as that would be escaped. */
const FROM_ELSEWHERE = '<notice>\nNothing was found in '

function hitsIn(texts: readonly string[]) {
  const elements = texts.flatMap(elementsOf).flatMap(withoutRoot)
  return elements.filter(({ tag }) => tag === 'hit').map(hitOf)
}

/** Hits stand in an element that says how many there are. */
function withoutRoot(element: FramedElement): readonly FramedElement[] {
  return element.tag === 'results' ? elementsOf(element.body) : [element]
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
  const lines = texts.flatMap((text) =>
    elementsOf(text).flatMap(({ tag, body }) => (tag === 'sources' ? unescapeText(body).split('\n') : [])),
  )
  return new Map(
    lines.flatMap((line) => {
      const [, number, place] = /^\[(\d+)\] (.+)$/.exec(line) ?? []
      return number && place ? [[place, Number(number)] as const] : []
    }),
  )
}

function hitOf({ attributes: { uri = '', lines = '1-1' } }: FramedElement) {
  const [start = 1, end = start] = lines.split('-').map(Number)
  return { uri, start, end }
}

function placeIn(text: string): CitedPlace {
  const { body = '', attributes = {} } = elementsOf(text).find(({ tag }) => tag === 'place') ?? {}
  return { place: unescapeText(body), root: attributes.root }
}

/** What was told of a place, which stands before it. */
function givenIn(text: string, numbers: ReadonlyMap<string, number>): Quotable[] {
  const at = placeIn(text)
  return elementsOf(text).flatMap((element) => quotablesOf(element, numbers, at))
}

/** What people said of a place, and what was taken out, stand before a text. */
const BEFORE =
  /^(?:<path-context(?: [a-z-]+="[^"]*")* \/>\n|<(path-context|notice)(?: [a-z-]+="[^"]*")*>\n?([\s\S]*?)\n?<\/\1>\n)/

const NOWHERE: CitedPlace = { place: '' }

/** A text, and what people said of its place. */
function quotablesOf(element: FramedElement, numbers: ReadonlyMap<string, number>, at = NOWHERE): Quotable[] {
  const { lines = '1', title = '', filename, path } = element.attributes
  // A conversation of an earlier release has numbers for paths.
  const place = [citedAs(element, at), filename, path].find((one) => one !== undefined && numbers.has(one))
  const source = place === undefined ? undefined : numbers.get(place)
  if (place === undefined || source === undefined) return []
  const said: Quotable[] = []
  let body = element.body
  for (let found = BEFORE.exec(body); found; found = BEFORE.exec(body)) {
    const [whole, tag, text = ''] = found
    if (tag === 'path-context')
      said.push({ source, place, title: '', text: unescapeText(text), firstLine: 1, isSaid: true })
    body = body.slice(whole.length)
  }
  const text = isPackageFact(element) ? factLines(unescapeText(body)) : unescapeText(body)
  const isSaid = element.tag === 'path-context' && { isSaid: true as const }
  return [...said, { source, place, title, text, firstLine: Number.parseInt(lines, 10) || 1, ...isSaid }]
}

/** JSON of two spaces, as the items of a list: each line says one thing. */
function factLines(json: string): string {
  const lines = json.split('\n').map((line) => line.replace(/^\s*"([^"]*)":\s*/, '$1: ').replace(/,$/, ''))
  return lines.map((line) => (/^[\s{}[\]]*$/.test(line) ? '' : `- ${line.trim()}`)).join('\n')
}
