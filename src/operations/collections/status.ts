import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { CollectionStatus, Engine, StatusAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { counted, sized } from '../../text/counts.ts'
import { array, count, flag, object, text } from '../schema.ts'
import { described, item } from './described.ts'

const statusInput = {} as const

/** What there is. */
export const status: Operation<Engine, InputOf<typeof statusInput>, StatusAnswer> = {
  name: 'status',
  summary: 'Show the database, and the state of each collection',
  effect: 'read',
  examples: [{ command: 'ambit status', does: 'where the database is, and what is in it' }],
  input: defineInputs(statusInput),
  output: () =>
    object({
      database: text,
      bytes: count,
      documents: count,
      segments: count,
      'embedding?': object({ model: text, documents: count, missing: count, chunks: count }),
      collections: array({
        ...item(),
        properties: { ...item().properties, skipped: count, isIndexing: flag, problem: text },
      }),
    }),
  run: async (engine) => (await engine.library()).collections.status(),
  text: ({ database, bytes, documents, collections, embedding }) => {
    const head = `${oneLine(database)}  ${sized(bytes)}  ${counted(documents, 'document')}`
    const vectors = embedding ? [embedded(embedding)] : []
    return `${[head, ...vectors, ...collections.map(row)].join('\n')}\n`
  },
}

function row({ skipped, problem, ...one }: CollectionStatus): string {
  const left = skipped > 0 ? `, ${counted(skipped, 'file')} left out` : ''
  return `${described(one)}${left}${problem === undefined ? '' : `\n  ${oneLine(problem)}`}`
}

function embedded({ model, documents, missing }: NonNullable<StatusAnswer['embedding']>): string {
  const rest = missing > 0 ? `, ${missing} missing: run "ambit embed"` : ''
  return `embedded by ${oneLine(model)}: ${counted(documents, 'document')}${rest}`
}
