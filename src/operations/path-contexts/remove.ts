import { removedContext } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { PLACE, placeName } from './described.ts'

/** Takes away what was said of a place. */
export const removeContext = defineOperation({
  name: 'contexts.remove',
  command: 'context remove',
  summary: 'Remove the path context of a place',
  effect: 'write',
  positional: ['path'],
  examples: [
    { command: 'ambit context remove docs/api', does: 'remove that of a path; those of the paths below it stay' },
    { command: 'ambit context remove /', does: 'remove the global one' },
  ],
  tool: {
    name: 'context_remove',
    set: 'context',
    about: 'Remove the path context of a place',
    inputs: { path: 'COLLECTION/PATH, a path on disk, or / for everything' },
    destructive: true,
  },
  inputs: {
    path: { is: 'path', path: 'collection', required: true, description: PLACE },
  },
  output: removedContext,
  asks: () => false,
  run: async (engine, { path }) => (await engine.contexts()).removeKnown(path),
  text: ({ collection, pathPrefix }) => `Removed the path context of ${placeName(collection, pathPrefix)}.\n`,
})
