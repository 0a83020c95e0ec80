import { basename, posix } from 'node:path'
import { outsideFences, type Page, pagesOf } from '../pages.ts'
import { sampleOf } from '../random.ts'
import { type Doc, type JudgedSet, judgementsOf } from './collection.ts'
import { namesIn, slipsIn } from './names.ts'

/** The fewest words of a pasted line, as spaces set them apart, and its most characters. */
const PASTED_LINE = { words: 8, characters: 400 }

/** Words of a link's text that make a query; `CFile::Open` has two. */
const ANCHOR_WORDS = { least: 2, most: 9 }

/** The fewest words of a description, as spaces set them apart. */
const DESCRIPTION_WORDS = 8

/** What is asked, and the pages that answer it. */
export interface Item {
  readonly kind: string
  readonly query: string
  readonly paths: readonly string[]
}

/** The seed of the draw; another one gives another set of the same kind. */
const SEED = 20_260_801

/**
 * All that a folder of documentation can be asked for by itself: each query is what somebody wrote about one page, or a name that
 * stands there. It needs no judge and can be made again. Front matter is not part of the text that is searched.
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

/** A description that only leads to the title says nothing of its own; so the lead goes, and what is then the title. */
function descriptionsIn(pages: readonly Page[]): Item[] {
  return pages.flatMap(({ path, title, description = '' }) => {
    const query = description.replace(/^learn (more )?about:?\s+/i, '')
    const tells = query.split(/\s+/).length >= DESCRIPTION_WORDS && foldedOf(query) !== foldedOf(title)
    return tells ? [{ kind: 'desc', query, paths: [path] }] : []
  })
}

/** Of each page one line of prose that stands in no other, as somebody pastes it. */
function pastedLinesIn(all: readonly Page[]): Item[] {
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
    const fit = lines.filter(isPasted)
    const query = fit[Math.floor(fit.length / 2)]
    return query === undefined ? [] : [{ kind: 'pasted', query, paths: [path] }]
  })
}

/** Texts of links that lead to exactly one page, and do not just repeat its title. Sorted, so that the draw does not depend on the order of files. */
function anchorsIn(pages: readonly Page[]): Item[] {
  const titles = new Map(pages.map(({ path, title }) => [path, foldedOf(title)]))
  const targets = new Map<string, { readonly query: string; readonly paths: Set<string> }>()
  for (const { text, path } of pages.flatMap(linksOf)) {
    if (!titles.has(path)) continue
    const of = targets.get(foldedOf(text)) ?? { query: text, paths: new Set() }
    targets.set(foldedOf(text), of)
    of.paths.add(path)
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

/** Without Markdown's marks; underscores stay, they belong to names. */
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
