import type { Operation } from '../../core/operation.ts'
import type { Engine, PackageLsAnswer } from '../../engine/engine.ts'
import { aligned } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { sized } from '../../text/counts.ts'
import { array, count, type Inputs, inputsOf, object, text } from '../schema.ts'
import { anything, child, entries, packageInput, revision, short } from './formats.ts'

const input = {
  package: packageInput,
  path: { type: 'string', placeholder: 'DIRECTORY', description: 'a directory in the package; default all of it' },
  limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000, description: 'most names' },
  after: { type: 'string', placeholder: 'NAME', description: 'go on behind this name' },
} as const

/** What a directory of a package holds. */
export const ls: Operation<Engine, Inputs<typeof input>, PackageLsAnswer> = {
  name: 'packages.ls',
  command: 'package ls',
  summary: 'List what a package holds',
  effect: 'read',
  positional: ['package', 'path'],
  examples: [
    { command: 'ambit package ls lab/team/results', does: 'its directories and entries' },
    { command: 'ambit package ls lab/team/results plots', does: 'those in a directory' },
  ],
  input: inputsOf(input),
  output: () =>
    object({
      ...revision,
      path: text,
      userMeta: anything('what its maker says of the directory; null when nothing'),
      totalEntries: count,
      totalBytes: count,
      totalChildren: count,
      children: array(child()),
      'next?': text,
    }),
  run: async (engine, request, run) => (await engine.packages()).ls(request, run),
  text: ({ children }) => (children.length === 0 ? 'It is empty.\n' : aligned(children.map(row), [1])),
  notices: ({ next, children, totalChildren }) =>
    next === undefined ? [] : [`${children.length} of ${totalChildren} are shown: --after ${next} goes on.`],
}

function row(one: PackageLsAnswer['children'][number]): string[] {
  if (one.kind === 'directory') {
    return [`${oneLine(one.name)}/`, sized(one.totalBytes), entries(one.totalEntries)]
  }
  return [oneLine(one.name), one.size === null ? '?' : sized(one.size), one.hash === null ? '' : short(one.hash.value)]
}
