import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { digestSpans } from '../../src/research/extractive/stages.ts'
import { termsIn } from '../../src/research/routing/route.ts'
import type { RoutingIndex } from '../../src/research/run/evidence.ts'
import { routingIndexOf } from '../../src/research/run/slices.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import type { LabelledGroup } from './labelled.ts'

/** A group of one set of documents, and what its items stand under. */
export interface LinkedGroup extends LabelledGroup {
  headingsOf(ref: string): readonly string[]
  readonly index: RoutingIndex
}

interface Document {
  readonly path: string
  readonly text: string
  readonly spans: ReturnType<typeof spansOf>
}

interface Link {
  readonly question: string
  readonly target: string
  /** The headings of the section that is linked to. */
  readonly gold: readonly string[]
}

/** Questions of a set, and those that are asked together: as many as a question is divided into. */
const MOST = { ofSet: 36, together: 6 } as const

/** Fewest spans and items of a section that is asked for, and fewest telling words of what asks. */
const FEWEST = { spans: 2, items: 2, words: 2 } as const

/** Words of links that say what kind of place is linked to, and nothing of what stands there. */
const PLACE =
  /\b(?:the|this|see|next|previous|above|below|section|guide|docs?|documentation|document|page|reference|chapter|part|here|read|more|details?|example|note|method|class|option)s?\b|[\w./-]+\.mdx?\b/gi

const LINK = /(?<!!)\[([^\][\n]{6,100})\]\(([^()\s#]*)#([^()\s]+)\)/g

/** A question with the text that answers it: the spans of a section. */
export interface LinkedQuestion {
  readonly question: string
  /** Of the document that the section is of. */
  readonly text: string
  readonly gold: readonly string[]
}

interface LinkedSet {
  readonly byPath: ReadonlyMap<string, Document>
  /** Those that are asked together. */
  readonly groups: readonly (readonly Link[])[]
}

const linkedSets = new Map<string, LinkedSet>()

/**
 * Questions that somebody wrote before there was a router: texts of links to sections of the same documents, which say in words
 * of their own what stands there. Not those whose words are all in the heading. What helps is what stands in the section.
 */
export function linkedGroups(folder: string): LinkedGroup[] {
  const { byPath, groups } = readLinkedSet(folder)
  return groups.flatMap((some, at) => groupOf(`${basename(folder)} ${at + 1}`, some, byPath))
}

/** The same questions with the texts of the sections that they link to. */
export function linkedQuestions(folder: string): LinkedQuestion[][] {
  const { byPath, groups } = readLinkedSet(folder)
  return groups.map((some) =>
    some.flatMap(({ question, target, gold }) => {
      const document = byPath.get(target)
      return document
        ? [{ question, text: document.text, gold: spansUnder(document, gold).map(({ text }) => text) }]
        : []
    }),
  )
}

function readLinkedSet(folder: string): LinkedSet {
  const known = linkedSets.get(folder)
  if (known) return known
  const documents = globSync('**/*.{md,mdx}', { cwd: folder })
    .filter((path) => !/(?:^|\/)(?:node_modules|CHANGELOG|changelog|HISTORY)/.test(path))
    .sort()
    .map((path): Document => {
      const text = readFileSync(join(folder, path), 'utf8')
      return { path, text, spans: spansOf({ text, syntax: 'markdown' }) }
    })
  const byPath = new Map(documents.map((one) => [one.path, one]))
  const links = uniqueLinks(documents.flatMap((from) => linksIn(from, documents))).filter(
    ({ gold, target }) => spansUnder(byPath.get(target), gold).length >= FEWEST.spans,
  )
  const step = Math.max(1, links.length / MOST.ofSet)
  const chosen = Array.from({ length: Math.min(links.length, MOST.ofSet) }, (_, at) => links[Math.floor(at * step)])
  const set = { byPath, groups: inGroups(chosen.flatMap((link) => link ?? [])) }
  linkedSets.set(folder, set)
  return set
}

function linksIn({ path, text }: Document, documents: readonly Document[]): Link[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
  return [...prose.matchAll(LINK)].flatMap(([, said = '', to = '', anchor = '']): Link[] => {
    const question = said.replace(/[*_`]/g, '').trim()
    const target = to === '' ? path : targetOf(to, path, documents)
    const document = documents.find((one) => one.path === target)
    const gold = document?.spans.find(
      ({ headings }) => slugOf(headings.at(-1) ?? '') === anchor.toLowerCase(),
    )?.headings
    const telling = termsIn(question.replace(PLACE, ' '))
    const told = new Set(termsIn(gold?.at(-1) ?? ''))
    const isTelling = telling.length >= FEWEST.words && !telling.every((term) => told.has(term))
    return target !== undefined && gold && isTelling ? [{ question, target, gold }] : []
  })
}

function targetOf(to: string, from: string, documents: readonly Document[]): string | undefined {
  if (/^\w+:/.test(to)) return undefined
  const near = normalize(to.startsWith('/') ? to.slice(1) : join(dirname(from), to)).replace(/\/$/, '')
  const names = [
    near,
    `${near}.md`,
    `${near}.mdx`,
    `${near}/index.md`,
    `${near}/_index.md`,
    near.replace(/\.html$/, '.md'),
  ]
  const exact = documents.find(({ path }) => names.includes(path))
  return (exact ?? documents.find(({ path }) => names.some((name) => path.endsWith(`/${name}`))))?.path
}

/** As the makers of these sites name anchors. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}

/** One of each section, in the order of the sections. */
function uniqueLinks(links: readonly Link[]): Link[] {
  const byGold = new Map<string, Link>()
  for (const link of links) {
    const key = [link.target, ...link.gold].join('\0')
    const known = byGold.get(key)
    if (!known || link.question < known.question) byGold.set(key, link)
  }
  return [...byGold].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link)
}

function inGroups(links: readonly Link[]): Link[][] {
  const count = Math.ceil(links.length / MOST.together)
  // Each with links from all over the set, as the questions of one person would be.
  return Array.from({ length: count }, (_, at) => links.filter((_, other) => other % count === at))
}

function spansUnder(document: Document | undefined, gold: readonly string[]) {
  return (document?.spans ?? []).filter(({ headings }) => gold.every((heading, at) => headings[at] === heading))
}

/** What a node of such questions would have: the sections that are asked for, and behind each the next one that is not. */
function spansNear(spans: Document['spans'], golds: readonly (readonly string[])[]): Document['spans'] {
  const isAsked = (headings: readonly string[]) =>
    golds.some((gold) => gold.every((heading, at) => headings[at] === heading))
  const sections = [...new Set(spans.map(({ headings }) => headings.join('\0')))]
  const asked = new Set(sections.filter((one) => isAsked(one.split('\0'))))
  const near = sections.filter((one, at) => asked.has(one) || asked.has(sections[at - 1] ?? ''))
  return spans.filter(({ headings }) => near.includes(headings.join('\0')))
}

function groupOf(name: string, links: readonly Link[], byPath: ReadonlyMap<string, Document>): LinkedGroup[] {
  const documents = [...new Set(links.map(({ target }) => target))].flatMap((path) => byPath.get(path) ?? [])
  const headings = new Map(
    documents.flatMap(({ path, spans }) => spans.map((one) => [`${path}::${one.id}`, one.headings])),
  )
  const items = documents.flatMap(({ path, spans }) => {
    const golds = links.flatMap(({ target, gold }) => (target === path ? [gold] : []))
    return digestSpans(spansNear(spans, golds)).map(({ text, sources }, at) => ({
      id: `${path}:${at}`,
      kind: 'fact' as const,
      text,
      sources: sources.map((id) => `${path}::${id}`),
    }))
  })
  const asked = links.flatMap(({ question, target, gold }, at) => {
    const refs = new Set(spansUnder(byPath.get(target), gold).map(({ id }) => `${target}::${id}`))
    const helpful = new Set(items.filter(({ sources }) => sources.some((ref) => refs.has(ref))).map(({ id }) => id))
    return helpful.size >= FEWEST.items ? [{ id: `1.${at + 1}`, question, helpful }] : []
  })
  if (asked.length < 2) return []
  return [
    {
      name,
      items,
      children: asked.map(({ id, question }) => ({ id, question })),
      helpful: new Map(asked.map(({ id, helpful }) => [id, helpful])),
      headingsOf: (ref) => headings.get(ref) ?? [],
      index: routingIndexOf(items, (ref) => headings.get(ref) ?? []),
    },
  ]
}
