/** What the built-in model finds in a prompt: the question, what was done for it, and the texts that it may quote. */

import { citedAs } from '../../text/citations.ts'
import { elementsOf, type FramedElement, unescaped } from '../../text/elements.ts'
import type { SdkOptions } from '../sdk/prompt.ts'

type Prompt = SdkOptions['prompt']

/** A text that may be quoted, and where it is. */
export interface Quotable {
  /** What it is cited by. */
  readonly source: number
  /** As it is named: `ambit://docs/a.md`, a path. */
  readonly place: string
  readonly text: string
  /** The line of its place that the text begins on. */
  readonly firstLine: number
}

export interface Heard {
  readonly question: string
  /** The tools that were called since it was asked, in order; those that failed, too. */
  readonly called: readonly string[]
  /** Where something was found since, the best first. */
  readonly hits: readonly { readonly uri: string; readonly start: number; readonly end: number }[]
  /** What was found or read since; then what was given before. */
  readonly found: readonly Quotable[]
  readonly given: readonly Quotable[]
}

export function heardIn(prompt: Prompt): Heard {
  const asked = prompt.findLastIndex(
    ({ role, providerOptions }) => role === 'user' && providerOptions?.ambit === undefined,
  )
  const since = prompt.slice(asked + 1)
  const results = since.flatMap(resultsIn)
  const elements = results.flatMap(({ text }) => elementsOf(text)).flatMap(withoutRoot)
  const hits = elements.filter(({ tag }) => tag === 'hit').map(hitOf)
  // What was read holds what was found.
  const read = elements.some(({ tag }) => tag === 'document')
  const context = prompt.filter(({ role, providerOptions }) => role === 'user' && providerOptions?.ambit !== undefined)
  const numbers = numbersIn(
    prompt.flatMap((message) => [...textsIn(message), ...resultsIn(message).map(({ text }) => text)]),
  )
  const quotable = (given: readonly FramedElement[]) => given.flatMap((element) => quotableOf(element, numbers))
  return {
    question: prompt[asked] ? textsIn(prompt[asked]).join('\n') : '',
    called: results.map(({ tool }) => tool),
    hits,
    found: quotable(elements.filter(({ tag }) => (read ? tag === 'document' : tag === 'hit'))),
    given: context.flatMap(textsIn).flatMap((text) => givenIn(text, numbers)),
  }
}

/** Hits stand in an element that says how many there are. */
function withoutRoot(element: FramedElement): readonly FramedElement[] {
  return element.tag === 'results' ? elementsOf(element.body) : [element]
}

function textsIn({ role, content }: Prompt[number]): string[] {
  if (role !== 'user') return []
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

function resultsIn({ role, content }: Prompt[number]): { readonly tool: string; readonly text: string }[] {
  if (role !== 'tool') return []
  return content.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    return [{ tool: part.toolName, text: part.output.type === 'text' ? part.output.value : '' }]
  })
}

/** The numbers by which places are cited, as the prompt gives them: `[1] ambit://docs/a.md`. */
function numbersIn(texts: readonly string[]): ReadonlyMap<string, number> {
  const lines = texts.flatMap((text) =>
    elementsOf(text).flatMap(({ tag, body }) => (tag === 'sources' ? unescaped(body).split('\n') : [])),
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

/** What was told of a place, which stands before it. */
function givenIn(text: string, numbers: ReadonlyMap<string, number>): Quotable[] {
  const elements = elementsOf(text)
  const at = unescaped(elements.find(({ tag }) => tag === 'place')?.body ?? '')
  return elements.flatMap((element) => quotableOf(element, numbers, at))
}

/** What stands before the text of an element: what was said of its place, in full or by name, and what is not shown. */
const ABOUT =
  /^(?:<path-context(?: [a-z-]+="[^"]*")* \/>\n|<(path-context|notice)(?: [a-z-]+="[^"]*")*>[\s\S]*?<\/\1>\n)+/

function quotableOf(element: FramedElement, numbers: ReadonlyMap<string, number>, at = ''): Quotable[] {
  const { path, lines = '1' } = element.attributes
  const place = [citedAs(element.attributes, at), path].find((one) => one !== undefined && numbers.has(one))
  const source = place === undefined ? undefined : numbers.get(place)
  if (place === undefined || source === undefined) return []
  const text = unescaped(element.body.replace(ABOUT, ''))
  return [{ source, place, text, firstLine: Number.parseInt(lines, 10) || 1 }]
}
