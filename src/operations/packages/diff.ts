import { type PackageDiffAnswer, packageDiffAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'
import { changeRows, messageLine, packageInput, short } from './formats.ts'

/** What changed from one revision to another. */
export const packageDiffOperation = defineOperation({
  name: 'packages.diff',
  command: 'package diff',
  summary: 'Show the differences between two revisions or two packages',
  effect: 'read',
  positional: ['before', 'after'],
  examples: [
    {
      command: 'ambit package diff lab/team/results@1a2b3c lab/team/results',
      does: 'show what changed since a revision',
    },
  ],
  inputs: {
    before: { ...packageInput, placeholder: 'BEFORE' },
    after: {
      ...packageInput,
      placeholder: 'AFTER',
      description: 'another revision of the same package, or another package',
    },
    limit: {
      is: 'integer',
      minimum: 0,
      maximum: 100_000,
      default: 1000,
      description: 'maximum number of changes to list',
    },
  },
  output: packageDiffAnswer,
  run: async (engine, request, run) => (await engine.packages()).diff(request, run),
  text: (answer) => {
    const { added, removed, changed, unchanged } = answer
    const sum = `${added} added, ${removed} removed, ${changed} changed, ${unchanged} unchanged`
    return `${headings(answer)}${changeRows(answer)}${sum}\n`
  },
  notices: ({ added, removed, changed, changes }) => {
    const left = added + removed + changed - changes.length
    return left > 0 ? [`${left} more: --limit N shows them.`] : []
  },
})

function headings({ before, after, header, ...changed }: PackageDiffAnswer): string {
  const named = ({ name, hash }: PackageDiffAnswer['before']) => `${oneLine(name)}@${short(hash)}`
  const parts = header.map((part) => `${part === 'userMeta' ? 'the metadata' : 'the workflow'} differs\n`)
  return `${named(before)} → ${named(after)}\n${messageLine(changed)}${parts.join('')}`
}
