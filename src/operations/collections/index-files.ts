import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, IndexAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { array, count, object, text } from '../schema.ts'

const input = {
  names: { is: 'text', list: true, placeholder: 'NAME', names: 'collections', description: 'collections; default all' },
  force: { is: 'flag', default: false, description: 'read every file, even if its size and times have not changed' },
} as const

const counts = {
  added: count,
  changed: count,
  moved: count,
  removed: count,
  unchanged: count,
  skipped: count,
  failed: count,
}

const leftSchema = () => array(object({ path: text, why: text, detail: text }))

/** Brings the index in step with the files. */
export const index: Operation<Engine, InputOf<typeof input>, IndexAnswer> = {
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
  input: defineInputs(input),
  output: () =>
    object({ ...counts, collections: array(object({ name: text, ...counts, left: leftSchema(), 'problem?': text })) }),
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
}

type One = IndexAnswer['collections'][number]

/** Files left out that are named; `--json` has all. */
const MOST_NAMED = 5

/** As they are counted, by why they were left out. */
const REASONS = { empty: 'empty', binary: 'binary', denied: 'with secrets' } as const

/** Why files were left out, of those whose reason is told in a word. */
function reasons(left: One['left']): string {
  const counted = Object.entries(REASONS).flatMap(([why, told]) => {
    const number = left.filter((one) => one.why === why).length
    return number > 0 ? [`${number} ${told}`] : []
  })
  return counted.length > 0 ? ` (${counted.join(', ')})` : ''
}

function sumCounts(one: One): string {
  const parts = Object.keys(counts).flatMap((name) => {
    const number = one[name as keyof typeof counts]
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
