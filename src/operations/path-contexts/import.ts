import { type ImportAnswer, importAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

const OUTCOMES = ['added', 'updated', 'unchanged', 'skipped'] as const

/** Takes over the collections and contexts of a file. */
export const importContexts = defineOperation({
  name: 'contexts.import',
  command: 'context import',
  summary: "Import collections and path contexts from a YAML file, such as qmd's",
  effect: 'write',
  scope: 'admin',
  positional: ['file'],
  examples: [
    {
      command: 'ambit context import ~/.config/qmd/index.yml',
      does: 'keep existing collections; replace the path contexts that the file sets',
    },
  ],
  inputs: {
    file: {
      is: 'file',
      required: true,
      description: "a YAML file of collections and path contexts, such as qmd's",
    },
  },
  output: importAnswer,
  asks: () => false,
  run: async (engine, { file }, { signal }) => (await engine.contexts()).importFile(file, signal),
  text: (answer) => {
    const lines = OUTCOMES.flatMap((outcome) => answer[outcome].map((item) => importLine(outcome, item)))
    return lines.join('') || 'There is nothing in it.\n'
  },
})

function importLine(outcome: (typeof OUTCOMES)[number], { kind, name, why }: ImportAnswer['added'][number]): string {
  return `${outcome}\t${kind}\t${oneLine(name)}${why === undefined ? '' : `\t${oneLine(why)}`}\n`
}
