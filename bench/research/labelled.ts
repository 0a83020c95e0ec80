import { readdirSync, readFileSync } from 'node:fs'
import type { ChildQuestion } from '../../src/research/routing/route.ts'
import type { DigestItem } from '../../src/research/run/evidence.ts'

/** Items to route to questions, and the right result. */
export interface LabelledGroup {
  readonly name: string
  readonly items: readonly DigestItem[]
  readonly children: readonly ChildQuestion[]
  /** The items that help each question, by question. */
  readonly helpful: ReadonlyMap<string, ReadonlySet<string>>
}

interface Line {
  readonly item: DigestItem
  readonly labels: string
}

const DIR = new URL('../../test/quality/routing/', import.meta.url)

/** Minimum number of helpful lines in a document for a question about that document alone. */
const MIN_HELPFUL = 2

/** The groups of the labelled set: of three documents, and of each document alone. */
export function labelledGroups(dir = DIR): { readonly mixed: LabelledGroup[]; readonly single: LabelledGroup[] } {
  const themes = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const read = themes
    .map(({ name }) => themeIn(new URL(`${name}/`, dir), name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    mixed: read.map(({ name, children, documents }) => groupOf(name, documents.flat(), children)),
    single: read.flatMap(({ name, children, documents }) =>
      documents.map((lines) => {
        const asked = children.filter(
          ({ id }) => lines.filter(({ labels }) => labels.includes(id)).length >= MIN_HELPFUL,
        )
        return groupOf(`${name}, ${lines[0]?.item.sources[0]?.replace(/::.*/, '')}`, lines, asked)
      }),
    ),
  }
}

function themeIn(dir: URL, name: string) {
  const parsed: { children: Record<string, string> } = JSON.parse(readFileSync(new URL('questions.json', dir), 'utf8'))
  const children = Object.entries(parsed.children).map(([id, question]) => ({ id, question }))
  const files = readdirSync(dir)
    .filter((file) => file.endsWith('.txt'))
    .sort()
  return { name, children, documents: files.map((file) => linesOf(file, readFileSync(new URL(file, dir), 'utf8'))) }
}

function groupOf(name: string, lines: readonly Line[], children: readonly ChildQuestion[]): LabelledGroup {
  const helping = ({ id }: ChildQuestion) => lines.flatMap(({ item, labels }) => (labels.includes(id) ? [item.id] : []))
  const helpful = new Map(children.map((child) => [child.id, new Set(helping(child))]))
  return { name, items: lines.map(({ item }) => item), children, helpful }
}

/** Parses lines: `[ab] A sentence.` is an item that helps `a` and `b`. A blank line or heading ends a paragraph. */
function linesOf(file: string, text: string): Line[] {
  let span = 0
  let ended = true
  return text.split('\n').flatMap((line, number): Line[] => {
    const [, labels, said] = /^\[([a-z]+|-)\] (.+)$/.exec(line) ?? []
    if (labels === undefined || said === undefined) {
      ended = true
      return []
    }
    if (ended) span++
    ended = false
    return [{ item: { id: `${file}:${number + 1}`, kind: 'fact', text: said, sources: [`${file}::S${span}`] }, labels }]
  })
}

type Router = (
  items: readonly DigestItem[],
  children: readonly ChildQuestion[],
) => ReadonlyMap<string, readonly string[]>

/** For each question, the share of its helpful items that it gets, and the share of its items that help it. */
export function questionScores(groups: readonly LabelledGroup[], router: Router) {
  return groups.flatMap(({ items, children, helpful }) => {
    const slices = router(items, children)
    return children.map(({ id }) => {
      const [got, wanted] = [slices.get(id) ?? [], helpful.get(id) ?? new Set()]
      const hits = got.filter((item) => wanted.has(item)).length
      return { recall: hits / Math.max(1, wanted.size), precision: hits / Math.max(1, got.length) }
    })
  })
}

/** Means over the questions of all groups; orphans are the items that no question got. */
export function routingScores(groups: readonly LabelledGroup[], router: Router) {
  const asked = questionScores(groups, router)
  const mean = (of: (one: (typeof asked)[number]) => number) =>
    asked.reduce((sum, one) => sum + of(one), 0) / Math.max(1, asked.length)
  const items = groups.reduce((sum, group) => sum + group.items.length, 0)
  const kept = groups.reduce((sum, one) => sum + new Set([...router(one.items, one.children).values()].flat()).size, 0)
  return {
    recall: mean(({ recall }) => recall),
    precision: mean(({ precision }) => precision),
    orphans: 1 - kept / items,
  }
}

const MOST_BY_OVERLAP = 12

/** The baseline of the router: for each question, the items with the most words in common. */
export const byOverlap: Router = (items, children) =>
  new Map(
    children.map(({ id, question }) => {
      const wanted = wordsOf(question)
      const scored = items.map((item) => ({
        item,
        score: [...wordsOf(item.text)].filter((one) => wanted.has(one)).length,
      }))
      const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
      return [id, best.slice(0, MOST_BY_OVERLAP).map(({ item }) => item.id)]
    }),
  )

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
}
