import { spawnSync } from 'node:child_process'
import { fullDisk, onMedium, readOnly } from '../../test/support/media.ts'
import { ambit, BIN } from '../../test/support/program.ts'
import { type Shape, type Tree, tree } from '../../test/support/tree.ts'
import { programsAttacks } from './attacks/programs.ts'
import { rootsAttacks } from './attacks/roots.ts'
import { secretsAttacks } from './attacks/secrets.ts'
import type { Part } from './proving.ts'

/** One attempt on the built program (`BIN` of test/support/program.ts), with its own temporary directory and loopback only. */
export interface Attack {
  readonly name: string
  /** Resolves to one line about what went wrong; undefined if the promise holds. */
  hit(): Promise<string | undefined>
}

/** Milliseconds that a long text may add. The program starts in a tenth of this time; quadratic code takes longer. */
const MOST_MS = 1000

/** Runs the program with a short text and with a long one, and compares the times. */
async function compare(run: (isLong: boolean) => readonly [Shape, readonly string[]]): Promise<string | undefined> {
  const [short = 0, long = 0] = [false, true].map((isLong) => {
    const [shape, args] = run(isLong)
    using at = tree(shape)
    const began = performance.now()
    ambit(args, { cwd: at.base })
    return performance.now() - began
  })
  return long < short + MOST_MS ? undefined : `${Math.round(long)} ms, and ${Math.round(short)} ms with a short text`
}

const gap = (isLong: boolean, sign: string, length: number) => (isLong ? sign.repeat(length) : sign)

const linearAttacks: readonly Attack[] = [
  {
    name: 'empty lines in the settings of Codex',
    hit: () =>
      compare((isLong) => [
        { 'AGENTS.md': 'a\n', '.codex/config.toml': `${gap(isLong, '\n', 20_000)}x = 1\n` },
        ['diff', '.', '--profile', 'codex,claude'],
      ]),
  },
  {
    name: 'a research question with blanks',
    hit: () =>
      compare((isLong) => [
        { 'a.md': '# Time\n\nIt times out after 5 seconds.\n\n# Trial\n\nIt times out once.\n' },
        [
          'research',
          `When does it time out${gap(isLong, ' ', 2500)}x and what is the timeout`,
          '--extractive',
          '--file',
          'a.md',
        ],
      ]),
  },
]

function indexedTree(): Tree {
  const at = tree({ 'docs/a.md': '# Hi\n' })
  for (const args of [['collection', 'add', 'docs', 'docs'], ['index']]) ambit(args, { cwd: at.base })
  return at
}

/** The first line of a command's output on a medium. Undefined if the output is good, or if no disk can be mounted here. */
function badOutput(prepare: (base: string) => string, command: string, good: RegExp): string | undefined {
  using at = indexedTree()
  const [text] = onMedium(prepare(at.base), at.base, [command])
  return text === undefined || good.test(text) ? undefined : text.split('\n')[0]
}

const faultsAttacks: readonly Attack[] = [
  { name: 'a search on a read-only medium', hit: async () => badOutput(readOnly, 'ambit search hi', /docs\/a\.md/) },
  { name: 'a full disk', hit: async () => badOutput(fullDisk, 'ambit doctor', /No space is left/) },
  {
    name: 'few open files',
    hit: async () => {
      using at = indexedTree()
      for (const limit of [22, 23, 24, 25]) {
        const script = `ulimit -n ${limit}; exec "${process.execPath}" "${BIN}" search hi`
        const env = { PATH: process.env.PATH, HOME: at.base }
        const { stderr } = spawnSync('sh', ['-c', script], { cwd: at.base, encoding: 'utf8', env })
        if (/bug in Ambit|cannot be opened/.test(stderr)) return stderr.split('\n')[0]
      }
      return undefined
    },
  },
  ...['--no-instructions', '--touched a.md', '--profile codex', '--code --task x'].map((option) => ({
    name: `${option.split(' ')[0]} for a collection`,
    hit: async () => {
      using at = indexedTree()
      const { status, stderr } = ambit(['load', 'ambit://docs/', ...option.split(' ')], { cwd: at.base })
      return status === 2 && /on disk/.test(stderr)
        ? undefined
        : `exit code ${status}: it was not refused as an option of places on disk`
    },
  })),
]

/** The attacks on each promise. */
const GROUPS: Readonly<Record<string, readonly Attack[]>> = {
  roots: rootsAttacks,
  programs: programsAttacks,
  faults: faultsAttacks,
  linear: linearAttacks,
  secrets: secretsAttacks,
}

export const attack: Part = {
  name: 'attack',
  claim:
    'nothing outside of the roots is read, every input takes linear time, secrets stay out, nothing that is written can run, and faults of the machine are named',
  async prove(proving) {
    for (const [group, attacks] of Object.entries(GROUPS)) {
      for (const { name, hit } of attacks) {
        proving.add(`attacks on ${group}`)
        const problem = await hit()
        if (problem !== undefined) proving.lose(`${group}, ${name}: ${problem}`)
      }
    }
  },
}
