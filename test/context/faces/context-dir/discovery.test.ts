import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasContext, loadContext, loadContextFile } from '../../../../src/context/context-dir/load-context.ts'
import { PRIORITY_ORDER } from '../../../../src/context/sources/context-dir.ts'
import { PIPE, type Shape, tree } from '../../../support/tree.ts'

describe('the walk for the context directory', () => {
  it.each<[rule: string, shape: Shape, start: string, found: string | null, levels?: number]>([
    ['looks in the start', { '.context/': '' }, '', '.context', 0],
    ['takes an empty directory', { 'a/.context/': '' }, 'a', 'a/.context', 0],
    ['looks 1 level up', { '.context/': '', 'a/': '' }, 'a', '.context', 1],
    ['looks 5 levels up', { '.context/': '', 'a/b/c/d/e/': '' }, 'a/b/c/d/e', '.context', 5],
    ['does not look 6 levels up', { '.context/': '', 'a/b/c/d/e/f/': '' }, 'a/b/c/d/e/f', null],
    ['takes the nearest', { '.context/': '', 'a/.context/': '', 'a/b/': '' }, 'a/b', 'a/.context', 1],
    ['does not look down', { '.git/': '', 'a/.context/': '' }, '', null],
    ['looks where .git is', { '.git/': '', '.context/': '', 'a/': '' }, 'a', '.context', 1],
    ['ends at .git', { '.context/': '', 'a/.git/': '', 'a/b/': '' }, 'a/b', null],
    ['is not ended by .git farther up', { '.git/': '', 'a/.context/': '', 'a/b/': '' }, 'a/b', 'a/.context', 1],
    ['is not ended by .gitignore', { '.context/': '', 'a/.gitignore': '*', 'a/b/': '' }, 'a/b', '.context', 2],
    ['follows a link inside the project', { '.git/': '', 'docs/': '', '.context -> docs': '' }, '', '.context', 0],
    ['refuses a link outside the project', { 'p/.git/': '', 'out/': '', 'p/.context -> ../out': '' }, 'p', null],
    ['refuses one that looks alike', { 'p/': '', 'p-evil/': '', 'p/.context -> ../p-evil': '' }, 'p', null],
    ['ends at the link refused', { '.context/': '', 'p/': '', 'out/': '', 'p/.context -> ../out': '' }, 'p', null],
    ['passes a link to nothing', { '.context/': '', 'a/.context -> nowhere': '' }, 'a', '.context', 1],
    ['minds case', { '.git/': '', '.Context/': '', '.CONTEXT/': '' }, '', null],
  ])('%s', async (_, shape, start, found, levels) => {
    using project = tree(shape)
    const rootDir = project.at(start)
    const { contextDir, missing } = await loadContext({ rootDir })
    expect(contextDir).toEqual(found === null ? null : { path: project.at(found).replace(/\/$/, ''), levels })
    expect(missing).toEqual(PRIORITY_ORDER)
    expect(await hasContext(rootDir)).toBe(found !== null)
  })

  it.each<[what: string, shape: Shape]>([
    ['a file', { 'a/.context': 'text' }],
    ['an empty file', { 'a/.context': '' }],
    ['a link to a file', { 'a/.context -> ../README.md': '', 'README.md': '' }],
    ['a named pipe', { 'a/.context': PIPE }],
  ])('fails at %s of that name, also below a directory', async (_, shape) => {
    using project = tree({ '.git/': '', '.context/TASKS.md': 'x', 'a/b/': '', ...shape })
    for (const rootDir of [project.at('a'), project.at('a/b')]) {
      await expect(loadContext({ rootDir })).rejects.toMatchObject({
        name: 'ContextError',
        code: 'invalid-input',
        message: expect.stringContaining(project.at('a/.context')),
        hint: expect.stringContaining('directory'),
      })
      expect(await hasContext(rootDir)).toBe(false)
    }
  })

  it.each([
    ['.ctx', '.ctx'],
    ['.ctx/', '.ctx'],
    ['docs/context', 'docs/context'],
    ['./.ctx', '.ctx'],
    ['name with spaces', 'name with spaces'],
    ['..dots', '..dots'],
  ])('looks for another name when it is told one: %j', async (contextDir, path) => {
    using project = tree({ [`${path}/TASKS.md`]: 'x', '.context/TASKS.md': 'y', 'a/': '' })
    const loaded = await loadContext({ rootDir: project.at('a'), contextDir })
    expect(loaded.contextDir).toEqual({ path: project.at(path), levels: 1 })
    expect(loaded.files.map(({ content }) => content)).toEqual(['x'])
    expect(await hasContext(project.at('a'), contextDir)).toBe(true)
  })

  it.each(['', '.', './', '..', '../', '../other', 'a/../..', 'a/..', '/', '/etc', '\0', 'a\0b'])(
    'refuses what is not a name: %j',
    async (contextDir) => {
      using project = tree({ 'other/TASKS.md': 'x', 'a/TASKS.md': 'x' })
      const refusal = { code: 'invalid-input', hint: expect.stringContaining('.context') }
      await expect(loadContext({ rootDir: project.at('a'), contextDir })).rejects.toMatchObject(refusal)
      await expect(hasContext(project.at('a'), contextDir)).rejects.toMatchObject(refusal)
    },
  )

  it('takes a relative start, and one written in a roundabout way', async () => {
    using project = tree({ '.context/TASKS.md': 'x', 'a/': '' })
    for (const rootDir of [relative('', project.at('a')), `${project.base}//a/./../a/`]) {
      expect((await loadContext({ rootDir })).contextDir).toEqual({ path: project.at('.context'), levels: 1 })
    }
  })

  it.each(['nowhere', 'README.md', 'README.md/below', 'a\0b', 'x'.repeat(5000)])(
    'does not begin where there is no directory: case %#',
    async (start) => {
      using project = tree({ '.context/': '', 'README.md': '' })
      const rootDir = `${project.base}/${start}`
      await expect(loadContext({ rootDir })).rejects.toMatchObject({ code: 'not-found', hint: expect.any(String) })
      expect(await hasContext(rootDir)).toBe(false)
    },
  )

  it('says why a directory that it found is not read', async () => {
    using project = tree({ 'p/.git/': '', 'out/TASKS.md': 'secret', 'p/.context -> ../out': '' })
    const loaded = await loadContext({ rootDir: project.at('p') })
    const path = project.at('p/.context')
    expect(loaded).toMatchObject({ contextDir: null, summary: '', tokenCount: 0, files: [], missing: PRIORITY_ORDER })
    expect(loaded.ledger).toMatchObject([
      { decision: 'left', why: 'denied', detail: '.context leads outside the root.' },
    ])
    expect(loaded.warnings).toEqual([{ path, message: '.context cannot be read: .context leads outside the root.' }])
    expect(JSON.stringify(loaded)).not.toContain('secret')
    await expect(loadContextFile(join(path, 'TASKS.md'))).rejects.toMatchObject({ code: 'denied' })
  })

  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'reads nothing in directories of the operating system, and fails for none',
    async () => {
      const rootDir = mkdtempSync('/run/ambit-')
      try {
        mkdirSync(join(rootDir, '.context'))
        writeFileSync(join(rootDir, '.context/TASKS.md'), 'secret')
        const loaded = await loadContext({ rootDir })
        expect(loaded).toMatchObject({ contextDir: null, ledger: [{ why: 'denied' }] })
        expect(JSON.stringify(loaded)).not.toContain('secret')
        expect(await hasContext(rootDir)).toBe(false)
        await expect(loadContextFile(join(rootDir, '.context/TASKS.md'))).rejects.toMatchObject({ code: 'denied' })
      } finally {
        rmSync(rootDir, { recursive: true })
      }
    },
  )
})

it('the root of a project confines the files of a context directory, not the directory of the start', async () => {
  using project = tree({
    'p/.git/': '',
    'p/docs/x.md': 'inside',
    'p/a/.context/TASKS.md -> ../../docs/x.md': '',
  })
  expect((await loadContext({ rootDir: project.at('p/a') })).files.map(({ content }) => content)).toEqual(['inside'])
  rmSync(project.at('p/.git'), { recursive: true })
  expect((await loadContext({ rootDir: project.at('p/a') })).ledger[0]).toMatchObject({ why: 'denied' })
})
