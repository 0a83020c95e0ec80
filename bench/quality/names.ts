/** What a documentation can be asked for by its spelling: exact names that stand in one or two pages, and words with slips in them. */

import type { Page } from '../pages.ts'
import { randomOf, sampleOf } from '../random.ts'
import type { Item } from './documentation.ts'

/** Queries of a kind, and pages that hold a name at most. */
const NAMES = { count: 50, pages: 2 } as const
const SLIPS = 200

/** Kinds of names by how they are written. */
const KINDS: Readonly<Record<string, RegExp>> = {
  dotted: /(?<![\w.$/@-])[a-z_]\w+\.[a-z_]\w{2,}(?![\w./(-])/gi,
  hyphenated: /(?<![\w./@-])[a-z]{2,}(?:-[a-z]{2,})+(?![\w./-])/g,
  flag: /(?<![\w-])--[a-z][a-z-]{2,}(?![\w-])/g,
  'error code': /(?<![\w-])(?:[A-Z]{1,5}\d{3,5}|E[A-Z]{5,}|ERR_[A-Z_]{4,})(?![\w-])/g,
  version: /(?<![\w.])v?\d{1,2}\.\d{1,3}\.\d{1,5}(?![\w.])/g,
  'file name':
    /(?<![\w./-])[\w-]{3,}\.(?:md|json|ya?ml|conf|c|h|hpp|cpp|cs|js|mjs|ts|py|rdb|lua|exe|dll|lib)(?![\w./-])/g,
  scoped: /(?<![\w:-])(?:[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+|::[a-z][a-z-]+|[a-z]+(?:-[a-z]+)*:[a-z][a-z-]+)(?![\w:/-])/g,
  member: /(?<![\w.$/@-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w+){2,3}(?![\w./-])/g,
}

const QUESTIONS = [
  (name: string) => `How do I use ${name} in my project?`,
  (name: string) => `what does ${name} mean and when is it needed`,
  (name: string) => `Where is ${name} explained?`,
  (name: string) => `problem with ${name} after an update`,
]

/** Names of each kind, alone and in a question; right is a page that holds the name as it is written. */
export function namesIn(pages: readonly Page[], seed: number): Item[] {
  const found = Object.entries(KINDS).flatMap(([kind, pattern]) =>
    sampleOf(rareNames(pages, pattern), NAMES.count, seed).map((name) => ({ kind, ...name })),
  )
  return found.flatMap(({ kind, name, paths }, at) => [
    { kind: `name: ${kind}, alone`, query: name, paths },
    { kind: `name: ${kind}, in a question`, query: QUESTIONS[at % QUESTIONS.length]?.(name) ?? name, paths },
  ])
}

/** By name, so that the draw does not depend on the order of files. */
function rareNames(pages: readonly Page[], pattern: RegExp): { readonly name: string; readonly paths: string[] }[] {
  const spellings = new Map<string, string>()
  for (const { body } of pages) for (const [name] of body.matchAll(pattern)) spellings.set(name.toLowerCase(), name)
  const holders = new Map<string, string[]>([...spellings.keys()].map((key) => [key, []]))
  for (const { path, title, body } of pages) {
    const plain = `${title}\n${path}\n${body}`.toLowerCase()
    // A sign may be a part of several names: what is held is looked for in each.
    for (const key of new Set(plain.match(/[^\s"'`(){}<>[\],;|]+/g) ?? [])) countHolders(key, path, holders)
  }
  return [...holders]
    .filter(([, { length }]) => length > 0 && length <= NAMES.pages)
    .map(([key, paths]) => ({ name: spellings.get(key) ?? key, paths }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A name is held where neither a letter nor a digit stands beside it. */
function countHolders(token: string, path: string, holders: ReadonlyMap<string, string[]>): void {
  const cuts = [...token.matchAll(/(?<![\w])(?=[\w-])|(?<=\w)(?!\w)|(?=[:-])|$/g)].map(({ index }) => index)
  for (const from of cuts.slice(0, 24)) {
    for (const to of cuts.slice(0, 24)) {
      const of = to > from ? holders.get(token.slice(from, to)) : undefined
      if (of && of.at(-1) !== path) of.push(path)
    }
  }
}

/** Words of the pages with one slip, or two from eight letters on; right is every page that holds the word. */
export function slipsIn(pages: readonly Page[], seed: number): Item[] {
  const words = new Map<string, Set<string>>()
  for (const { path, body } of pages) {
    for (const [word] of body.toLowerCase().matchAll(/(?<![\p{L}\p{N}_])\p{L}{5,16}(?![\p{L}\p{N}_])/gu)) {
      words.set(word, (words.get(word) ?? new Set()).add(path))
    }
  }
  const frequent = [...words].filter(([, { size }]) => size >= 3).sort(([a], [b]) => (a < b ? -1 : 1))
  const random = randomOf(seed)
  const slipped = sampleOf(frequent, 4 * SLIPS, seed).flatMap(([word, paths]) => {
    const query = word.length >= 8 && random() < 0.5 ? slip(slip(word, random), random) : slip(word, random)
    return words.has(query) ? [] : [{ kind: 'slip', query, paths: [...paths] }]
  })
  return slipped.slice(0, SLIPS)
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** One letter more, fewer, another, or two swapped; the first stays. */
function slip(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 1))
  const letter = LETTERS[Math.floor(random() * LETTERS.length)] ?? 'a'
  const [before, after] = [word.slice(0, at), word.slice(at)]
  const slips = [before + letter + after, before + after.slice(1), before + letter + after.slice(1)]
  const swapped = word.slice(0, at - 1) + (word[at] ?? '') + (word[at - 1] ?? '') + word.slice(at + 1)
  return [...slips, at > 1 ? swapped : before + letter + after][Math.floor(random() * 4)] ?? word
}
