import { type IndexAnswer, indexAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

const COUNTS = ['added', 'changed', 'moved', 'removed', 'unchanged', 'skipped', 'failed'] as const

/** Brings the index in step with the files. */
export const index = defineOperation({
  name: 'index',
  summary: 'Update the index of collections: read the files that changed',
  effect: 'write',
  positional: ['names'],
  examples: [
    { command: 'ambit index', does: 'update all collections; only files that changed are read' },
    { command: 'ambit index docs', does: 'update one collection' },
  ],
  tool: {
    name: 'index',
    set: 'search',
    about: 'Update the index of collections: read the files that changed',
    inputs: { names: 'collections; default all', force: 'read every file' },
  },
  inputs: {
    names: {
      is: 'text',
      list: true,
      placeholder: 'NAME',
      names: 'collections',
      description: 'collections; default all',
    },
    force: { is: 'flag', default: false, description: 'read every file, even if its size and times have not changed' },
  },
  output: indexAnswer,
  asks: () => false,
  hasProgress: true,
  failed: ({ collections }) => collections.some(({ problem }) => problem !== undefined),
  run: (engine, request, run) => engine.index(request, run),
  text: (answer) => {
    const lines = answer.collections.map(
      (one) => `${oneLine(one.name)}: ${one.problem ?? sumCounts(one)}${leftLines(one)}`,
    )
    if (lines.length === 0) return 'There are no collections yet. Add one: ambit collection add NAME PATH\n'
    return `${lines.join('\n')}\n`
  },
})

type One = IndexAnswer['collections'][number]

/** Files left out that are named; `--json` has all. */
const MOST_NAMED = 5

/** As they are counted, by why they were left out. */
const REASONS = { empty: 'empty', binary: 'binary', denied: 'with secrets' } as const

/** Why files were left out, where one word says it. */
function reasons(left: One['left']): string {
  const counted = Object.entries(REASONS).flatMap(([why, words]) => {
    const number = left.filter((one) => one.why === why).length
    return number > 0 ? [`${number} ${words}`] : []
  })
  return counted.length > 0 ? ` (${counted.join(', ')})` : ''
}

function sumCounts(one: One): string {
  const parts = COUNTS.flatMap((name) => {
    const number = one[name]
    return number > 0 ? [`${number} ${name}${name === 'skipped' ? reasons(one.left) : ''}`] : []
  })
  return parts.length === 0 ? 'no files' : parts.join(', ')
}

function leftLines({ left }: One): string {
  const named = left.filter(({ why }) => why !== 'binary' && why !== 'empty')
  const lines = named.slice(0, MOST_NAMED).map(({ path, detail }) => `\n  ${oneLine(path)}: ${oneLine(detail)}`)
  const more = named.length - lines.length
  return `${lines.join('')}${more > 0 ? `\n  and ${more} more: --json has all` : ''}`
}
