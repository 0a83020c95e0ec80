import { array, count, number, object, oneOf, text, withDescription } from '../../core/answer.ts'
import type { BenchMiss, BenchScores } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

const share = withDescription(number, '0 to 1')

/** How good search is for somebody's own queries. */
export const bench = defineOperation({
  name: 'bench',
  summary: 'Measure search quality with your own queries and relevant documents',
  effect: 'read',
  positional: ['file'],
  examples: [
    { command: 'ambit bench judged.jsonl', does: 'show nDCG@10, MRR and recall@10 of each mode, and what was missed' },
  ],
  inputs: {
    file: {
      is: 'file',
      required: true,
      description: 'a JSONL or YAML file: each query with its relevant paths, optionally with grades',
    },
    collections: {
      is: 'text',
      list: true,
      flag: 'collection',
      short: 'c',
      placeholder: 'NAME',
      names: 'collections',
      description: 'collections to search when a query names none; default all that are not paused',
    },
  },
  output: () =>
    object({
      queries: count,
      modes: array(
        object({
          mode: oneOf('lexical', 'vector', 'hybrid', 'rerank'),
          ndcg10: share,
          mrr10: share,
          recall10: share,
          degraded: count,
          misses: array(object({ line: count, query: text, found: count, relevant: count, missing: array(text) })),
        }),
      ),
      unknown: array(object({ line: count, path: text, detail: text })),
    }),
  hasProgress: true,
  run: async (engine, { file, collections }, run) => (await engine.library()).bench(file, collections, run),
  text: ({ queries, modes }) => {
    const title = `${queries} ${queries === 1 ? 'query' : 'queries'}`.padEnd('lexical'.length)
    const width = title.length
    return (
      `${title}  nDCG@10    MRR  recall@10\n` +
      modes.map((scores) => scoreLine(scores, width)).join('') +
      modes.map(missLines).join('')
    )
  },
  notices: ({ queries, modes, unknown }) => [
    ...unknown.map(({ line, path, detail }) => `Line ${line}: ${path} counts as not found. ${detail}`),
    ...modes.flatMap(({ mode, degraded }) =>
      degraded === 0 ? [] : [`${mode}: ${degraded} of ${queries} were searched by words alone: see "ambit doctor".`],
    ),
  ],
})

function scoreLine({ mode, ndcg10, mrr10, recall10 }: BenchScores, width: number): string {
  const score = (value: number, columns: number) => value.toFixed(3).padStart(columns)
  return `${mode.padEnd(width)}${score(ndcg10, 9)}${score(mrr10, 7)}${score(recall10, 11)}\n`
}

function missLines({ mode, misses }: BenchScores): string {
  if (misses.length === 0) return ''
  const head = `\n${mode}: not among the first 10\n`
  return head + misses.map(missBlock).join('')
}

function missBlock({ line, query, found, relevant, missing }: BenchMiss): string {
  const which = relevant === 1 ? '' : `  ${found} of ${relevant} found`
  return `  line ${line}: ${oneLine(query)}${which}\n${missing.map((path) => `    ${oneLine(path)}\n`).join('')}`
}
