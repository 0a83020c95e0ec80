import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRoot } from '../../src/objects/local.ts'
import { INSIDE, plantTree, SECRET, textOf } from '../../test/objects/fixtures.ts'
import type { Part, Proving } from './proving.ts'

/** Reads of one round. */
const READS = 25_000

/** Reads after which it is looked whether the swapper is still there. */
const STRETCH = 5_000

export const confinement: Part = {
  name: 'confinement',
  claim:
    'no read gives a byte from outside of the root while another process exchanges directories and files for links',
  lacks: () => (process.platform === 'linux' ? undefined : 'only Linux tells where a descriptor leads'),
  async prove(proving) {
    const count = Math.ceil(proving.of({ quick: 50_000, full: 1_000_000 }) / READS)
    await proving.rounds('rounds', count, (_, index) => round(index % 2 === 0 ? 'directory' : 'leaf', proving))
    for (const answer of ['read inside', 'denied']) {
      if (proving.counted(answer) < 50)
        proving.lose(`Only ${proving.counted(answer)} reads were ${answer}: the swapper did not run`)
    }
    if (proving.counted('leaks of a check by name') === 0) {
      proving.lose('A check by name did not leak either: the swapper is too slow to prove anything')
    }
  },
}

const NAMES = {
  directory: ['swapped', 'link', 'swapped/AGENTS.md'],
  leaf: ['leaf.md', 'leaf.link', 'leaf.md'],
} as const

async function round(what: keyof typeof NAMES, proving: Proving): Promise<void> {
  using tree = plantTree(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
  const { base, root: path, outside } = tree
  mkdirSync(join(path, 'swapped'))
  writeFileSync(join(path, 'swapped', 'AGENTS.md'), INSIDE)
  writeFileSync(join(path, 'leaf.md'), INSIDE)
  symlinkSync(outside, join(path, 'link'))
  symlinkSync(join(outside, 'secret.md'), join(path, 'leaf.link'))
  const [one, other, name] = NAMES[what]
  const swapper = swapping(what, [join(path, one), join(path, other)], base, proving)
  const root = openRoot(path)
  try {
    for (let read = 0; read < READS; read++) {
      const answer = root.read(name)
      told(answer.ok ? textOf(answer.bytes) : answer.why, proving)
      if (read % STRETCH === 0 && swapper.process.exitCode !== null) throw new Error('The swapper has ended')
      // Beside it the check of which everybody thinks first: where it leaks, the swapper is quick enough.
      if (read % 5 === 0 && readNaively(path, name) === SECRET) proving.add('leaks of a check by name')
    }
  } finally {
    writeFileSync(join(base, 'stop'), '')
    proving.add('exchanges', await swapper.ended())
  }
}

function told(answer: string, proving: Proving): void {
  proving.add('reads')
  if (answer === INSIDE) proving.add('read inside')
  else if (answer === 'denied' || answer === 'missing') proving.add(answer)
  else proving.lose(`A read gave ${answer}`)
}

function readNaively(path: string, name: string): string {
  try {
    const realPath = realpathSync.native(join(path, name))
    return realPath.startsWith(`${path}/`) ? readFileSync(realPath, 'utf8') : 'denied'
  } catch {
    return 'missing'
  }
}

/** A process that exchanges two names: in one step where Python is there to do it, else in four. */
function swapping(what: string, names: readonly string[], base: string, proving: Proving) {
  const isPython = spawnSync('python3', ['-c', 'import ctypes; ctypes.CDLL(None).renameat2']).status === 0
  proving.note('by', isPython ? 'renameat2' : 'rename')
  const [command, args] = isPython
    ? ['python3', [join(import.meta.dirname, 'exchange.py'), ...names, base]]
    : [process.execPath, [join(import.meta.dirname, '../../test/objects/swapper.ts'), what, base]]
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = ''
  child.stdout?.on('data', (text) => {
    told += text
  })
  const close = once(child, 'close')
  return {
    process: child,
    ended: async () => {
      await close
      return Number(told)
    },
  }
}
