import { resolve } from 'node:path'
import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, FolderAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { array, flag, object, text, textOrNull } from '../schema.ts'

const input = {
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
} as const

/** What a directory on disk holds: to choose one for a collection, or a file that is touched. */
export const folders: Operation<Engine, InputOf<typeof input>, FolderAnswer> = {
  name: 'folders',
  summary: 'List the directories and files of a directory on disk',
  effect: 'read',
  scope: 'admin',
  positional: ['place'],
  examples: [
    { command: 'ambit folders ~/project', does: 'what could become a collection' },
    { command: 'ambit folders --match usrctl', does: 'files below the current directory by a part of their names' },
  ],
  input: defineInputs(input),
  output: () =>
    object({
      path: text,
      parent: textOrNull,
      directories: array(object({ name: text, path: text, 'collection?': text })),
      files: array(text),
      isPartial: flag,
    }),
  run: async (engine, { place, match, limit }, run) =>
    (await engine.library()).folder({ place: resolve(place), match, limit }, run),
  text: ({ directories, files }, given) => {
    const names = given?.match === undefined ? directories.map(({ name }) => `${name}/`) : []
    return [...names, ...files].map((name) => `${oneLine(name)}\n`).join('') || 'There is nothing here.\n'
  },
}
