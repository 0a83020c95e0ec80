import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Collection, Engine } from '../../engine/engine.ts'
import { array, object } from '../schema.ts'
import { collectionLine, collectionSchema } from './described.ts'

const input = {} as const

/** The collections, by name. */
export const listCollections: Operation<
  Engine,
  InputOf<typeof input>,
  { readonly collections: readonly Collection[] }
> = {
  name: 'collections.list',
  command: 'collection list',
  summary: 'List the collections',
  effect: 'read',
  examples: [{ command: 'ambit collection list', does: 'show the name, directory and size of each' }],
  input: defineInputs(input),
  output: () => object({ collections: array(collectionSchema()) }),
  run: async (engine) => ({ collections: await (await engine.library()).collections.list() }),
  text: ({ collections }) =>
    collections.length === 0
      ? 'There are no collections yet. Add one: ambit collection add NAME PATH\n'
      : collections.map((collection) => `${collectionLine(collection)}\n`).join(''),
}
