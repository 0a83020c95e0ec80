import { type CollectionStatus, type StatusAnswer, statusAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { collectionLine } from './described.ts'

/** The database and the collections. */
export const status = defineOperation({
  name: 'status',
  summary: 'Show the database and the state of each collection',
  effect: 'read',
  examples: [{ command: 'ambit status', does: 'show where the database is, and what is in it' }],
  tool: { name: 'status', set: 'search', about: 'The collections and the state of their index', inputs: {} },
  inputs: {},
  output: statusAnswer,
  run: async (engine) => (await engine.library()).collections.status(),
  text: ({ database, bytes, documents, collections, embedding }) => {
    const head = `${oneLine(database)}  ${formatBytes(bytes)}  ${countNoun(documents, 'document')}`
    const vectors = embedding ? [embeddingLine(embedding)] : []
    return `${[head, ...vectors, ...collections.map(statusRow)].join('\n')}\n`
  },
})

function statusRow({ skipped, problem, ...one }: CollectionStatus): string {
  const left = skipped > 0 ? `, ${countNoun(skipped, 'file')} left out` : ''
  return `${collectionLine(one)}${left}${problem === undefined ? '' : `\n  ${oneLine(problem)}`}`
}

function embeddingLine({ model, documents, missing }: NonNullable<StatusAnswer['embedding']>): string {
  const rest = missing > 0 ? `, ${missing} missing: run "ambit embed"` : ''
  return `embedded by ${oneLine(model)}: ${countNoun(documents, 'document')}${rest}`
}
