import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { oneLine } from '../../text/controls.ts'
import { array, object, oneOf, text } from '../schema.ts'
import type { ContextsEngine, PathContextAnswers } from './engine.ts'

const input = {
  file: {
    is: 'file',
    required: true,
    description: "a YAML file of collections and path contexts, such as qmd's",
  },
} as const

type Imported = PathContextAnswers['importFile']

const OUTCOMES = ['added', 'updated', 'unchanged', 'skipped'] as const

/** Takes over the collections and contexts of a file. */
export const importContexts: Operation<ContextsEngine, InputOf<typeof input>, Imported> = {
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
  input: defineInputs(input),
  output: () => {
    const items = array(object({ kind: oneOf('collection', 'context', 'setting'), name: text, 'why?': text }))
    return object(Object.fromEntries(OUTCOMES.map((name) => [name, items])))
  },
  asks: () => false,
  run: async (engine, { file }, { signal }) => (await engine.contexts()).importFile(file, signal),
  text: (answer) => {
    const lines = OUTCOMES.flatMap((outcome) => answer[outcome].map((item) => importLine(outcome, item)))
    return lines.join('') || 'There is nothing in it.\n'
  },
}

function importLine(outcome: (typeof OUTCOMES)[number], { kind, name, why }: Imported['added'][number]): string {
  return `${outcome}\t${kind}\t${oneLine(name)}${why === undefined ? '' : `\t${oneLine(why)}`}\n`
}
