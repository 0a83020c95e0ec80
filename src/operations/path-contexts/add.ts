import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { object, text } from '../schema.ts'
import { context, PLACE, placeName } from './described.ts'
import type { ContextsEngine, PathContextAnswers } from './engine.ts'

const input = {
  path: {
    is: 'path',
    path: 'collection',
    description: `${PLACE}; default /`,
  },
  text: { is: 'text', required: true, description: 'what the place is for, in up to 8192 characters' },
} as const

/** Says what a place is for. */
export const addContext: Operation<ContextsEngine, InputOf<typeof input>, PathContextAnswers['add']> = {
  name: 'contexts.add',
  command: 'context add',
  summary: 'Say what a place in a collection is for, instead of what was said of it before',
  effect: 'write',
  positional: ['path', 'text'],
  examples: [
    { command: "ambit context add docs 'The manual of the product'", does: 'of a whole collection' },
    { command: "ambit context add docs/api/v2 'The interface that is current'", does: 'of a path in it' },
    { command: "ambit context add 'All texts are in British English'", does: 'of everything' },
    { command: 'ambit context add / docs', does: 'the text "docs": alone, the name of a place is taken for a slip' },
  ],
  tool: {
    name: 'context_add',
    set: 'context',
    about: 'Say what a place in a collection is for, instead of what was said of it before',
    inputs: { path: 'COLLECTION/PATH, a path on disk, or / for everything', text: 'what it is for' },
  },
  input: defineInputs(input),
  output: () => object({ ...context, 'notice?': text }),
  asks: () => false,
  run: async (engine, { path = '/', text }) => (await engine.contexts()).add(path, text),
  runTyped: async (engine, { path, text }) => {
    const contexts = await engine.contexts()
    return path === undefined ? contexts.addEverywhere(text) : contexts.add(path, text)
  },
  text: ({ collection, pathPrefix, createdAt, updatedAt }) =>
    `${createdAt === updatedAt ? 'Added' : 'Changed'} the context of ${placeName(collection, pathPrefix)}.\n`,
  notices: ({ notice }) => (notice === undefined ? [] : [notice]),
}
