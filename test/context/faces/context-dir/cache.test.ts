import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  answerCache,
  type LoadedContext,
  type LoaderOptions,
  loadContext,
} from '../../../../src/context/context-dir/load-context.ts'
import { contextTree, PIPE, type Shape, type Tree, tree } from '../../../support/tree.ts'

/** Longer than it takes until a file that was just written is trusted to rest. */
const REST_MS = 150

const FILES: Shape = { 'TASKS.md': 'one', 'GLOSSARY.md': 'two', 'notes.txt': 'three', 'sub/DEEP.md': 'four' }

function ask(project: Tree, options: LoaderOptions = {}) {
  return loadContext({ rootDir: project.at('a'), cache: true, ...options })
}

/** A project whose files have rested, with a directory `a` to start from. */
async function rested(shape: Shape = {}): Promise<Tree> {
  const project = contextTree(FILES)
  project.plant({ 'a/': '', ...shape })
  await setTimeout(REST_MS)
  return project
}

describe('a cached answer', () => {
  it('is given again, itself, while nothing changes', async () => {
    using project = await rested()
    const first = await ask(project)
    for (let round = 0; round < 10; round++) expect(await ask(project)).toBe(first)
    const [one, two] = await Promise.all([ask(project), ask(project)])
    expect(one).toBe(first)
    expect(two).toBe(first)
  })

  it('is not given without the option, nor made by a call without it', async () => {
    using project = await rested()
    const plain = await ask(project, { cache: false })
    const first = await ask(project)
    expect(first).not.toBe(plain)
    expect(await ask(project, { cache: false })).not.toBe(first)
    expect(await ask(project)).toBe(first)
  })

  it('parses a file once for all who ask', async () => {
    using project = await rested()
    const [first, again] = [await ask(project), await ask(project)]
    expect(again.files[0]?.parsed).toBe(first.files[0]?.parsed)
  })

  it('is given for a context directory that there is not', async () => {
    using project = tree({ '.git/': '', 'a/': '' })
    const first = await ask(project)
    expect(first.contextDir).toBeNull()
    expect(await ask(project)).toBe(first)
    project.plant({ '.context': '' })
    await expect(ask(project)).rejects.toMatchObject({ code: 'invalid-input' })
    rmSync(project.at('.context'))
    project.plant({ '.context/TASKS.md': 'x' })
    expect((await ask(project)).files).toHaveLength(1)
  })

  it.each<[change: string, make: (at: Tree['at']) => void]>([
    ['other content', (at) => writeFileSync(at('.context/TASKS.md'), 'another text')],
    ['content of the same size', (at) => writeFileSync(at('.context/TASKS.md'), 'ONE')],
    ['content of the same size, with the times put back', (at) => rewriteInSecret(at('.context/TASKS.md'), 'ONE')],
    ['another file in its place', (at) => replace(at('.context/TASKS.md'), 'ONE')],
    ['a file more', (at) => writeFileSync(at('.context/DECISIONS.md'), 'new')],
    ['two files with exchanged names', (at) => exchange(at('.context/TASKS.md'), at('.context/GLOSSARY.md'))],
    ['another name of the directory', (at) => renameSync(at('.context'), at('context'))],
    ['a nearer directory', (at) => mkdirSync(at('a/.context'))],
    ['a file where the walk passes', (at) => writeFileSync(at('a/.context'), '')],
    ['a link', (at) => [renameSync(at('.context/TASKS.md'), at('x')), symlinkSync('../x', at('.context/TASKS.md'))]],
  ])('is forgotten after %s', async (change, make) => {
    using project = await rested()
    const first = await ask(project)
    expect(await ask(project)).toBe(first)
    make(project.at)
    const outcome = await ask(project).catch(({ code }) => code)
    expect(outcome).not.toBe(first)
    expect(outcome).toEqual(await loadContext({ rootDir: project.at('a') }).catch(({ code }) => code))
    if (change === 'a file where the walk passes') expect(outcome).toBe('invalid-input')
  })

  it.each<[what: string, shape: Shape, make: (at: Tree['at']) => void]>([
    ['other content', {}, (at) => writeFileSync(at('docs/x.md'), 'other')],
    ['another target', {}, (at) => [rmSync(at('.context/LINK.md')), symlinkSync('../a', at('.context/LINK.md'))]],
    ['no target', {}, (at) => rmSync(at('docs/x.md'))],
    ['a target that has moved out of the project', {}, (at) => moveOut(at)],
  ])('is forgotten when a link has %s', async (_, shape, make) => {
    using project = tree({
      'p/.git/': '',
      'p/a/': '',
      'p/docs/x.md': 'the text',
      'p/.context/LINK.md -> ../docs/x.md': '',
      ...shape,
    })
    await setTimeout(REST_MS)
    const rootDir = project.at('p/a')
    const first = await loadContext({ rootDir, cache: true })
    expect(first.files).toMatchObject([{ content: 'the text' }])
    expect(await loadContext({ rootDir, cache: true })).toBe(first)
    make((...path) => project.at('p', ...path))
    const second = await loadContext({ rootDir, cache: true })
    expect(second).not.toBe(first)
    expect(second).toEqual(await loadContext({ rootDir }))
  })

  it('is forgotten when a folder on its way is moved out of the project', async () => {
    using project = tree({ 'p/.git/': '', 'p/x/ctx/TASKS.md': 'one', 'p/.context -> x/ctx': '', 'out/': '' })
    await setTimeout(REST_MS)
    const rootDir = project.at('p')
    const first = await loadContext({ rootDir, cache: true })
    expect(first.files).toMatchObject([{ content: 'one' }])
    renameSync(project.at('p/x'), project.at('out/x'))
    symlinkSync('../out/x', project.at('p/x'))
    expect(await loadContext({ rootDir, cache: true })).toEqual(await loadContext({ rootDir }))
    expect((await loadContext({ rootDir, cache: true })).files).toEqual([])
  })

  it('is forgotten when a link to the project leads to another, which may not read its directory', async () => {
    const others = { 'b/.git/': '', 'b/.context -> ../a/ctx': '', 'p -> a': '' }
    using project = tree({ 'a/.git/': '', 'a/ctx/TASKS.md': 'one', 'a/.context -> ctx': '', ...others })
    await setTimeout(REST_MS)
    const rootDir = project.at('p')
    expect((await loadContext({ rootDir, cache: true })).files).toMatchObject([{ content: 'one' }])
    rmSync(rootDir)
    symlinkSync('b', rootDir)
    expect((await loadContext({ rootDir, cache: true })).files).toEqual([])
  })

  it('is forgotten when the project has another root', async () => {
    using project = tree({ '.git/': '', 'a/.context/TASKS.md': 'x' })
    await setTimeout(REST_MS)
    expect((await ask(project)).summary).toContain('Source: a/.context/TASKS.md')
    rmSync(project.at('.git'), { recursive: true })
    expect((await ask(project)).summary).toContain('Source: .context/TASKS.md')
  })

  it('is right when the directory is another by the same name', async () => {
    using project = await rested({ 'other/TASKS.md': 'other' })
    await ask(project)
    renameSync(project.at('.context'), project.at('b'))
    symlinkSync('b', project.at('.context'))
    expect((await ask(project)).files[0]?.content).toBe('one')
    rmSync(project.at('.context'))
    symlinkSync('other', project.at('.context'))
    expect((await ask(project)).files[0]?.content).toBe('other')
  })

  it('is remembered after what does not matter', async () => {
    using project = await rested()
    const first = await ask(project)
    project.plant({
      '.context/more.txt': 'x',
      '.context/sub/MORE.md': 'x',
      '.context/.hidden.md': 'x',
      'x.md': 'x',
    })
    expect(await ask(project)).toBe(first)
  })

  it.each<[option: string, options: LoaderOptions]>([
    ['budget', { tokenBudget: 100 }],
    ['task', { task: 'write' }],
    ['counter', { count: (text) => text.length }],
  ])('is not given to a call with another %s', async (_, options) => {
    using project = await rested({ 'elsewhere/TASKS.md': 'elsewhere' })
    const plain = await ask(project)
    const other = await ask(project, options)
    expect(other).not.toBe(plain)
    expect(other).toEqual(await loadContext({ rootDir: project.at('a'), ...options }))
    expect(await ask(project, options)).toBe(other)
    expect(await ask(project)).toBe(plain)
  })

  it('is not trusted while a file was written just before', async () => {
    using project = contextTree(FILES)
    project.plant({ 'a/': '' })
    for (let round = 0; round < 50; round++) {
      writeFileSync(project.at('.context/TASKS.md'), String(round % 10))
      const [first, second] = [await ask(project), await ask(project)]
      expect(first).not.toBe(second)
      expect(second.files[0]?.content).toBe(String(round % 10))
    }
  })

  it('is not kept when the next try may do better', async () => {
    using project = await rested()
    let loads = 0
    const ledger = () => (++loads > 2 ? [] : [{ why: 'failed' }])
    const answer = answerCache(async () => ({ ledger: ledger(), tokenCount: loads }) as unknown as LoadedContext)
    const asked = { start: project.base, name: '.context', tokenBudget: 1, priorityOrder: [], count: () => 0, task: '' }
    const get = async () => (await answer(asked)).tokenCount
    expect([await get(), await get(), await get(), await get()]).toEqual([1, 2, 3, 3])
  })

  it('is one of many, and the oldest go', async () => {
    using project = await rested()
    const first = await ask(project, { tokenBudget: 1 })
    for (let tokenBudget = 2; tokenBudget <= 200; tokenBudget++) await ask(project, { tokenBudget })
    const again = await ask(project, { tokenBudget: 1 })
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })

  it('is no failure: the next call tries again', async () => {
    using project = tree({ '.git/': '', 'a/': '', '.context': PIPE })
    await expect(ask(project)).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(ask(project)).rejects.toMatchObject({ code: 'invalid-input' })
    rmSync(project.at('.context'))
    project.plant({ '.context/TASKS.md': 'x' })
    expect((await ask(project)).files).toHaveLength(1)
  })

  it('is not lost to one caller because another has had enough', async () => {
    using project = await rested({ '.context/TASKS.md': 'Many words. '.repeat(5000) })
    const controller = new AbortController()
    const [stopped, waiting] = [ask(project, { signal: controller.signal }), ask(project)]
    controller.abort()
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' })
    expect((await waiting).truncated).toBe(true)
  })
})

function rewriteInSecret(path: string, text: string): void {
  const before = statSync(path)
  writeFileSync(path, text)
  utimesSync(path, before.atime, before.mtime)
  const after = statSync(path)
  expect([after.size, after.mtime, after.ino]).toEqual([before.size, before.mtime, before.ino])
}

function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

function exchange(one: string, other: string): void {
  renameSync(one, `${one}.aside`)
  renameSync(other, one)
  renameSync(`${one}.aside`, other)
}

/** The file that the link leads to is the same as before, but elsewhere. */
function moveOut(at: Tree['at']): void {
  renameSync(at('docs'), at('../docs'))
  symlinkSync('../docs', at('docs'))
}
