/**
 * Directories that change while they are watched.
 *
 * @module-tag long
 */

import { mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type WatchOptions, type WatchRules, watchPaths, watchTree } from '../../src/files/watch-tree.ts'
import { type Tree, tree } from '../support/tree.ts'

/** Longer than a burst is waited for. */
const QUIET_MS = 250
const PATIENCE_MS = 20_000

const SHAPE = { 'w/a/AGENTS.md': 'a', 'w/a/x.ts': '', 'w/b/c/AGENTS.md': 'c', 'w/b/c/deep/y.ts': '' }

/** Watches two directories, a file, and two paths that are not there. */
async function watched(options: WatchOptions, use: (planted: Tree, calls: () => number) => Promise<void>) {
  using planted = tree(SHAPE)
  const named = ['w/a', 'w/b/c', 'w/b/c/AGENTS.md', 'w/b/c/.rules', 'w/new/below'].map((path) => planted.at(path))
  let calls = 0
  const watching = await watchPaths(named, async () => void calls++, options)
  await setTimeout(QUIET_MS)
  calls = 0
  try {
    await use(planted, () => calls)
  } finally {
    await watching.close()
  }
}

async function until(condition: () => boolean): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS
  while (!condition() && performance.now() < end) await setTimeout(10)
  return condition()
}

const CHANGES: [string, (at: (path: string) => string) => void][] = [
  ['a file in a directory is written', (at) => writeFileSync(at('w/a/AGENTS.md'), 'b')],
  ['a file comes', (at) => writeFileSync(at('w/a/new.md'), 'b')],
  ['a file goes', (at) => unlinkSync(at('w/a/AGENTS.md'))],
  ['a named file is written', (at) => writeFileSync(at('w/b/c/AGENTS.md'), 'd')],
  ['a path that was waited for comes', (at) => writeFileSync(at('w/b/c/.rules'), 'r')],
  ['a directory comes on the way to it', (at) => mkdirSync(at('w/new/below'), { recursive: true })],
  ['a directory goes', (at) => rmSync(at('w/b'), { recursive: true })],
]

describe.each<[string, WatchOptions]>([
  ['by a watcher for each directory', { recursive: false }],
  ['by one for a tree', { recursive: true }],
  ['by asking', { polling: true }],
])('paths are watched %s', (_, options) => {
  it.each(CHANGES)('when %s', (_, change) =>
    watched(options, async (planted, calls) => {
      change((path) => planted.at(path))
      expect(await until(() => calls() > 0)).toBe(true)
    }),
  )

  it('also in a directory that was made anew, and in one that came', () =>
    watched(options, async (planted, calls) => {
      const back = planted.at('w/b/c')
      rmSync(back, { recursive: true })
      await until(() => calls() > 0)
      mkdirSync(back)
      mkdirSync(planted.at('w/new/below'), { recursive: true })
      await setTimeout(QUIET_MS * 2)
      for (const path of ['w/b/c/AGENTS.md', 'w/new/below/x.md']) {
        const before = calls()
        writeFileSync(planted.at(path), 'again')
        expect(await until(() => calls() > before)).toBe(true)
        await setTimeout(QUIET_MS)
      }
    }))
})

describe('watching', () => {
  it.each<[string, WatchOptions]>([
    ['for each directory', { recursive: false }],
    ['for a tree', { recursive: true }],
  ])('calls once for a burst, and not for what is deeper: %s', (_, options) =>
    watched(options, async (planted, calls) => {
      writeFileSync(planted.at('w/b/c/deep/y.ts'), 'y')
      writeFileSync(planted.at('w/elsewhere.md'), 'z')
      await setTimeout(QUIET_MS)
      expect(calls()).toBe(0)
      for (const text of ['1', '2', '3']) writeFileSync(planted.at('w/a/x.ts'), text)
      renameSync(planted.at('w/a/x.ts'), planted.at('w/a/z.ts'))
      await setTimeout(QUIET_MS * 2)
      expect(calls()).toBe(1)
    }),
  )

  it('calls while changes never cease', () =>
    watched({ recursive: false }, async (planted, calls) => {
      const churning = setInterval(() => writeFileSync(planted.at('w/a/x.ts'), 'x'), 10)
      expect(await until(() => calls() > 0).finally(() => clearInterval(churning))).toBe(true)
    }))

  it('ends when it is closed', async () => {
    using planted = tree(SHAPE)
    let calls = 0
    const watching = await watchPaths([planted.at('w/a')], async () => void calls++)
    expect(watching.isPolling).toBe(false)
    await watching.close()
    writeFileSync(planted.at('w/a/x.ts'), 'x')
    await setTimeout(QUIET_MS)
    expect(calls).toBe(0)
  })

  it('says that it asks', async () => {
    using planted = tree(SHAPE)
    const watching = await watchPaths([planted.at('w/a')], async () => {}, { polling: true })
    expect(watching.isPolling).toBe(true)
    await watching.close()
  })
})

/** Leaves out what is called `out`, and what `LEFT` in the root names. */
function watchRulesFor(planted: Tree): WatchRules {
  let named = ''
  return {
    visit: (directory, names) => {
      if (directory === '' && names.includes('LEFT')) named = readFileSync(planted.at('t/LEFT'), 'utf8')
    },
    isLeftOut: (path) => path.endsWith('out') || (named !== '' && path.startsWith(named)),
    hasIgnoreRules: (path) => path === 'LEFT',
  }
}

/** Watches a tree. */
async function watchedTree(options: WatchOptions, use: (planted: Tree, calls: () => number) => Promise<void>) {
  using planted = tree({ 't/a/x.ts': '', 't/a/b/y.ts': '', 't/out/z.ts': '', 't/later/w.ts': '', 'beside/c/v.ts': '' })
  let calls = 0
  const watching = await watchTree(planted.at('t'), () => calls++, { ...options, rules: watchRulesFor(planted) })
  await setTimeout(QUIET_MS)
  calls = 0
  try {
    await use(planted, () => calls)
  } finally {
    watching.close()
  }
}

const TREE_CHANGES: [string, (at: (path: string) => string) => void][] = [
  ['a file is written', (at) => writeFileSync(at('t/a/b/y.ts'), 'y')],
  ['a file comes', (at) => writeFileSync(at('t/a/b/new.ts'), 'n')],
  ['a file goes', (at) => unlinkSync(at('t/a/x.ts'))],
  ['a directory goes', (at) => rmSync(at('t/a'), { recursive: true })],
  ['a directory comes with what is in it', (at) => renameSync(at('beside/c'), at('t/a/c'))],
  ['a directory is moved away', (at) => renameSync(at('t/a/b'), at('beside/b'))],
]

describe.each<[string, WatchOptions]>([
  ['by a watcher for each directory', { recursive: false }],
  ['by one for the tree', { recursive: true }],
  ['by asking', { polling: true }],
])('a tree is watched %s', (_, options) => {
  const pauseMs = options.polling ? 1500 : QUIET_MS

  it.each(TREE_CHANGES)('when %s', (_, change) =>
    watchedTree(options, async (planted, calls) => {
      change((path) => planted.at(path))
      expect(await until(() => calls() > 0)).toBe(true)
    }),
  )

  // On Linux the recursive watcher of Node.js misses what stands where something else stood.
  const isOfSystem = !options.recursive || process.platform === 'darwin'
  it.runIf(isOfSystem)('in directories that came, at any depth, also where others stood', () =>
    watchedTree(options, async (planted, calls) => {
      rmSync(planted.at('t/a'), { recursive: true })
      mkdirSync(planted.at('t/a/b/c/d'), { recursive: true })
      renameSync(planted.at('beside/c'), planted.at('t/a/moved'))
      await until(() => calls() > 0)
      for (const path of ['t/a/b/c/d/x.ts', 't/a/b/y.ts', 't/a/moved/v.ts']) {
        await setTimeout(pauseMs)
        const before = calls()
        writeFileSync(planted.at(path), 'again')
        expect(await until(() => calls() > before), path).toBe(true)
      }
    }),
  )

  it('not in what is left out, nor outside', () =>
    watchedTree(options, async (planted, calls) => {
      writeFileSync(planted.at('t/out/z.ts'), 'z')
      mkdirSync(planted.at('t/out/deep'))
      writeFileSync(planted.at('beside/c/v.ts'), 'v')
      writeFileSync(planted.at('t/a/b/not-out'), 'o')
      await setTimeout(pauseMs)
      expect(calls()).toBe(0)
    }))

  it('and what is left out is known anew when the file that says so changes', () =>
    watchedTree(options, async (planted, calls) => {
      writeFileSync(planted.at('t/LEFT'), 'later')
      expect(await until(() => calls() > 0)).toBe(true)
      await setTimeout(pauseMs)
      const before = calls()
      writeFileSync(planted.at('t/later/w.ts'), 'w')
      await setTimeout(pauseMs)
      expect(calls()).toBe(before)
    }))
})

describe('a tree', () => {
  it('is lost when its root is gone, or another is in its place', async () => {
    using planted = tree({ 't/a/x.ts': '' })
    const options = { rules: watchRulesFor(planted), recursive: false }
    const watching = await watchTree(planted.at('t'), () => {}, options)
    expect([watching.isLost(), watching.isPolling]).toEqual([false, false])
    renameSync(planted.at('t'), planted.at('u'))
    expect(watching.isLost()).toBe(true)
    mkdirSync(planted.at('t'))
    expect(watching.isLost()).toBe(true)
    watching.close()
    const none = await watchTree(planted.at('none'), () => {}, options)
    expect(none.isLost()).toBe(true)
    none.close()
  })

  it('is watched with one watch for each directory that counts, and with none after it is closed', async () => {
    using planted = tree({ 't/a/b/x.ts': '', 't/out/z/x.ts': '', 't/c/x.ts': '' })
    await setTimeout(QUIET_MS)
    const before = watchesOf()
    const watching = await watchTree(planted.at('t'), () => {}, { rules: watchRulesFor(planted), recursive: false })
    expect(watchesOf() - before).toBe(4)
    rmSync(planted.at('t/a'), { recursive: true })
    expect(await until(() => watchesOf() - before === 2)).toBe(true)
    watching.close()
    expect(await until(() => watchesOf() === before)).toBe(true)
  })
})

/** How many watches this process holds. */
function watchesOf(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
}
