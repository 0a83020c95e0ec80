import { basename, posix } from 'node:path'
import { outsideFences, type Page, pagesOf } from '../pages.ts'
import { randomOf, sampleOf } from '../random.ts'
import { type Doc, type JudgedSet, judgementsOf } from './collection.ts'

/** Minimum words of a pasted line, separated by spaces, and its maximum characters. */
const PASTED_LINE = { words: 8, characters: 400 }

/** Minimum and maximum words of a link's text for a query; `CFile::Open` has two. */
const ANCHOR_WORDS = { least: 2, most: 9 }

/** Minimum words of a description, separated by spaces. */
const DESCRIPTION_WORDS = 8

/** A query, and the pages that answer it. */
export interface QueryItem {
  readonly kind: string
  readonly query: string
  readonly paths: readonly string[]
}

/** The seed of the draw; another one gives another set of the same kind. */
const SEED = 20_260_801

/**
 * A judged set from a folder of documentation alone: each query is what somebody wrote about one page, or a name in the page. The
 * set needs no judge, and is the same each time. Front matter is not searched.
 */
export function documentationSet(dir: string, { count = 500, seed = SEED } = {}): JudgedSet {
  const pages = [...pagesOf(dir)]
  const items = [
    ...sampleOf(anchorsIn(pages), count, seed),
    ...sampleOf(descriptionsIn(pages), count, seed),
    ...sampleOf(pastedLinesIn(pages), count, seed),
    ...namesIn(pages, seed),
    ...slipsIn(pages, seed),
  ]
  return {
    name: basename(dir),
    documents: () => documentsOf(dir),
    queries: items.map(({ kind, query }, at) => ({ id: `${at + 1}`, text: query, kind })),
    judgements: judgementsOf(items.flatMap(({ paths }, at) => paths.map((path) => [`${at + 1}`, path, 1] as const))),
  }
}

/** The pages of a folder as documents; the id is the path. */
export async function* documentsOf(dir: string): AsyncIterable<Doc> {
  for (const { path, title, body } of pagesOf(dir)) yield { id: path, path, title, text: body }
}

/**
 * Descriptions as queries, without introductions such as "Learn about". A description that only repeats the title is left out.
 */
function descriptionsIn(pages: readonly Page[]): QueryItem[] {
  return pages.flatMap(({ path, title, description = '' }) => {
    const query = description.replace(/^learn (more )?about:?\s+/i, '')
    const isTelling = query.split(/\s+/).length >= DESCRIPTION_WORDS && foldedOf(query) !== foldedOf(title)
    return isTelling ? [{ kind: 'desc', query, paths: [path] }] : []
  })
}

/** One line of prose of each page that is on no other page, as somebody would paste it. */
function pastedLinesIn(all: readonly Page[]): QueryItem[] {
  const pages = all.map(({ path, body }) => ({
    path,
    lines: outsideFences(body)
      .split('\n')
      .map((line) => line.trim()),
  }))
  const times = new Map<string, number>()
  for (const { lines } of pages) for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1)
  const isPasted = (line: string) =>
    times.get(line) === 1 &&
    /^\p{L}/u.test(line) &&
    line.length <= PASTED_LINE.characters &&
    line.split(/\s+/).length >= PASTED_LINE.words
  return pages.flatMap(({ path, lines }) => {
    const pastedLines = lines.filter(isPasted)
    const query = pastedLines[Math.floor(pastedLines.length / 2)]
    return query === undefined ? [] : [{ kind: 'pasted', query, paths: [path] }]
  })
}

/** Texts of links that lead to exactly one page and do not only repeat its title, sorted independently of the order of files. */
function anchorsIn(pages: readonly Page[]): QueryItem[] {
  const titles = new Map(pages.map(({ path, title }) => [path, foldedOf(title)]))
  const targets = new Map<string, { readonly query: string; readonly paths: Set<string> }>()
  for (const { text, path } of pages.flatMap(linksOf)) {
    if (!titles.has(path)) continue
    const target = targets.get(foldedOf(text)) ?? { query: text, paths: new Set() }
    targets.set(foldedOf(text), target)
    target.paths.add(path)
  }
  return [...targets]
    .filter(([folded, { paths }]) => {
      const [path = '', ...others] = paths
      return others.length === 0 && folded !== titles.get(path) && isQuery(folded)
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { query, paths }]) => ({ kind: 'anchor', query, paths: [...paths] }))
}

function isQuery(folded: string): boolean {
  const words = folded === '' ? 0 : folded.split(' ').length
  return words >= ANCHOR_WORDS.least && words <= ANCHOR_WORDS.most
}

const LINK =
  /(?<!!)\[((?:[^[\]\\]|\\.|\[[^\]]*\])+)\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s]*)*)>?(?:\s+["'][^)]*)?\)/g

/** The links of a page to other pages, by their paths from the folder. */
function linksOf({ path, body }: Page): { readonly text: string; readonly path: string }[] {
  return [...outsideFences(body).matchAll(LINK)].flatMap(([, text = '', address = '']) => {
    const target = targetOf(path, address)
    return target === undefined || target === path ? [] : [{ text: plain(text), path: target }]
  })
}

function targetOf(from: string, address: string): string | undefined {
  const [path = ''] = address.split(/[#?]/)
  if (!path.endsWith('.md') || /^([a-z][a-z0-9+.-]*:|\/)/i.test(path)) return undefined
  return posix.join(posix.dirname(from), path)
}

/** Removes the marks of Markdown, except underscores, which belong to names. */
function plain(text: string): string {
  return text
    .replace(/\\(.)/g, '$1')
    .replace(/`|\*\*?/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function foldedOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}

/** Number of queries of exact names, and the maximum number of pages with such a name. */
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

/** Names of each kind, alone and in a question. A page with the name as written is right. */
function namesIn(pages: readonly Page[], seed: number): QueryItem[] {
  const found = Object.entries(KINDS).flatMap(([kind, pattern]) =>
    sampleOf(rareNames(pages, pattern), NAMES.count, seed).map((name) => ({ kind, ...name })),
  )
  return found.flatMap(({ kind, name, paths }, at) => [
    { kind: `name: ${kind}, alone`, query: name, paths },
    { kind: `name: ${kind}, in a question`, query: QUESTIONS[at % QUESTIONS.length]?.(name) ?? name, paths },
  ])
}

/** Names on few pages, sorted, so that the draw does not depend on the order of files. */
function rareNames(pages: readonly Page[], pattern: RegExp): { readonly name: string; readonly paths: string[] }[] {
  const spellings = new Map<string, string>()
  for (const { body } of pages) for (const [name] of body.matchAll(pattern)) spellings.set(name.toLowerCase(), name)
  const holders = new Map<string, string[]>([...spellings.keys()].map((key) => [key, []]))
  for (const { path, title, body } of pages) {
    const plain = `${title}\n${path}\n${body}`.toLowerCase()
    // A token may have several names in it.
    for (const key of new Set(plain.match(/[^\s"'`(){}<>[\],;|]+/g) ?? [])) countHolders(key, path, holders)
  }
  return [...holders]
    .filter(([, { length }]) => length > 0 && length <= NAMES.pages)
    .map(([key, paths]) => ({ name: spellings.get(key) ?? key, paths }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Adds the page to each name in a token. A name may have no letter or digit beside it. */
function countHolders(token: string, path: string, holders: ReadonlyMap<string, string[]>): void {
  const cuts = [...token.matchAll(/(?<![\w])(?=[\w-])|(?<=\w)(?!\w)|(?=[:-])|$/g)].map(({ index }) => index)
  for (const from of cuts.slice(0, 24)) {
    for (const to of cuts.slice(0, 24)) {
      const pages = to > from ? holders.get(token.slice(from, to)) : undefined
      if (pages && pages.at(-1) !== path) pages.push(path)
    }
  }
}

/**
 * Words of the pages with one typing error, or sometimes two in words of eight letters or more. Every page with the word is
 * right.
 */
function slipsIn(pages: readonly Page[], seed: number): QueryItem[] {
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

/** Inserts, removes, replaces or swaps a letter, but not the first. */
function slip(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 1))
  const letter = LETTERS[Math.floor(random() * LETTERS.length)] ?? 'a'
  const [before, after] = [word.slice(0, at), word.slice(at)]
  const slips = [before + letter + after, before + after.slice(1), before + letter + after.slice(1)]
  const swapped = word.slice(0, at - 1) + (word[at] ?? '') + (word[at - 1] ?? '') + word.slice(at + 1)
  return [...slips, at > 1 ? swapped : before + letter + after][Math.floor(random() * 4)] ?? word
}
