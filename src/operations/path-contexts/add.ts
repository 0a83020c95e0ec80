import { addedContext } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { PLACE, placeName } from './described.ts'

/** Says what a place is for. */
export const addContext = defineOperation({
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
  inputs: {
    path: {
      is: 'path',
      path: 'collection',
      description: `${PLACE}; default /`,
    },
    text: { is: 'text', required: true, description: 'what the place is for, up to 8192 characters' },
  },
  output: addedContext,
  asks: () => false,
  run: async (engine, { path = '/', text }) => (await engine.contexts()).add(path, text),
  runTyped: async (engine, { path, text }) => {
    const contexts = await engine.contexts()
    return path === undefined ? contexts.addEverywhere(text) : contexts.add(path, text)
  },
  text: ({ collection, pathPrefix, createdAt, updatedAt }) =>
    `${createdAt === updatedAt ? 'Added' : 'Changed'} the path context of ${placeName(collection, pathPrefix)}.\n`,
  notices: ({ notice }) => (notice === undefined ? [] : [notice]),
})
