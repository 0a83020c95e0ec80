import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { openRoot } from '../../src/files/disk.ts'
import { INSIDE, plantTree, SECRET, textOf } from '../../test/files/fixtures.ts'
import type { Part, Proving } from './proving.ts'

/** Reads of one round. */
const READS = 25_000

/** Minimum count of each answer in a round, and maximum milliseconds to wait for them. */
const MIN_ANSWERS = 50
const TIMEOUT_MS = 60_000

const LEAKS = 'leaks of a check by name'

/** Number of reads between two checks that the swapper is running. */
const CHECK_EVERY = 5_000

export const confinement: Part = {
  name: 'confinement',
  claim:
    'no read gives a byte from outside of the root while another process exchanges directories and files for links',
  lacks: () => (process.platform === 'linux' ? undefined : 'only Linux tells where a descriptor leads'),
  async prove(proving) {
    const count = Math.ceil(proving.amount({ quick: 50_000, full: 1_000_000 }) / READS)
    await proving.rounds('rounds', count, (_, index) => round(index % 2 === 0 ? 'directory' : 'leaf', proving))
    for (const answer of ['read inside', 'denied']) {
      if (proving.counted(answer) < 50)
        proving.lose(`Only ${proving.counted(answer)} reads were ${answer}: the swapper did not run`)
    }
    if (proving.counted(LEAKS) === 0) {
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
  const [firstName, secondName, name] = NAMES[what]
  const swapper = startSwapper(what, [join(path, firstName), join(path, secondName)], base, proving)
  const root = openRoot(path)
  const counts = new Map<string, number>()
  try {
    const until = performance.now() + TIMEOUT_MS
    for (let read = 0; read < READS || (!isEnough(counts) && performance.now() < until); read++) {
      const answer = root.read(name)
      const text = answer.ok ? textOf(answer.bytes) : answer.why
      counts.set(text, (counts.get(text) ?? 0) + 1)
      // A naive check by name, for comparison: if it leaks, the swapper is fast enough.
      if (read % 5 === 0 && readNaively(path, name) === SECRET) counts.set(LEAKS, (counts.get(LEAKS) ?? 0) + 1)
      if (read % CHECK_EVERY > 0) continue
      await setImmediate()
      if (swapper.process.exitCode !== null) throw new Error('The swapper has ended')
    }
  } finally {
    writeFileSync(join(base, 'stop'), '')
    proving.add('exchanges', await swapper.ended())
    for (const [answer, count] of counts) countAnswer(answer, count, proving)
  }
}

/** Whether each answer came often enough to prove anything. On a busy machine, the swapper starts late. */
function isEnough(counts: ReadonlyMap<string, number>): boolean {
  return [INSIDE, 'denied'].every((answer) => (counts.get(answer) ?? 0) >= MIN_ANSWERS) && counts.has(LEAKS)
}

function countAnswer(answer: string, count: number, proving: Proving): void {
  if (answer === LEAKS) {
    proving.add(LEAKS, count)
    return
  }
  proving.add('reads', count)
  if (answer === INSIDE) proving.add('read inside', count)
  else if (answer === 'denied' || answer === 'missing') proving.add(answer, count)
  else proving.lose(`${count} reads gave ${answer}`)
}

function readNaively(path: string, name: string): string {
  try {
    const realPath = realpathSync.native(join(path, name))
    return realPath.startsWith(`${path}/`) ? readFileSync(realPath, 'utf8') : 'denied'
  } catch {
    return 'missing'
  }
}

/** Starts a process that exchanges two names: in one step with Python, else in four steps. */
function startSwapper(what: string, names: readonly string[], base: string, proving: Proving) {
  const isPython = spawnSync('python3', ['-c', 'import ctypes; ctypes.CDLL(None).renameat2']).status === 0
  proving.note('by', isPython ? 'renameat2' : 'rename')
  const [command, args] = isPython
    ? ['python3', [join(import.meta.dirname, 'exchange.py'), ...names, base]]
    : [process.execPath, [join(import.meta.dirname, '../../test/files/swapper.ts'), what, base]]
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout?.on('data', (text) => {
    output += text
  })
  const close = once(child, 'close')
  return {
    process: child,
    ended: async () => {
      await close
      return Number(output)
    },
  }
}
