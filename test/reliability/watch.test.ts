/**
 * The rows of group A of what changes while it is watched, and of systems that give little.
 *
 * @module-tag long
 */

import { spawnSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Shape, tree } from '../support/tree.ts'
import { open, project } from '../support/workspace.ts'
import { inChild } from './child.ts'

const LINUX = process.platform === 'linux'

/** Waits until the condition holds, for so long at most. */
async function until(holds: () => boolean, mostMs = 60_000): Promise<void> {
  for (const end = performance.now() + mostMs; !holds() && performance.now() < end; ) await setTimeout(5)
  expect(holds()).toBe(true)
}

describe('A33 a watched place', () => {
  it.each<[way: string, save: (path: string, text: string) => void]>([
    ['written over', (path, text) => writeFileSync(path, text)],
    [
      'replaced by a file beside it',
      (path, text) => {
        writeFileSync(`${path}.tmp`, text)
        renameSync(`${path}.tmp`, path)
      },
    ],
    [
      'moved away and written anew',
      (path, text) => {
        renameSync(path, `${path}~`)
        writeFileSync(path, text)
      },
    ],
    [
      'deleted and written anew',
      (path, text) => {
        rmSync(path)
        writeFileSync(path, text)
      },
    ],
  ])('A33 tells of each save of a file that is %s', async (_, save) => {
    using planted = project({ 'AGENTS.md': 'none' })
    const workspace = await open(planted)
    let calls = 0
    const watching = await workspace.watch(() => calls++)
    for (const text of ['one', 'two', 'three', 'four']) {
      const before = calls
      save(planted.file('AGENTS.md'), text)
      await until(() => calls > before)
      expect((await workspace.relevantContexts()).map(({ content }) => content)).toEqual([text])
    }
    await watching.close()
  })

  it('A33 tells of a burst once or twice, and then shows what a fresh look shows', async () => {
    using planted = project({ 'AGENTS.md': 'none', 'a/AGENTS.md': 'none' })
    const workspace = await open(planted, { touched: ['a/x.ts'] })
    await workspace.relevantContexts()
    let calls = 0
    const watching = await workspace.watch(() => calls++)
    for (let round = 0; round < 2000; round++) {
      writeFileSync(planted.file(`a/other-${round % 20}`), `${round}`)
      if (round % 5 === 0) writeFileSync(planted.file('a/AGENTS.md'), `round ${round}`)
      if (round % 7 === 0) rmSync(planted.file(`a/other-${round % 20}`))
    }
    writeFileSync(planted.file('AGENTS.md'), 'last')
    await until(() => calls > 0)
    await setTimeout(200)
    expect(calls).toBeLessThan(10)
    const fresh = await open(planted, { touched: ['a/x.ts'] })
    expect((await workspace.prompt()).text).toBe((await fresh.prompt()).text)
    await watching.close()
  })

  it('A33 tells of a change within a second or two while entries come and go without end', async () => {
    using planted = project({ 'AGENTS.md': 'none' })
    const workspace = await open(planted)
    let calls = 0
    const watching = await workspace.watch(() => calls++)
    const churning = setInterval(() => {
      writeFileSync(planted.file('churn'), '')
      rmSync(planted.file('churn'))
    }, 10)
    writeFileSync(planted.file('AGENTS.md'), 'changed')
    await until(() => calls > 0).finally(() => clearInterval(churning))
    await watching.close()
  })
})

/** Whether this system lets a process have limits of its own on watches. */
const canLimit =
  LINUX && spawnSync('sh', ['-c', "unshare -Ur sh -c 'echo 1 > /proc/sys/user/max_inotify_watches'"]).status === 0

describe.runIf(canLimit)('A34 where the system has no watches left', () => {
  it('A34 looks for changes nowhere else', async () => {
    using planted = project({ 'AGENTS.md': 'none' })
    const asked = { place: planted.root, texts: ['first'] }
    expect(await inChild('watch', asked)).toEqual({ isPolling: false, read: ['first'] })
  })

  it.each([
    ['watches', 'max_inotify_watches', 0, true],
    ['watches but the one that is needed', 'max_inotify_watches', 1, false],
    ['instances', 'max_inotify_instances', 0, true],
  ])('A34 a change is told all the same, and whether it is looked for: no %s', async (_, limit, number, isPolling) => {
    using planted = project({ 'AGENTS.md': 'none', 'a/b/': '' })
    const before = `[ -n "$AMBIT_LIMITED" ] || AMBIT_LIMITED=1 exec unshare -Ur sh -c 'echo ${number} > /proc/sys/user/${limit} && exec "$0" "$@"' "$0" "$@"`
    expect(await inChild('watch', { place: planted.root, texts: ['first', 'second'] }, before)).toEqual({
      isPolling,
      read: ['first', 'second'],
    })
  })
})

describe.runIf(LINUX)('A35 a process with few descriptors', () => {
  it('A35 loses no file of five hundred and five hundred', async () => {
    const numbers = Array.from({ length: 500 }, (_, index) => String(index).padStart(3, '0'))
    const shape: Shape = Object.fromEntries(
      numbers.flatMap((number) => [
        [`.context/${number}.md`, number],
        [`${number}/AGENTS.md`, number],
      ]),
    )
    using planted = tree({ '.git/': '', ...shape })
    const touched = numbers.map((number) => planted.at(number, 'x.ts'))
    const { answer } = await inChild('look', { place: planted.base, touched }, 'ulimit -n 64')
    expect(answer.files.map(({ name }) => name)).toEqual(numbers)
    expect(answer.contexts.map(({ content }) => content)).toEqual(numbers)
    expect(answer.ledger.filter(({ why }) => why !== 'missing' && why !== 'over-budget')).toEqual([])
  })
})
