import { readdirSync, readFileSync } from 'node:fs'
import type { Child } from '../../src/research/routing/route.ts'
import type { DigestItem } from '../../src/research/run/evidence.ts'

/** What is divided among questions, and what ought to come of it. */
export interface LabelledGroup {
  readonly name: string
  readonly items: readonly DigestItem[]
  readonly children: readonly Child[]
  /** By question the items that help it. */
  readonly helpful: ReadonlyMap<string, ReadonlySet<string>>
}

interface Line {
  readonly item: DigestItem
  readonly labels: string
}

const DIR = new URL('../../test/quality/routing/', import.meta.url)

/** Fewest helpful lines of a document with which a question is asked of it alone. */
const FEWEST = 2

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
        const asked = children.filter(({ id }) => lines.filter(({ labels }) => labels.includes(id)).length >= FEWEST)
        return groupOf(`${name}, ${lines[0]?.item.sources[0]?.replace(/::.*/, '')}`, lines, asked)
      }),
    ),
  }
}

function themeIn(dir: URL, name: string) {
  const told: { children: Record<string, string> } = JSON.parse(readFileSync(new URL('questions.json', dir), 'utf8'))
  const children = Object.entries(told.children).map(([id, question]) => ({ id, question }))
  const files = readdirSync(dir)
    .filter((file) => file.endsWith('.txt'))
    .sort()
  return { name, children, documents: files.map((file) => linesOf(file, readFileSync(new URL(file, dir), 'utf8'))) }
}

function groupOf(name: string, lines: readonly Line[], children: readonly Child[]): LabelledGroup {
  const helping = ({ id }: Child) => lines.flatMap(({ item, labels }) => (labels.includes(id) ? [item.id] : []))
  const helpful = new Map(children.map((child) => [child.id, new Set(helping(child))]))
  return { name, items: lines.map(({ item }) => item), children, helpful }
}

/** `[ab] A sentence.`: an item that helps `a` and `b`. Blank lines and headings end a span. */
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
