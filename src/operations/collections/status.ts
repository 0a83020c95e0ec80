import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { CollectionStatus, Engine, StatusAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { array, count, flag, object, text } from '../schema.ts'
import { collectionLine, collectionSchema } from './described.ts'

const statusInput = {} as const

/** What there is. */
export const status: Operation<Engine, InputOf<typeof statusInput>, StatusAnswer> = {
  name: 'status',
  summary: 'Show the database and the state of each collection',
  effect: 'read',
  examples: [{ command: 'ambit status', does: 'show where the database is, and what is in it' }],
  tool: { name: 'status', set: 'search', about: 'The collections and the state of their index', inputs: {} },
  input: defineInputs(statusInput),
  output: () =>
    object({
      database: text,
      bytes: count,
      documents: count,
      segments: count,
      'embedding?': object({ model: text, documents: count, missing: count, chunks: count }),
      collections: array({
        ...collectionSchema(),
        properties: { ...collectionSchema().properties, skipped: count, isIndexing: flag, problem: text },
      }),
    }),
  run: async (engine) => (await engine.library()).collections.status(),
  text: ({ database, bytes, documents, collections, embedding }) => {
    const head = `${oneLine(database)}  ${formatBytes(bytes)}  ${countNoun(documents, 'document')}`
    const vectors = embedding ? [embeddingLine(embedding)] : []
    return `${[head, ...vectors, ...collections.map(statusRow)].join('\n')}\n`
  },
}

function statusRow({ skipped, problem, ...one }: CollectionStatus): string {
  const left = skipped > 0 ? `, ${countNoun(skipped, 'file')} left out` : ''
  return `${collectionLine(one)}${left}${problem === undefined ? '' : `\n  ${oneLine(problem)}`}`
}

function embeddingLine({ model, documents, missing }: NonNullable<StatusAnswer['embedding']>): string {
  const rest = missing > 0 ? `, ${missing} missing: run "ambit embed"` : ''
  return `embedded by ${oneLine(model)}: ${countNoun(documents, 'document')}${rest}`
}
