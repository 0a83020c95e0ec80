import { type PackageDiffAnswer, packageDiffAnswer } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { formatBytes } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { packageInput, short } from './formats.ts'

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
    return `${headings(answer)}${alignRows(answer.changes.map(changeRow), [2])}${sum}\n`
  },
  notices: ({ added, removed, changed, changes }) => {
    const left = added + removed + changed - changes.length
    return left > 0 ? [`${left} more: --limit N shows them.`] : []
  },
})

function headings({ before, after, message, header, metadata }: PackageDiffAnswer): string {
  const named = ({ name, hash }: PackageDiffAnswer['before']) => `${oneLine(name)}@${short(hash)}`
  const lines = [
    `${named(before)} → ${named(after)}`,
    ...(message.before === message.after
      ? []
      : [`message: ${oneLine(message.before ?? 'none')} → ${oneLine(message.after ?? 'none')}`]),
    ...header.map((part) => `${part === 'userMeta' ? 'the metadata' : 'the workflow'} differs`),
    ...metadata.map(metadataLine),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function metadataLine({ change, path, before, after }: PackageDiffAnswer['metadata'][number]): string {
  const values = [before, after].filter((value) => value !== undefined).map((value) => oneLine(value.slice(0, 200)))
  return `${SIGNS[change]}  metadata ${oneLine(path) || '/'}  ${values.join(' → ')}`
}

const SIGNS = { added: '+', removed: '-', changed: '~' } as const

function changeRow({
  change,
  logicalKey,
  differences = [],
  before,
  after,
}: PackageDiffAnswer['changes'][number]): string[] {
  const sizes = [before, after].flatMap((state) => (state ? [state.size === null ? '?' : formatBytes(state.size)] : []))
  const size = [...new Set(sizes)].join(' → ')
  return [SIGNS[change], oneLine(logicalKey), size, differences.join(', ')]
}
