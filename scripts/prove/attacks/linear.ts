import { ambit } from '../../../test/support/program.ts'
import { type Shape, tree } from '../../../test/support/tree.ts'
import type { Attack } from './attack.ts'

/** Milliseconds: the program starts in a tenth of it, and what grows with the square takes many times as long. */
const MOST_MS = 1000

/** Runs the program once with a harmless text and once with a long one: it may take a second more. */
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

export const linearAttacks: readonly Attack[] = [
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
