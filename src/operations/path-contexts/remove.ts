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
  command: 'context rm',
  summary: 'Take away what was said of a place',
  effect: 'write',
  positional: ['path'],
  examples: [
    { command: 'ambit context rm docs/api', does: 'what was said of a path; of what is in it, all stays' },
    { command: 'ambit context rm /', does: 'what was said of everything' },
  ],
  tool: {
    name: 'context_remove',
    set: 'context',
    about: 'Take away what was said of a place',
    inputs: { path: 'COLLECTION/PATH, a path on disk, or / for everything' },
    destructive: true,
  },
  input: defineInputs(input),
  output: () => object({ collection, pathPrefix: text, removed: flag }),
  asks: () => false,
  run: async (engine, { path }) => (await engine.contexts()).removeKnown(path),
  text: ({ collection, pathPrefix }) => `Removed the context of ${placeName(collection, pathPrefix)}.\n`,
}
