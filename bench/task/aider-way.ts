/** A baseline of the ranking: files by the references between them, as aider ranks the map of a repository. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeIndex } from '../../src/code/code-index.ts'
import { parseCode } from '../../src/code/definitions.ts'
import { matchRecords, TermTable } from '../../src/code/index/file-record.ts'
import { scanIdentifiers } from '../../src/code/index/identifiers.ts'
import { parseTask } from '../../src/code/task-query.ts'

const DAMPING = 0.85
const STEPS = 20
/** Aider's weights: of names in the task, long names of several words, private names, and names that many files define. */
const MENTIONED = 10
const COMPOUND = 10
const PRIVATE = 0.1
const COMMON = 0.1
const MOST_DEFINERS = 5
/** The start weight of a file that the task names. Others have 1. */
const NAMED_FILE = 100

interface FileNames {
  readonly stamp: string
  readonly defines: ReadonlySet<string>
  /** How often each name occurs in the file. */
  readonly refers: ReadonlyMap<string, number>
}

/** A name that passes rank from the files that use it to the files that define it. */
interface Link {
  readonly from: readonly (readonly [file: number, weight: number])[]
  readonly to: readonly number[]
}

/** Ranks the files of a tree at several commits. Unchanged files are not read again. */
export class ReferenceGraph {
  readonly #known = new Map<string, FileNames>()

  /** Returns paths, best first. Only the names of files and definitions in the task count. */
  rank(tree: string, paths: readonly string[], task: string): string[] {
    const files = paths.map((path) => this.#namesIn(tree, path))
    const mentioned = new Set<string>()
    scanIdentifiers(task, (word) => mentioned.add(word))
    const start = paths.map((path) => (isNamed(path, task, mentioned) ? NAMED_FILE : 1))
    const ranks = pageRank(linksOf(files, mentioned), start)
    const order = paths.map((path, at) => ({ path, rank: ranks[at] ?? 0 }))
    return order.sort((a, b) => b.rank - a.rank).map(({ path }) => path)
  }

  #namesIn(tree: string, path: string): FileNames {
    const { mtimeMs, ctimeMs, size } = statSync(join(tree, path))
    const stamp = `${mtimeMs} ${ctimeMs} ${size}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known
    const text = readFileSync(join(tree, path), 'utf8')
    const refers = new Map<string, number>()
    scanIdentifiers(text, (word) => refers.set(word, (refers.get(word) ?? 0) + 1))
    const names = { stamp, defines: new Set(parseCode(path, text).definitions.map(({ name }) => name)), refers }
    this.#known.set(path, names)
    return names
  }
}

function isNamed(path: string, task: string, mentioned: ReadonlySet<string>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return task.includes(name) || mentioned.has(name.replace(/\.\w+$/, ''))
}

function linksOf(files: readonly FileNames[], mentioned: ReadonlySet<string>): Link[] {
  const definers = new Map<string, number[]>()
  for (const [file, { defines }] of files.entries()) {
    for (const name of defines) definers.set(name, [...(definers.get(name) ?? []), file])
  }
  const referrers = new Map<string, [number, number][]>()
  for (const [file, { refers }] of files.entries()) {
    for (const [name, times] of refers) {
      const to = definers.get(name)
      if (!to) continue
      const from = referrers.get(name) ?? []
      from.push([file, weightOf(name, to.length, mentioned) * Math.sqrt(times)])
      referrers.set(name, from)
    }
  }
  return [...referrers].map(([name, from]) => ({ from, to: definers.get(name) ?? [] }))
}

function weightOf(name: string, definers: number, mentioned: ReadonlySet<string>): number {
  const isCompound = name.length >= 8 && /[a-z\d][A-Z]|[A-Za-z\d][_-][A-Za-z\d]/.test(name)
  return (
    (mentioned.has(name) ? MENTIONED : 1) *
    (isCompound ? COMPOUND : 1) *
    (name.startsWith('_') ? PRIVATE : 1) *
    (definers > MOST_DEFINERS ? COMMON : 1)
  )
}

/** Personalised PageRank. The rank that a file sends through a name is shared equally by the files that define it. */
function pageRank(links: readonly Link[], start: readonly number[]): Float64Array {
  const sum = start.reduce((all, each) => all + each, 0)
  const first = Float64Array.from(start, (each) => each / sum)
  const sent = new Float64Array(start.length)
  for (const { from, to } of links)
    for (const [file, weight] of from) sent[file] = (sent[file] ?? 0) + weight * to.length
  let ranks = first
  for (let step = 0; step < STEPS; step++) {
    const next = first.map((each) => each * (1 - DAMPING))
    let lost = 0
    for (const [file, rank] of ranks.entries()) if (sent[file] === 0) lost += rank
    for (const { from, to } of links) {
      let flow = 0
      for (const [file, weight] of from) flow += ((ranks[file] ?? 0) * weight) / (sent[file] ?? 1)
      for (const file of to) next[file] = (next[file] ?? 0) + DAMPING * flow
    }
    ranks = next.map((each, file) => each + DAMPING * lost * (first[file] ?? 0))
  }
  return ranks
}

/** Another baseline of the ranking: BM25 over whole files, with the same weight for every word of the task. */

const SATURATION = 1.2
const NORM = 0.75

/** Returns paths, best first. */
export function plainBm25({ files }: CodeIndex, task: string): string[] {
  const table = new TermTable(new Map([...parseTask(task).terms.keys()].map((term) => [term, 1])))
  const matches = matchRecords(files, table, new Set()).files
  const having = table.weights.map(() => 0)
  for (const found of matches) for (const { term } of found?.matches ?? []) having[term] = (having[term] ?? 0) + 1
  const all = matches.filter((found) => found !== undefined)
  const average = all.reduce((sum, { length }) => sum + length, 0) / all.length
  const scored = files.map(({ path }, index) => {
    const found = matches[index]
    let score = 0
    for (const { term, body } of found?.matches ?? []) {
      const n = having[term] ?? 0
      const norm = SATURATION * (1 - NORM + (NORM * (found?.length ?? 0)) / average)
      score += (Math.log(1 + (files.length - n + 0.5) / (n + 0.5)) * body * (SATURATION + 1)) / (body + norm)
    }
    return { path, score }
  })
  return scored.sort((a, b) => b.score - a.score).map(({ path }) => path)
}
