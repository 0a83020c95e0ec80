import { type PackageLsAnswer, packageLsAnswer } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { formatBytes } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { entries, packageInput, short } from './formats.ts'

/** What a directory of a package holds. */
export const packageLsOperation = defineOperation({
  name: 'packages.ls',
  command: 'package ls',
  summary: 'List the entries of a package',
  effect: 'read',
  positional: ['package', 'path'],
  examples: [
    { command: 'ambit package ls lab/team/results', does: 'list its directories and entries' },
    { command: 'ambit package ls lab/team/results plots', does: 'list one directory' },
  ],
  inputs: {
    package: packageInput,
    path: {
      is: 'path',
      path: 'package',
      placeholder: 'DIRECTORY',
      description: 'a directory of the package; default its root',
    },
    limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 1000, description: 'maximum number of names' },
    after: { is: 'text', placeholder: 'NAME', description: 'continue after this name' },
  },
  output: packageLsAnswer,
  run: async (engine, request, run) => (await engine.packages()).ls(request, run),
  text: ({ children }) => (children.length === 0 ? 'It is empty.\n' : alignRows(children.map(childRow), [1])),
  notices: ({ next, children, totalChildren }) =>
    next === undefined ? [] : [`${children.length} of ${totalChildren} are shown: --after ${next} shows more.`],
})

function childRow(one: PackageLsAnswer['children'][number]): string[] {
  if (one.kind === 'directory') {
    return [`${oneLine(one.name)}/`, formatBytes(one.totalBytes), entries(one.totalEntries)]
  }
  return [
    oneLine(one.name),
    one.size === null ? '?' : formatBytes(one.size),
    one.hash === null ? '' : short(one.hash.value),
  ]
}
