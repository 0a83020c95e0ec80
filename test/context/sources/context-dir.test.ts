import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  contextDir,
  PRIORITY_ORDER,
  readContextDir,
  readContextFile,
} from '../../../src/context/sources/context-dir.ts'
import { findContextDir, openContextDir } from '../../../src/context/sources/context-dir-walk.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { atOnce } from '../../../src/core/steps.ts'
import { contextTree, type Shape, tree } from '../../support/tree.ts'

function reading(start: string, priorityOrder: readonly string[] = PRIORITY_ORDER) {
  return readContextDir({ start, name: '.context', priorityOrder }, SILENT)
}

describe('the source of a context directory', () => {
  it('gives what it reads, whatever is asked, and keeps the records', async () => {
    using project = contextTree({ 'TASKS.md': 'x' })
    const source = contextDir({ start: project.base, name: '.context', priorityOrder: PRIORITY_ORDER })
    expect([source.name, source.reading.dir, source.reading.missing.length]).toEqual(['context-dir', null, 10])
    const selection = await source.gather({}, SILENT)
    expect(selection).toEqual((await reading(project.base)).selection)
    expect(await source.gather({ task: 'any', touched: ['x'] }, SILENT)).toEqual(selection)
    expect(source.reading.dir).toEqual({ path: project.at('.context'), levels: 0 })
  })

  it('makes a fragment of each file, the most important first', async () => {
    using project = contextTree({ 'TASKS.md': 'to\u200bdo', 'CONSTITUTION.md': 'rules', 'x.md': '' })
    const { files, selection } = await reading(project.base)
    const fragment = (name: string, title: string, text: string) => {
      const path = project.at('.context', name)
      const uri = pathToFileURL(path).href
      const labels = { filename: path, source: `.context/${name}` }
      const origin = { uri, id: files.get(uri)?.identity, labels }
      return { origin, kind: 'context', scope: 'context-dir', title, text, syntax: 'markdown' }
    }
    expect(selection.kept).toEqual([
      { ...fragment('CONSTITUTION.md', 'Constitution', 'rules'), pinned: true },
      fragment('TASKS.md', 'Current Tasks', 'todo'),
      fragment('x.md', 'x.md', ''),
    ])
    expect([...files.values()].map(({ fileName, content }) => [fileName, content])).toEqual([
      ['CONSTITUTION.md', 'rules'],
      ['TASKS.md', 'to\u200bdo'],
      ['x.md', ''],
    ])
  })

  it('pins the constitution, under all of its names, and nothing else', async () => {
    using project = contextTree({ 'CONSTITUTION.md': 'x', 'A.md -> CONSTITUTION.md': '', 'B.md': 'x', 'TASKS.md': 'x' })
    const { kept } = (await reading(project.base)).selection
    expect(kept.map(({ title, pinned }) => [title, pinned ?? false])).toEqual([
      ['Constitution', true],
      ['Current Tasks', false],
      ['A.md', true],
      ['B.md', false],
    ])
  })

  it('leaves what is missing, and says which of it is required', async () => {
    using project = contextTree({ 'TASKS.md': 'x' })
    const { left, warnings } = (await reading(project.base, ['DECISIONS', 'TASKS', 'NOTES.md'])).selection
    const row = (name: string) => ({ uri: pathToFileURL(project.at('.context', name)).href })
    expect(left).toEqual([
      { origin: row('DECISIONS.md'), title: 'Key Decisions', why: 'missing', required: true },
      { origin: row('NOTES.md'), title: 'NOTES.md', why: 'missing', required: false },
    ])
    expect(warnings).toEqual([])
  })

  it.each<[what: string, shape: Shape, why: string]>([
    ['a file', { '.context': '' }, 'unreadable'],
    ['a link out of the project', { '.git/': '', '.context -> /..': '' }, 'denied'],
  ])('leaves a context directory that is %s, and reads nothing', async (_, shape, why) => {
    using project = tree(shape)
    const { dir, files, missing, missingRequired, selection } = await reading(project.base)
    expect({ dir, files: files.size, missing }).toEqual({ dir: null, files: 0, missing: PRIORITY_ORDER })
    expect(missingRequired).toEqual(['CONSTITUTION.md', 'TASKS.md', 'DECISIONS.md'])
    expect(selection.kept).toEqual([])
    const uri = pathToFileURL(project.at('.context')).href
    expect(selection.left).toMatchObject([{ origin: { uri }, title: '.context', why, required: true }])
    expect(selection.warnings).toMatchObject([{ path: project.at('.context') }])
  })

  it('tells a directory from something else of its name, and from nothing', () => {
    using project = tree({ '.git/': '', 'a/.context/': '', 'b/.context': '', 'c/': '' })
    expect(findContextDir(project.at('a'), '.context')).toEqual({ dir: { path: project.at('a/.context'), levels: 0 } })
    expect(findContextDir(project.at('b'), '.context')).toEqual({ notADirectory: project.at('b/.context') })
    expect(findContextDir(project.at('c'), '.context')).toBeUndefined()
    expect(findContextDir('/', 'no-such-name')).toBeUndefined()
  })

  it('opens a directory within its project, and tells what is gone', () => {
    using project = contextTree({ 'b.md': '', 'a.md': '', '.c.md': '', 'd.txt': '' })
    const dir = { path: project.at('.context'), levels: 0 }
    expect(atOnce(openContextDir(dir))).toMatchObject({ ok: true, entries: [{ name: 'a.md' }, { name: 'b.md' }] })
    rmSync(project.at('.context'), { recursive: true })
    expect(atOnce(openContextDir(dir))).toMatchObject({ ok: false, why: 'missing' })
    rmSync(project.base, { recursive: true })
    expect(atOnce(openContextDir(dir))).toMatchObject({ ok: false, why: 'unreadable' })
  })

  it('reads a single file with its name', () => {
    using project = contextTree({ 'TASKS.md': 'x' })
    const path = project.at('.context/TASKS.md')
    expect(readContextFile(path)).toMatchObject({ ok: true, path, fileName: 'TASKS.md', content: 'x', warnings: [] })
    expect(() => readContextFile(`${path}.bak`)).toThrow(expect.objectContaining({ code: 'not-found' }))
  })
})
