import type { Operation } from '../../core/operation.ts'
import type { Engine, StatusAnswer } from '../../engine.ts'
import { array, count, type Inputs, inputsOf, object, text } from '../../schema.ts'
import { oneLine } from '../../text/controls.ts'
import { counted, sized } from '../../text/counted.ts'
import { described, item } from './described.ts'

const statusInput = {} as const

/** What there is. */
export const status: Operation<Engine, Inputs<typeof statusInput>, StatusAnswer> = {
  name: 'status',
  summary: 'Show the database, and the state of each collection',
  effect: 'read',
  examples: [{ command: 'ambit status', does: 'where the database is, and what is in it' }],
  input: inputsOf(statusInput),
  output: () =>
    object({
      database: text,
      bytes: count,
      documents: count,
      segments: count,
      'embedding?': object({ model: text, documents: count, missing: count, chunks: count }),
      collections: array({ ...item(), properties: { ...item().properties, skipped: count, problem: text } }),
    }),
  run: async (engine) => (await engine.library()).collections.status(),
  text: ({ database, bytes, documents, collections, embedding }) => {
    const head = `${oneLine(database)}  ${sized(bytes)}  ${counted(documents, 'document')}`
    const rows = collections.map(
      ({ skipped, problem, ...one }) =>
        `${described(one)}${skipped > 0 ? `, ${counted(skipped, 'file')} left out` : ''}${problem === undefined ? '' : `\n  ${oneLine(problem)}`}`,
    )
    const vectors = embedding ? [embedded(embedding)] : []
    return `${[head, ...vectors, ...rows].join('\n')}\n`
  },
}

function embedded({ model, documents, missing }: NonNullable<StatusAnswer['embedding']>): string {
  const rest = missing > 0 ? `, ${missing} missing: run "ambit embed"` : ''
  return `embedded by ${oneLine(model)}: ${counted(documents, 'document')}${rest}`
}
