import { posix } from 'node:path'
import { outsideFences, type Page, pagesOf } from '../pages.ts'
import { sampleOf } from '../random.ts'
import { type Doc, type JudgedSet, judgementsOf, type Query, type SetKind } from './collection.ts'

/**
 * Sets made from any folder of documentation: each query is what somebody wrote about one page, and that page is the
 * answer. They need no judge and can be made again. Front matter is not part of the text that is searched.
 */

/** The seed of the draw; another one gives another set of the same kind. */
const SEED = 20_260_801

const ANCHORS = 500
const DESCRIPTIONS = 300
const PASTED = 500

/** The fewest words of a pasted line, as spaces set them apart, and its most characters. */
const PASTED_LINE = { words: 8, characters: 400 }

/** Words of a link's text that make a query; `CFile::Open` has two. */
const ANCHOR_WORDS = { least: 2, most: 9 }

/** The fewest words of a description, as spaces set them apart. */
const DESCRIPTION_WORDS = 8

interface Item {
  readonly query: string
  readonly path: string
}

/** Texts of links that lead to exactly one page, and do not just repeat its title. */
export function anchorSet(dir: string, { count = ANCHORS, seed = SEED } = {}): JudgedSet {
  return knownItems('anchor', dir, sampleOf(anchorsOf(dir), count, seed))
}

/** Descriptions from front matter. */
export function descriptionSet(dir: string, { count = DESCRIPTIONS, seed = SEED } = {}): JudgedSet {
  return knownItems('desc', dir, sampleOf(descriptionsOf(dir), count, seed))
}

/** Lines of prose that stand in one page only, as somebody pastes them. */
export function pastedSet(dir: string, { count = PASTED, seed = SEED } = {}): JudgedSet {
  return knownItems('pasted', dir, sampleOf(uniqueLinesOf(dir), count, seed))
}

function knownItems(kind: Exclude<SetKind, 'judged'>, dir: string, items: readonly Item[]): JudgedSet {
  const queries = items.map(({ query }, index): Query => ({ id: `${index + 1}`, text: query }))
  const judgements = judgementsOf(items.map(({ path }, index) => [`${index + 1}`, path, 1]))
  return { name: kind, kind, documents: () => documentsOf(dir), queries, judgements }
}

/** The pages of a folder as documents; the id is the path. */
export async function* documentsOf(dir: string): AsyncIterable<Doc> {
  for (const { path, title, body } of pagesOf(dir)) yield { id: path, path, title, text: body }
}

/** A description that only leads to the title says nothing of its own; so the lead goes, and what is then the title. */
export function descriptionsOf(dir: string): Item[] {
  return [...pagesOf(dir)].flatMap(({ path, title, description = '' }) => {
    const query = description.replace(/^learn (more )?about:?\s+/i, '')
    const tells = query.split(/\s+/).length >= DESCRIPTION_WORDS && foldedOf(query) !== foldedOf(title)
    return tells ? [{ query, path }] : []
  })
}

/** One line of each page, sorted by path. */
export function uniqueLinesOf(dir: string): Item[] {
  const pages = [...pagesOf(dir)].map(({ path, body }) => ({
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
  return pages
    .flatMap(({ path, lines }) => {
      const fit = lines.filter(isPasted)
      const query = fit[Math.floor(fit.length / 2)]
      return query === undefined ? [] : [{ query, path }]
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Sorted by query, so that the draw does not depend on the order of files. */
export function anchorsOf(dir: string): Item[] {
  const titles = new Map<string, string>()
  const targets = new Map<string, { readonly query: string; readonly paths: Set<string> }>()
  const links: { readonly text: string; readonly path: string }[] = []
  for (const page of pagesOf(dir)) {
    titles.set(page.path, foldedOf(page.title))
    links.push(...linksOf(page))
  }
  for (const { text, path } of links) {
    if (!titles.has(path)) continue
    const of = targets.get(foldedOf(text)) ?? { query: text, paths: new Set() }
    targets.set(foldedOf(text), of)
    of.paths.add(path)
  }
  return [...targets]
    .flatMap(([folded, { query, paths }]) =>
      [...paths].map((path) => ({ folded, query, path, only: paths.size === 1 })),
    )
    .filter(({ folded, path, only }) => only && folded !== titles.get(path) && isQuery(folded))
    .sort((a, b) => (a.folded < b.folded ? -1 : 1))
    .map(({ query, path }) => ({ query, path }))
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

/** Without Markdown's marks; underscores stay, they belong to names. */
function plain(text: string): string {
  return text
    .replace(/\\(.)/g, '$1')
    .replace(/`|\*\*?/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function foldedOf(text: string): string {
  return wordsOf(text).join(' ')
}
