import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, TransferAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { count, object, text } from '../schema.ts'

const input = {
  file: {
    is: 'file',
    required: true,
    description: 'a new file; compressed if its name ends in .gz',
  },
} as const

/** All that is kept, as a file. */
export const exportOperation: Operation<Engine, InputOf<typeof input>, TransferAnswer> = {
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
  input: defineInputs(input),
  output: () =>
    object({
      file: text,
      database: text,
      rows: count,
      tables: { type: 'object', additionalProperties: count },
      'lost?': count,
    }),
  asks: () => false,
  isAlone: true,
  run: (engine, { file }, { signal }) => engine.exportTo(file, signal),
  text: ({ file, database, rows, lost = 0 }) =>
    `${oneLine(database)}: ${countNoun(rows, 'row')} in ${oneLine(file)}${lost > 0 ? withoutBytes(lost) : ''}\n`,
}

function withoutBytes(lost: number): string {
  return `, without the bytes of ${countNoun(lost, 'upload')}, which were not found: see "ambit doctor"`
}
