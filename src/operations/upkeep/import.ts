import { importStoreAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'

/** All that a file holds, into a database. */
export const importOperation = defineOperation({
  name: 'import',
  summary: 'Import a file of "ambit export", completely or not at all, into an empty database',
  effect: 'write',
  scope: 'admin',
  positional: ['file'],
  examples: [
    { command: 'ambit import ambit.jsonl.gz', does: 'import into an empty database' },
    { command: 'ambit import ambit.jsonl.gz --replace', does: 'replace the content of the database' },
  ],
  inputs: {
    file: { is: 'file', required: true, description: 'a file of "ambit export"' },
    replace: {
      is: 'flag',
      default: false,
      description: 'replace the content of the database, which is lost',
    },
  },
  output: importStoreAnswer,
  asks: () => false,
  isAlone: true,
  run: (engine, { file, replace }, { signal }) => engine.importFrom({ path: file, replace }, signal),
  text: ({ file, database, rows }) => `${oneLine(database)}: ${countNoun(rows, 'row')} from ${oneLine(file)}\n`,
})
