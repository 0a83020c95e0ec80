import type { Operation } from '../../core/operation.ts'
import type { Collection, Engine } from '../../engine/engine.ts'
import { type Inputs, inputsOf } from '../schema.ts'
import { described, item } from './described.ts'

const input = {
  name: { type: 'string', isRequired: true, description: 'the name of a collection' },
  to: { type: 'string', isRequired: true, placeholder: 'NAME', description: 'its new name' },
} as const

/** Gives a collection another name. */
export const rename: Operation<Engine, Inputs<typeof input>, Collection> = {
  name: 'collections.rename',
  command: 'collection rename',
  summary: 'Rename a collection, with what was said of its paths',
  effect: 'write',
  scope: 'admin',
  positional: ['name', 'to'],
  examples: [{ command: 'ambit collection rename docs handbook', does: 'its documents are found as handbook/…' }],
  input: inputsOf(input),
  output: item,
  asks: () => false,
  run: async (engine, { name, to }) => (await engine.library()).collections.rename(name, to),
  text: (collection) => `Renamed: ${described(collection)}\n`,
}
