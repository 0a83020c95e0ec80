import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { flag, object, text } from '../schema.ts'
import { collection, PLACE, placeName } from './described.ts'
import type { ContextsEngine, PathContextAnswers } from './engine.ts'

const input = {
  path: { is: 'path', path: 'collection', required: true, description: PLACE },
} as const

/** Takes away what was said of a place. */
export const removeContext: Operation<ContextsEngine, InputOf<typeof input>, PathContextAnswers['removeKnown']> = {
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
  input: defineInputs(input),
  output: () => object({ collection, pathPrefix: text, removed: flag }),
  asks: () => false,
  run: async (engine, { path }) => (await engine.contexts()).removeKnown(path),
  text: ({ collection, pathPrefix }) => `Removed the path context of ${placeName(collection, pathPrefix)}.\n`,
}
