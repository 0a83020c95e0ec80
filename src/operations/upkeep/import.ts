import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, TransferAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { count, object, text } from '../schema.ts'

const input = {
  file: { is: 'file', required: true, description: 'a file of "ambit export"' },
  replace: {
    is: 'flag',
    default: false,
    description: 'replace the content of the database, which is lost',
  },
} as const

/** All that a file holds, into a database. */
export const importOperation: Operation<Engine, InputOf<typeof input>, TransferAnswer> = {
  name: 'import',
  summary: 'Import a file of "ambit export", completely or not at all, into an empty database',
  effect: 'write',
  scope: 'admin',
  positional: ['file'],
  examples: [
    { command: 'ambit import ambit.jsonl.gz', does: 'import into an empty database' },
    { command: 'ambit import ambit.jsonl.gz --replace', does: 'replace the content of the database' },
  ],
  input: defineInputs(input),
  output: () =>
    object({ file: text, database: text, rows: count, tables: { type: 'object', additionalProperties: count } }),
  asks: () => false,
  isAlone: true,
  run: (engine, { file, replace }, { signal }) => engine.importFrom({ path: file, replace }, signal),
  text: ({ file, database, rows }) => `${oneLine(database)}: ${countNoun(rows, 'row')} from ${oneLine(file)}\n`,
}
