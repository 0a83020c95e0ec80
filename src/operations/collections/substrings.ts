import { collectionAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'

/** Indexes any piece of a collection's texts from now on, or only their words. */
export const substrings = defineOperation({
  name: 'collections.substrings',
  command: 'collection substrings',
  summary: 'Choose whether a collection indexes every substring, so that contains:"…" is fast, or words only',
  effect: 'write',
  positional: ['name', 'state'],
  examples: [
    {
      command: 'ambit collection substrings code',
      does: 'index every substring; the next "ambit index code" reads all files again',
    },
    { command: 'ambit collection substrings code off', does: 'index words only, which needs less space' },
  ],
  inputs: {
    name: { is: 'text', required: true, names: 'collections', description: 'the name of a collection' },
    state: {
      is: 'choice',
      of: ['on', 'off'],
      default: 'on',
      description: 'whether every substring of its texts is indexed',
    },
  },
  output: collectionAnswer,
  asks: () => false,
  run: async (engine, { name, state }) => (await engine.library()).collections.substrings(name, state !== 'off'),
  text: ({ name, hasSubstrings }) =>
    `${hasSubstrings ? 'Any piece of text' : 'Words alone'} will be indexed. Now run: ambit index ${JSON.stringify(name)}\n`,
})
