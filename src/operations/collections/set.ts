import { UsageError } from '../../core/errors.ts'
import { collectionAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { collectionLine } from './described.ts'

/** Changes how a collection is searched and indexed. */
export const setCollection = defineOperation({
  name: 'collections.set',
  command: 'collection set',
  summary: 'Change a collection: pause it, or index every substring of it',
  effect: 'write',
  positional: ['name'],
  examples: [
    { command: 'ambit collection set archive --paused', does: 'search it only with "search -c archive"' },
    { command: 'ambit collection set archive --no-paused', does: 'search it by default again' },
    {
      command: 'ambit collection set code --substrings',
      does: 'index every substring; the next "ambit index code" reads all files again',
    },
  ],
  inputs: {
    name: { is: 'text', required: true, names: 'collections', description: 'the name of a collection' },
    paused: { is: 'flag', description: 'leave it out of searches that do not name it; --no-paused: include it again' },
    substrings: {
      is: 'flag',
      description: 'index every substring, so that contains:"…" is fast; --no-substrings: words only, in less space',
    },
  },
  output: collectionAnswer,
  asks: () => false,
  run: async (engine, { name, paused, substrings }) => {
    const { collections } = await engine.library()
    if (paused === undefined && substrings === undefined)
      throw new UsageError('Nothing to change.', 'Add --paused, --no-paused, --substrings or --no-substrings.')
    const changed = paused === undefined ? undefined : await collections.pause(name, paused)
    return substrings === undefined && changed ? changed : collections.substrings(name, substrings === true)
  },
  text: (collection, request) => {
    const next = request?.substrings === undefined ? '' : `Now run: ambit index ${JSON.stringify(collection.name)}\n`
    return `Changed ${collectionLine(collection)}${collection.hasSubstrings ? ', with substrings' : ''}\n${next}`
  },
})
