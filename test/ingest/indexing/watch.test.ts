/** @module-tag long */

import { execFile } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ChangeWatcher, type WatchedTree } from '../../../src/ingest/indexing/watch.ts'
import { type Shape, type Tree, tree } from '../../support/tree.ts'

/** Long enough for a burst, and for whatever else comes of it. */
const QUIET_MS = 1000
const PATIENCE_MS = 20_000

const SHAPE = { 'w/a/x.md': '', 'w/build/out.md': '', 'w/.gitignore': 'build/\n', 'w/.cache/y.md': '' }

async function changesIn(
  of: Partial<WatchedTree>,
  use: (planted: Tree, next: (mostMs: number) => Promise<readonly string[]>, changes: ChangeWatcher) => Promise<void>,
) {
  using planted = tree(SHAPE)
  const changes = new ChangeWatcher()
  await changes.watch([{ root: planted.at('w'), patterns: [], exclude: [], ...of }])
  const next = async (mostMs: number) =>
    [...(await changes.next(mostMs))].map((root) => root.slice(planted.base.length))
  try {
    await use(planted, next, changes)
  } finally {
    await changes.close()
  }
}

describe('a collection that is watched', () => {
  it.each<[string, Partial<WatchedTree>, Shape, boolean]>([
    ['a file', {}, { 'w/a/x.md': 'x' }, true],
    ['a new directory', {}, { 'w/new/deep/x.md': 'x' }, true],
    ['what git ignores', {}, { 'w/build/out.md': 'x', 'w/build/deep/x.md': 'x' }, false],
    ['what git ignores, where the collection takes it', { exclude: ['!.gitignore'] }, { 'w/build/out.md': 'x' }, true],
    ['hidden directories', {}, { 'w/.cache/y.md': 'x' }, false],
    ['packages', {}, { 'w/node_modules/x/index.js': 'x' }, false],
    ['files that its patterns do not name', { patterns: ['*.md'] }, { 'w/a/x.ts': 'x' }, false],
    ['files that they name', { patterns: ['*.md'] }, { 'w/a/b/x.md': 'x' }, true],
    ['what is excluded', { exclude: ['a'] }, { 'w/a/x.md': 'x' }, false],
    ['the rules of git', {}, { 'w/.gitignore': '' }, true],
  ])('is told of %s, or not', (_, of, shape, isTold) =>
    changesIn(of, async (planted, next) => {
      planted.plant(shape)
      expect(await next(isTold ? PATIENCE_MS : QUIET_MS)).toEqual(isTold ? ['/w'] : [])
    }),
  )

  it('goes by the rules of git as they are now', () =>
    changesIn({}, async (planted, next) => {
      planted.plant({ 'w/.gitignore': 'a/\n' })
      expect(await next(PATIENCE_MS)).toEqual(['/w'])
      await next(QUIET_MS)
      planted.plant({ 'w/a/x.md': 'x' })
      expect(await next(QUIET_MS)).toEqual([])
      planted.plant({ 'w/build/out.md': 'x' })
      expect(await next(PATIENCE_MS)).toEqual(['/w'])
    }))

  it('is watched anew when its root was away', () =>
    changesIn({}, async (planted, next, changes) => {
      const trees = [{ root: planted.at('w'), patterns: [], exclude: [] }]
      renameSync(planted.at('w'), planted.at('v'))
      await changes.watch(trees)
      expect(await next(PATIENCE_MS)).toEqual(['/w'])
      mkdirSync(planted.at('w'))
      await changes.watch(trees)
      await next(QUIET_MS)
      planted.plant({ 'w/x.md': 'x' })
      expect(await next(PATIENCE_MS)).toEqual(['/w'])
      rmSync(planted.at('v'), { recursive: true })
    }))

  it('is told of no more when it is not watched', () =>
    changesIn({}, async (planted, next, changes) => {
      await changes.watch([])
      planted.plant({ 'w/a/x.md': 'x' })
      expect(await next(QUIET_MS)).toEqual([])
    }))
})

it('where the system has no watches left, a collection is looked at again and again', async () => {
  using planted = tree(SHAPE)
  const source = fileURLToPath(new URL('../../../src/ingest/indexing/watch.ts', import.meta.url))
  const program = `
    const { default: fs } = await import('node:fs')
    const { watch } = fs
    let left = 2
    fs.watch = (...args) => {
      if (left-- > 0) return watch(...args)
      throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' })
    }
    const { syncBuiltinESMExports } = await import('node:module')
    syncBuiltinESMExports()
    const { ChangeWatcher } = await import(${JSON.stringify(source)})
    const root = ${JSON.stringify(planted.at('w'))}
    const changes = new ChangeWatcher()
    await changes.watch([{ root, patterns: [], exclude: [] }])
    await new Promise((resume) => setTimeout(resume, 100))
    const held = process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
    fs.mkdirSync(root + '/b/c', { recursive: true })
    fs.writeFileSync(root + '/b/c/x.md', 'x')
    const [told] = await changes.next(60_000)
    console.log(JSON.stringify({ polled: changes.isPolled(root), held, told: told === root }))
    await changes.close()`
  planted.plant({ 'w/b/x.md': '' })
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 60_000,
  })
  expect(JSON.parse(stdout)).toEqual({ polled: process.platform !== 'darwin', held: 0, told: true })
})
