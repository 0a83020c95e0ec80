import { collectionAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { collectionLine } from './described.ts'

/** Gives a collection another name. */
export const rename = defineOperation({
  name: 'collections.rename',
  command: 'collection rename',
  summary: 'Rename a collection; its path contexts stay',
  effect: 'write',
  scope: 'admin',
  positional: ['name', 'to'],
  examples: [{ command: 'ambit collection rename docs handbook', does: 'find its documents as handbook/…' }],
  inputs: {
    name: { is: 'text', required: true, names: 'collections', description: 'the name of a collection' },
    to: { is: 'text', required: true, placeholder: 'NAME', description: 'its new name' },
  },
  output: collectionAnswer,
  asks: () => false,
  run: async (engine, { name, to }) => (await engine.library()).collections.rename(name, to),
  text: (collection) => `Renamed: ${collectionLine(collection)}\n`,
})
