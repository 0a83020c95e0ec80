/**
 * Files that are replaced by links while they are read.
 *
 * @module-tag long
 */

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openByDescriptor } from '../../src/files/confine.ts'
import { openRoot, rootAt } from '../../src/files/disk.ts'
import { own } from '../support/own.ts'
import { descriptorsBelow, INSIDE, plantTree, SECRET, textOf } from './fixtures.ts'

/** Calls of each test, and how often each outcome must be seen before they prove anything. */
const CALLS = 50_000
const ENOUGH = 50
const MOST_MS = 20_000

// Memory, where there is some: names are exchanged many times faster than on a disk.
const tree = own(plantTree(existsSync('/dev/shm') ? '/dev/shm' : tmpdir()))
const { base, root: path, outside } = tree
mkdirSync(join(path, 'swapped'))
writeFileSync(join(path, 'swapped', 'AGENTS.md'), INSIDE)
writeFileSync(join(path, 'leaf.md'), INSIDE)
writeFileSync(join(outside, 'name-outside'), SECRET)
symlinkSync('../outside', join(path, 'link'))

/**
 * Asks again and again while another process swaps, and counts the answers. Ends after `CALLS` calls when each of the
 * answers `expected` was seen often enough, and goes on for a while if not.
 */
async function askedDuringSwaps(what: string, expected: readonly string[], ask: () => string) {
  const swapper = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'swapper.ts'), what, base])
  const counts: Record<string, number> = {}
  const seen = () => expected.every((answer) => (counts[answer] ?? 0) >= ENOUGH)
  const began = performance.now()
  try {
    for (let call = 0; call < CALLS || (!seen() && performance.now() - began < MOST_MS); call++) {
      const answer = ask()
      counts[answer] = (counts[answer] ?? 0) + 1
    }
  } finally {
    writeFileSync(join(base, 'stop'), '')
  }
  const swaps = Number((await swapper).stdout)
  return { counts, seen: seen(), swaps }
}

/** The check of which everybody thinks first. */
function readNaively(name: string): string {
  try {
    const realPath = realpathSync.native(join(path, name))
    return realPath.startsWith(`${path}/`) ? readFileSync(realPath, 'utf8') : 'denied'
  } catch {
    return 'missing'
  }
}

describe.runIf(process.platform === 'linux')('while another process exchanges', () => {
  const root = rootAt(openRoot(path), openByDescriptor)

  function read(name: string): string {
    const answer = root.read(name)
    return answer.ok ? textOf(answer.bytes) : answer.why
  }

  it('files for links, a check of the path before the read leaks: the swapper is quick enough', async () => {
    const { counts } = await askedDuringSwaps('leaf', [INSIDE, 'denied', SECRET], () => readNaively('leaf.md'))
    expect(counts[SECRET]).toBeGreaterThan(0)
  })

  it.each([
    ['a directory for a link', 'directory', 'swapped/AGENTS.md'],
    ['a file for a link', 'leaf', 'leaf.md'],
  ])('%s, no read gives a byte from outside', async (_, what, name) => {
    const { counts, seen, swaps } = await askedDuringSwaps(what, [INSIDE, 'denied'], () => read(name))
    expect(Object.keys(counts).filter((answer) => ![INSIDE, 'denied', 'missing'].includes(answer))).toEqual([])
    expect([seen, swaps > 1000]).toEqual([true, true])
  })

  it('a directory for a link, no listing gives a name from outside', async () => {
    const { counts, seen } = await askedDuringSwaps('directory', ['AGENTS.md', 'denied'], () => {
      const listed = root.list('swapped')
      return listed.ok ? listed.entries.map((entry) => entry.name).join(' ') : listed.why
    })
    expect(Object.keys(counts).filter((answer) => !['AGENTS.md', 'denied', 'missing'].includes(answer))).toEqual([])
    expect(seen).toBe(true)
  })

  it('anything, no descriptor is left open', () => {
    expect(descriptorsBelow(base)).toEqual([])
  })
})
