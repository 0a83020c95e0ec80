/** Operations on one collection that is named. */

import { collectionAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { collectionLine } from './described.ts'

const input = {
  name: { is: 'text', required: true, names: 'collections', description: 'the name of a collection' },
} as const

const common = {
  positional: ['name'],
  inputs: input,
  output: collectionAnswer,
  asks: () => false,
} as const

/** What is known of a collection. */
export const showCollection = defineOperation({
  ...common,
  name: 'collections.show',
  command: 'collection show',
  summary: 'Show a collection',
  effect: 'read',
  examples: [{ command: 'ambit collection show docs', does: 'show its directory, patterns and size' }],
  run: async (engine, { name }) => (await engine.library()).collections.show(name),
  text: (collection) => {
    const { patterns, exclude, hasSubstrings, indexedAt } = collection
    const lines = [
      collectionLine(collection),
      ...(patterns.length > 0 ? [`patterns  ${patterns.join('  ')}`] : []),
      ...(exclude.length > 0 ? [`exclude   ${exclude.join('  ')}`] : []),
      ...(hasSubstrings ? ['pieces    any piece of text is indexed'] : []),
      ...(indexedAt === undefined ? [] : [`indexed   ${indexedAt}`]),
    ]
    return `${lines.join('\n')}\n`
  },
})

/** Forgets a collection; its files stay. */
export const remove = defineOperation({
  ...common,
  name: 'collections.remove',
  command: 'collection remove',
  summary: 'Remove a collection and its path contexts; its files stay',
  effect: 'write',
  scope: 'admin',
  examples: [{ command: 'ambit collection remove docs', does: 'stop searching it' }],
  run: async (engine, { name }) => (await engine.library()).collections.remove(name),
  text: (collection) => `Removed ${collectionLine(collection)}\n`,
})
