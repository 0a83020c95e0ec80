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
  text: { is: 'text', required: true, description: 'what the place is for, up to 8192 characters' },
} as const

/** Says what a place is for. */
export const addContext: Operation<ContextsEngine, InputOf<typeof input>, PathContextAnswers['add']> = {
  name: 'contexts.add',
  command: 'context add',
  summary: 'Set the path context of a place: say what it is for',
  effect: 'write',
  positional: ['path', 'text'],
  examples: [
    { command: "ambit context add docs 'The manual of the product'", does: 'describe a whole collection' },
    { command: "ambit context add docs/api/v2 'The interface that is current'", does: 'describe a path in it' },
    { command: "ambit context add 'All texts are in British English'", does: 'describe everything' },
    {
      command: 'ambit context add / docs',
      does: 'set the text "docs"; without "/", the name of a place alone is refused as a likely mistake',
    },
  ],
  tool: {
    name: 'context_add',
    set: 'context',
    about: 'Set the path context of a place: say what it is for',
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
    `${createdAt === updatedAt ? 'Added' : 'Changed'} the path context of ${placeName(collection, pathPrefix)}.\n`,
  notices: ({ notice }) => (notice === undefined ? [] : [notice]),
}
