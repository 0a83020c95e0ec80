import { resolve } from 'node:path'
import { folderAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

/** What a directory on disk holds: to choose one for a collection, or a file that is touched. */
export const folders = defineOperation({
  name: 'folders',
  summary: 'List the directories and files of a directory on disk',
  effect: 'read',
  scope: 'admin',
  positional: ['place'],
  examples: [
    { command: 'ambit folders ~/project', does: 'what could become a collection' },
    { command: 'ambit folders --match usrctl', does: 'files below the current directory by a part of their names' },
  ],
  inputs: {
    place: {
      is: 'path',
      path: 'disk',
      default: '.',
      placeholder: 'DIRECTORY',
      description: 'a directory on disk',
    },
    match: {
      is: 'text',
      placeholder: 'LETTERS',
      description: 'files at any depth whose paths hold these letters in their order, the best first',
    },
    limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 1000, short: 'n', description: 'most of each' },
  },
  output: folderAnswer,
  run: async (engine, { place, match, limit }, run) =>
    (await engine.library()).folder({ place: resolve(place), match, limit }, run),
  text: ({ directories, files }, given) => {
    const names = given?.match === undefined ? directories.map(({ name }) => `${name}/`) : []
    return [...names, ...files].map((name) => `${oneLine(name)}\n`).join('') || 'There is nothing here.\n'
  },
})
