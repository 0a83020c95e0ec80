import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCodeIndex } from '../../src/code/code-index.ts'
import { encodeRecord } from '../../src/code/index/file-record.ts'
import { rankForTask } from '../../src/code/rank.ts'
import { scoreFiles } from '../../src/code/ranking/file-scores.ts'
import { scoreOfUnit } from '../../src/code/ranking/unit-scores.ts'
import { parseTask } from '../../src/code/task-query.ts'
import type { FlowEvent } from '../../src/core/flow.ts'
import { ROOT } from '../source-files.ts'
import { SECRET_LINE, type Shape, sparse, type Tree, tree } from '../support/tree.ts'

const SHAPE: Shape = {
  'src/parser.ts': 'export function parseLine(text: string) {\n  return text.split(",")\n}\n',
  'src/store.ts': 'export class Store {\n  save(row: Row) {\n    return row\n  }\n}\n',
  'test/parser.test.ts': 'it("parses", () => {\n  expect(parseLine("a,b")).toEqual(["a", "b"])\n})\n',
  'README.md': '# Parser\n\nHow lines are parsed.\n',
}

/** After a while in which nothing was written: what was written just now is read again. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 150))
}

function open(planted: Tree) {
  return openCodeIndex(planted.at('w'), { cacheFile: planted.at('cache/index') })
}

const inside = (shape: Shape): Shape =>
  Object.fromEntries(Object.entries(shape).map(([key, what]) => [`w/${key}`, what]))
const pathsOf = ({ files }: Awaited<ReturnType<typeof open>>) => files.map(({ path }) => path).sort()

/** What an index finds: paths with their scores. */
async function found(planted: Tree, task: string) {
  return (await rankForTask(await open(planted), parseTask(task))).files.map(({ file, score }) => [file.path, score])
}

describe('the index of a tree', () => {
  it('holds its files of code, prose and configuration, and reads none of them twice', async () => {
    using planted = tree(inside(SHAPE))
    await settled()
    const first = await open(planted)
    expect(pathsOf(first)).toEqual(['README.md', 'src/parser.ts', 'src/store.ts', 'test/parser.test.ts'])
    expect(first.changed).toBe(4)
    expect((await open(planted)).changed).toBe(0)
  })

  it('says after every sixteenth file how many are read', async () => {
    using planted = tree(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`w/${at}.ts`, 'const a = 1\n'])))
    const said: FlowEvent[] = []
    const run = { emit: (event: FlowEvent) => void said.push(event) }
    await openCodeIndex(planted.at('w'), { cacheFile: undefined, run })
    expect(said).toEqual([16, 32].map((done) => ({ type: 'progress', what: 'files', done, total: 40 })))
  })

  it('reads again what was written to, and finds what it says now', async () => {
    using planted = tree(inside(SHAPE))
    await settled()
    await open(planted)
    planted.plant(inside({ 'src/store.ts': 'export function compactSegments() {}\n' }))
    await settled()
    expect((await open(planted)).changed).toBe(1)
    expect((await found(planted, 'compactSegments'))[0]?.[0]).toBe('src/store.ts')
    expect(await found(planted, 'row')).toEqual([])
  })

  it('sees an edit that leaves size and time as they were', async () => {
    using planted = tree(inside(SHAPE))
    await settled()
    await open(planted)
    const path = planted.at('w/src/parser.ts')
    const { atime, mtime } = statSync(path)
    writeFileSync(path, readFileSync(path, 'utf8').replace('parseLine', 'parseCell'))
    utimesSync(path, atime, mtime)
    expect((await open(planted)).changed).toBe(1)
    expect((await found(planted, 'parseCell'))[0]?.[0]).toBe('src/parser.ts')
  })

  it('forgets what was taken away, and finds what came', async () => {
    using planted = tree(inside(SHAPE))
    await settled()
    await open(planted)
    planted.plant(inside({ 'lib/deep/new.go': 'func Fresh() {}\n' }))
    rmSync(planted.at('w/src/store.ts'))
    await settled()
    const index = await open(planted)
    expect(pathsOf(index)).toEqual(['README.md', 'lib/deep/new.go', 'src/parser.ts', 'test/parser.test.ts'])
    expect(index.changed).toBe(1)
  })

  it('is not written again for a link that leads nowhere', async () => {
    using planted = tree(inside({ ...SHAPE, 'lost.ts -> nowhere.ts': '' }))
    await settled()
    await open(planted)
    const written = statSync(planted.at('cache/index')).ino
    await open(planted)
    expect(statSync(planted.at('cache/index')).ino).toBe(written)
  })

  it.each<[change: string, before: Shape, after: Shape]>([
    ['appears', {}, { '.gitignore': 'deep.ts\n' }],
    ['changes', { '.gitignore': 'store.ts\n' }, { '.gitignore': 'deep.ts\nREADME.md\n' }],
    ['moves down', { '.gitignore': `${SECRET_LINE}store.ts\n` }, { '.gitignore': '', 'src/.gitignore': 'deep.ts\n' }],
    ['is joined by another', { '.gitignore': 'store.ts\n' }, { '.ignore': 'deep.ts\n' }],
  ])('heeds an ignore file above what did not change, when it %s and when it goes', async (_, before, after) => {
    using planted = tree(inside({ ...SHAPE, 'src/a/deep.ts': 'export const deep = 1\n', ...before }))
    await settled()
    expect(pathsOf(await open(planted))).toContain('src/a/deep.ts')
    planted.plant(inside(after))
    await settled()
    const paths = pathsOf(await open(planted))
    expect(paths).not.toContain('src/a/deep.ts')
    expect(paths).toEqual(pathsOf(await openCodeIndex(planted.at('w'), { cacheFile: undefined })))
    for (const name of Object.keys({ ...before, ...after })) rmSync(planted.at('w', name), { force: true })
    await settled()
    expect(pathsOf(await open(planted))).toEqual([
      ...['README.md', 'src/a/deep.ts', 'src/parser.ts', 'src/store.ts', 'test/parser.test.ts'],
    ])
    expect((await open(planted)).changed).toBe(0)
  })

  it.each([
    ['vendored code', 'node_modules/a/index.js', 'export const a = 1\n'],
    ['a lock file', 'package-lock.json', '{}\n'],
    ['a minified file', 'a.js', `${'var a=1;'.repeat(2000)}\n`],
    ['a file that is mostly one long line', 'a.js', `${'short\n'.repeat(500)}${'x'.repeat(6000)}\n`],
    ['a binary file', 'a.c', Uint8Array.of(1, 0, 2)],
    ['a file of a million lines', 'a.c', 'x\n'.repeat(1_000_000)],
    ['an enormous file', 'a.py', sparse(1 << 34)],
    ['instructions to agents', 'src/AGENTS.md', '# parseLine\n'],
    ['a secret', '.env', 'TOKEN=parseLine\n'],
    ['a secret by its name', 'aws-credentials.json', '{}\n'],
    ['what a link leads nowhere from', 'lost.ts -> nowhere.ts', ''],
    ['what a link leads out to', 'out.ts -> ../elsewhere.ts', ''],
  ])('does not hold %s', async (_, key, what) => {
    using planted = tree({ ...inside({ ...SHAPE, [key]: what }), 'elsewhere.ts': 'export const parseLine = 1\n' })
    expect(pathsOf(await open(planted))).toEqual(['README.md', 'src/parser.ts', 'src/store.ts', 'test/parser.test.ts'])
  })

  const flip = (bytes: Buffer, place: number) => Buffer.from(bytes.map((byte, at) => (at === place ? byte ^ 1 : byte)))

  it.each([
    ['cut off early', (bytes: Buffer) => bytes.subarray(0, 100)],
    ['of another format', () => Buffer.from('ambit code index 0xxxxxxxxxxxxxxx')],
    ['damaged', (bytes: Buffer) => flip(bytes, 90)],
    ['damaged at its end', (bytes: Buffer) => flip(bytes, bytes.length - 5)],
    ['cut off at its end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
    ['empty', () => Buffer.alloc(0)],
  ])('is made anew where its file is %s', async (_, damage) => {
    using planted = tree(inside(SHAPE))
    await settled()
    await open(planted)
    const before = await found(planted, 'parseLine')
    const path = planted.at('cache/index')
    writeFileSync(path, damage(readFileSync(path)))
    expect((await open(planted)).changed).toBe(4)
    expect(await found(planted, 'parseLine')).toEqual(before)
  })

  it('is for its owner alone', async () => {
    using planted = tree(inside(SHAPE))
    await open(planted)
    expect(statSync(planted.at('cache/index')).mode & 0o777).toBe(0o600)
  })

  it('takes no more than half of what it is of', async () => {
    using planted = tree({})
    const { files } = await openCodeIndex(join(ROOT, 'src'), { cacheFile: planted.at('index') })
    const source = files.reduce((sum, { path }) => sum + statSync(join(ROOT, 'src', path)).size, 0)
    expect(statSync(planted.at('index')).size).toBeLessThan(source / 2)
  })
})

describe('files for a task', () => {
  it('come first where they define what it names; tests of it come behind', async () => {
    using planted = tree(inside(SHAPE))
    const [first, ...others] = await found(planted, 'parseLine drops the last cell')
    expect(first?.[0]).toBe('src/parser.ts')
    expect(others.map(([path]) => path)).toContain('test/parser.test.ts')
  })

  it('have their paths read only a few times each, even for many stack frames', () => {
    let reads = 0
    const files = Array.from({ length: 200 }, (_, at) => ({
      ...{ stamp: [0, 0, 0, 0] as const, factor: 1, digest: 0, size: 0, record: encodeRecord('a', '') },
      get path() {
        reads++
        return `p${at}/index.ts`
      },
    }))
    const frames = files.map(({ path }) => ({ path, line: 1, name: undefined }))
    const { scores } = scoreFiles(files, { ...parseTask(''), frames })
    expect(scores.every(({ signals }) => signals.frames === 1)).toBe(true)
    expect(reads).toBeLessThan(20 * files.length)
  })

  it('have their units scored by the words of the task', () => {
    const record = encodeRecord('a.ts', 'function one() {\n  fill(pool)\n}\n\nfunction two() {\n  heat(kettle)\n}\n')
    const file = { path: 'a.ts', stamp: [0, 0, 0, 0] as const, factor: 1, digest: 0, size: 0, record }
    const { scores } = scoreFiles([file], parseTask('the kettle'))
    expect(scores.map(({ units }) => units)).toEqual([[0, expect.toSatisfy((score) => score > 0)]])
  })

  it('come first where a stack trace leads to them', async () => {
    using planted = tree(inside(SHAPE))
    expect((await found(planted, '    at save (/app/w/src/store.ts:2:5)'))[0]?.[0]).toBe('src/store.ts')
  })
})

it('a constant counts as a table of data, and less, from sixty lines on', () => {
  const signals = { words: 1, names: 0, symbols: 0, phrases: 0, frames: 0, file: 0 }
  const score = (end: number) => scoreOfUnit(signals, { start: 0, end, names: ['RATES'], kind: 'constant' })
  expect(score(60)).toBeLessThan(score(59))
})
