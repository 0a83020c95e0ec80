import { exportStoreAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'

/** All that is kept, as a file. */
export const exportOperation = defineOperation({
  name: 'export',
  summary: 'Export the whole database to a file for "ambit import"',
  effect: 'write',
  scope: 'admin',
  positional: ['file'],
  examples: [
    {
      command: 'ambit export ambit.jsonl.gz',
      does: 'back up collections, index, vectors, conversations and research',
    },
    {
      command: 'ambit --db ambit.db export all.jsonl && AMBIT_DATABASE_URL=postgres://… ambit import all.jsonl',
      does: 'move from SQLite to PostgreSQL',
    },
  ],
  inputs: {
    file: {
      is: 'file',
      required: true,
      description: 'a new file; compressed if its name ends in .gz',
    },
  },
  output: exportStoreAnswer,
  asks: () => false,
  isAlone: true,
  run: (engine, { file }, { signal }) => engine.exportTo(file, signal),
  text: ({ file, database, rows, lost = 0 }) =>
    `${oneLine(database)}: ${countNoun(rows, 'row')} in ${oneLine(file)}${lost > 0 ? withoutBytes(lost) : ''}\n`,
})

function withoutBytes(lost: number): string {
  return `, without the bytes of ${countNoun(lost, 'upload')}, which were not found: see "ambit doctor"`
}
