import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Collection, Engine } from '../../engine/engine.ts'
import { collectionLine, collectionSchema } from './described.ts'

const input = {
  name: { is: 'text', required: true, names: 'collections', description: 'the name of a collection' },
  to: { is: 'text', required: true, placeholder: 'NAME', description: 'its new name' },
} as const

/** Gives a collection another name. */
export const rename: Operation<Engine, InputOf<typeof input>, Collection> = {
  name: 'collections.rename',
  command: 'collection rename',
  summary: 'Rename a collection; its path contexts stay',
  effect: 'write',
  scope: 'admin',
  positional: ['name', 'to'],
  examples: [{ command: 'ambit collection rename docs handbook', does: 'find its documents as handbook/…' }],
  input: defineInputs(input),
  output: collectionSchema,
  asks: () => false,
  run: async (engine, { name, to }) => (await engine.library()).collections.rename(name, to),
  text: (collection) => `Renamed: ${collectionLine(collection)}\n`,
}
