import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Collection, Engine } from '../../engine/engine.ts'
import { collectionSchema } from './described.ts'

const input = {
  name: { is: 'text', required: true, description: 'the name of a collection' },
  state: {
    is: 'choice',
    of: ['on', 'off'],
    default: 'on',
    description: 'whether any piece of its texts is indexed',
  },
} as const

/** Indexes any piece of a collection's texts from now on, or only their words. */
export const substrings: Operation<Engine, InputOf<typeof input>, Collection> = {
  name: 'collections.substrings',
  command: 'collection substrings',
  summary: 'Index any piece of the texts of a collection, so that contains:"…" is quick, or only their words',
  effect: 'write',
  positional: ['name', 'state'],
  examples: [
    { command: 'ambit collection substrings code', does: 'the next "ambit index code" reads it anew' },
    { command: 'ambit collection substrings code off', does: 'words alone, which takes less room' },
  ],
  input: defineInputs(input),
  output: collectionSchema,
  asks: () => false,
  run: async (engine, { name, state }) => (await engine.library()).collections.substrings(name, state !== 'off'),
  text: ({ name, hasSubstrings }) =>
    `${hasSubstrings ? 'Any piece of text' : 'Words alone'} will be indexed. Now run: ambit index ${JSON.stringify(name)}\n`,
}
