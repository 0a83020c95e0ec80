/** What the ranking is measured against: BM25 over whole files, every word of the task the same, and nothing else. */

import type { CodeIndex } from '../../src/code/code-index.ts'
import { matchRecords, TermTable } from '../../src/code/index/file-record.ts'
import { parseTask } from '../../src/code/task-query.ts'

const SATURATION = 1.2
const NORM = 0.75

/** Paths, the best first. */
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
