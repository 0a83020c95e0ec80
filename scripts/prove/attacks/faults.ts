import { spawnSync } from 'node:child_process'
import { fullDisk, onMedium, readOnly } from '../../../test/support/media.ts'
import { ambit, BIN } from '../../../test/support/program.ts'
import { type Tree, tree } from '../../../test/support/tree.ts'
import type { Attack } from './attack.ts'

function indexed(): Tree {
  const at = tree({ 'docs/a.md': '# Hi\n' })
  for (const args of [['collection', 'add', 'docs', 'docs'], ['index']]) ambit(args, { cwd: at.base })
  return at
}

/** Where no disk can be mounted, a medium says nothing, and neither does the attack. */
function said(prepare: (base: string) => string, command: string, good: RegExp): string | undefined {
  using at = indexed()
  const [text] = onMedium(prepare(at.base), at.base, [command])
  return text === undefined || good.test(text) ? undefined : text.split('\n')[0]
}

export const faultsAttacks: readonly Attack[] = [
  { name: 'a search on a read-only medium', hit: async () => said(readOnly, 'search hi', /docs\/a\.md/) },
  { name: 'a full disk', hit: async () => said(fullDisk, 'doctor', /No space is left/) },
  {
    name: 'few open files',
    hit: async () => {
      using at = indexed()
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
      using at = indexed()
      const { status, stderr } = ambit(['load', 'ambit://docs/', ...option.split(' ')], { cwd: at.base })
      return status === 2 && /on disk/.test(stderr)
        ? undefined
        : `exit code ${status}: it was not refused as an option of places on disk`
    },
  })),
]
