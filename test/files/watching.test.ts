/** One watched tree and some watched paths for each way of watching; test/files/watch-tree.test.ts has each change apart. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { type WatchOptions, watchPaths, watchTree } from '../../src/files/watch-tree.ts'
import { tree } from '../support/tree.ts'

const WAYS: readonly (readonly [string, WatchOptions])[] = [
  ['by a watcher for each directory', { recursive: false }],
  ['by one for the tree', { recursive: true }],
  ['by asking', { polling: true }],
]

/** Changes until it is told: a watcher may begin a little later than it says. */
async function told(calls: () => number, change: (time: number) => void): Promise<void> {
  const before = calls()
  for (let time = 0; time < 200 && calls() === before; time++) {
    if (time % 20 === 0) change(time)
    await setTimeout(time < 20 ? 10 : 50)
  }
  expect(calls()).toBeGreaterThan(before)
}

/** The number of calls when there were none for so long. */
async function settled(calls: () => number, ms: number): Promise<number> {
  for (let before = -1; before !== calls(); await setTimeout(ms)) before = calls()
  return calls()
}

it.concurrent.each(WAYS)('a tree is watched %s', async (_, options) => {
  using planted = tree({ 't/a/b/y.ts': '', 't/out/z.ts': '', 't/later/w.ts': '', 'beside/v.ts': '' })
  const [entered, left] = [new Set<string>(), new Set<string>()]
  const rules = {
    visit: (directory: string, names: readonly string[]) => {
      entered.add(`${directory}: ${[...names].sort().join(' ')}`)
      if (names.includes('LEFT')) left.add(readFileSync(planted.at('t/LEFT'), 'utf8'))
    },
    isLeftOut: (path: string) => path.startsWith('out') || left.has(path.split('/')[0] ?? ''),
    hasIgnoreRules: (path: string) => path === 'LEFT',
  }
  let count = 0
  const watching = await watchTree(planted.at('t'), () => count++, { ...options, rules })
  const calls = () => count
  expect([watching.isPolling, watching.isLost()]).toEqual([options.polling === true, false])
  if (!options.recursive) expect([...entered].sort()).toEqual([': a later out', 'a/b: y.ts', 'a: b', 'later: w.ts'])
  await told(calls, (time) => writeFileSync(planted.at('t/a/b/y.ts'), `y${time}`))
  await told(calls, (time) => mkdirSync(planted.at(`t/a/new${time}/deep`), { recursive: true }))
  if (!options.recursive) await told(calls, (time) => writeFileSync(planted.at('t/a/new0/deep/x.ts'), `x${time}`))
  await told(calls, (time) =>
    renameSync(planted.at(time % 40 === 0 ? 'beside' : 't/a/c'), planted.at(time % 40 === 0 ? 't/a/c' : 'beside')),
  )
  await told(calls, () => rmSync(planted.at('t/a/c'), { recursive: true, force: true }))
  writeFileSync(planted.at('t/LEFT'), 'later')
  await vi.waitUntil(() => left.has('later'), 60_000)
  const quiet = await settled(calls, options.polling ? 1200 : 300)
  writeFileSync(planted.at('t/out/z.ts'), 'z')
  writeFileSync(planted.at('t/later/w.ts'), 'w')
  await setTimeout(options.polling ? 700 : 100)
  expect(count).toBe(quiet)
  rmSync(planted.at('t'), { recursive: true })
  expect(watching.isLost()).toBe(true)
  watching.close()
})

it.concurrent.each(WAYS)('paths are watched %s', async (_, options) => {
  using planted = tree({ 'w/a/x.ts': '', 'w/b/c/d.md': '' })
  let count = 0
  const named = ['w/a', 'w/b/c/d.md', 'w/new/below'].map((path) => planted.at(path))
  const watching = await watchPaths(named, async () => void count++, options)
  const calls = () => count
  expect(watching.isPolling).toBe(options.polling === true)
  await told(calls, (time) => writeFileSync(planted.at('w/a/x.ts'), `x${time}`))
  await told(calls, (time) => writeFileSync(planted.at('w/b/c/d.md'), `d${time}`))
  await told(calls, () => mkdirSync(planted.at('w/new/below'), { recursive: true }))
  await told(calls, (time) => writeFileSync(planted.at('w/new/below/e.md'), `e${time}`))
  await watching.close()
  const closed = count
  writeFileSync(planted.at('w/a/x.ts'), 'last')
  await setTimeout(options.polling ? 700 : 100)
  expect(count).toBe(closed)
})
