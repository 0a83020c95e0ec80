import { collectionsAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { collectionLine } from './described.ts'

/** The collections, by name. */
export const listCollections = defineOperation({
  name: 'collections.list',
  command: 'collection list',
  summary: 'List the collections',
  effect: 'read',
  examples: [{ command: 'ambit collection list', does: 'show the name, directory and size of each' }],
  inputs: {},
  output: collectionsAnswer,
  run: async (engine) => ({ collections: await (await engine.library()).collections.list() }),
  text: ({ collections }) =>
    collections.length === 0
      ? 'There are no collections yet. Add one: ambit collection add NAME PATH\n'
      : collections.map((collection) => `${collectionLine(collection)}\n`).join(''),
})
