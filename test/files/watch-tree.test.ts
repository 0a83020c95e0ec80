import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type WatchOptions, watchPaths } from '../../src/files/watch-tree.ts'
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
