import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  INCLUDE_HIDDEN,
  INCLUDE_IGNORED,
  SKIPPED_DIRECTORIES,
  type WalkOptions,
} from '../../../src/ingest/file-filter.ts'
import { walkTree } from '../../../src/ingest/indexing/tree.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { PIPE, SECRET_LINE, type Shape, SOCKET, type Tree, tree } from '../../support/tree.ts'
import { withNobody } from '../../support/with-nobody.ts'
import { asNobody } from './as-nobody.ts'

/** With hidden files, unless something else is excluded: most of these tests look for what `.gitignore` says. */
async function walked(shape: Shape, options: Partial<WalkOptions> = {}) {
  using place = tree(shape)
  return await walkAt(place, options)
}

function walkAt(place: Tree, options: Partial<WalkOptions> = {}) {
  return walkTree({ root: place.at('root'), patterns: [], exclude: [INCLUDE_HIDDEN], ...options })
}

async function names(shape: Shape, options: Partial<WalkOptions> = {}): Promise<string[]> {
  return (await walked(shape, options)).files.map(({ path }) => path).sort()
}

describe('the files of a collection', () => {
  it('are those at any depth, each with its size and times', async () => {
    using place = tree({ 'root/a.md': 'abc', 'root/b/c/d.txt': '', 'root/b/.dot': 'x', 'root/empty/': '', other: 'x' })
    const { files, secrets, unknownPlaces } = await walkAt(place, { exclude: [] })
    expect(files.map(({ path, size }) => `${path} ${size}`)).toEqual(['a.md 3', 'b/c/d.txt 0'])
    for (const { mtime, ctime } of files) expect([mtime, ctime]).toEqual([expect.stringMatching(/^\d{19}$/), mtime])
    expect([secrets, unknownPlaces]).toEqual([[], []])
  })

  it.each(SKIPPED_DIRECTORIES)('are none in %s, unless a pattern names it', async (name) => {
    const shape = { [`root/a/${name}/x.md`]: 'x', [`root/${name}/y.md`]: 'y', 'root/z.md': 'z' }
    expect(await names(shape)).toEqual(['z.md'])
    const { files, secrets } = await walked(shape, { patterns: [`**/${name}/**`] })
    expect([...files, ...secrets].map(({ path }) => path)).toEqual([`${name}/y.md`, `a/${name}/x.md`].sort())
  })

  it.each<[patterns: string[], exclude: string[], expected: string[]]>([
    [['*.md'], [], ['a.md', 'b/c.md', 'b/d/e.md']],
    [['b/*.md'], [], ['b/c.md']],
    [['/a.md'], [], ['a.md']],
    [['b/'], [], ['b/c.md', 'b/d/e.md', 'b/d/f.txt']],
    [['*.{md,txt}'], [], ['a.md', 'b/c.md', 'b/d/e.md', 'b/d/f.txt']],
    [['*.md', '!b/**'], [], ['a.md']],
    [['nothing'], [], []],
    [[], ['*.md'], ['b/d/f.txt', 'g']],
    [[], ['b/'], ['a.md', 'g']],
    [[], ['d/'], ['a.md', 'b/c.md', 'g']],
    [[], ['b/d'], ['a.md', 'b/c.md', 'g']],
    [[], ['d'], ['a.md', 'b/c.md', 'g']],
    [[], ['b/**'], ['a.md', 'g']],
    [['*.md'], ['b/d/'], ['a.md', 'b/c.md']],
  ])('that match %j and not %j are %j', async (patterns, exclude, expected) => {
    const shape = { 'root/a.md': '', 'root/b/c.md': '', 'root/b/d/e.md': '', 'root/b/d/f.txt': '', 'root/g': '' }
    expect(await names(shape, { patterns, exclude })).toEqual(expected)
  })

  it('do not come from pipes and sockets, and nobody waits for those', async () => {
    expect(await names({ 'root/a': 'x', 'root/pipe': PIPE, 'root/socket': SOCKET })).toEqual(['a'])
  })

  it('that look like secrets are named apart', async () => {
    const shape = { 'root/.env': 'A=1', 'root/b/id_rsa': 'x', 'root/b/c.pem': 'x', 'root/d': '' }
    const { files, secrets } = await walked(shape)
    expect(files.map(({ path }) => path)).toEqual(['d'])
    expect(secrets.map(({ path }) => path)).toEqual(['.env', 'b/c.pem', 'b/id_rsa'])
  })

  it('do not include hidden ones, but for the folders of agents and of GitHub, and what a pattern names', async () => {
    const shown = ['.claude/rules/c.md', '.context/TASKS.md', '.cursor/rules/d.mdc', '.cursorrules']
    const common = [...shown, '.github/instructions/e.md', 'a.md']
    const empty = [...common, '.hidden.md', '.idea/x.xml', 'b/.cache/y.md', 'ignored.md'].map((path) => [
      `root/${path}`,
      '',
    ])
    const shape = { ...Object.fromEntries(empty), 'root/.gitignore': `${SECRET_LINE}ignored.md` }
    expect(await names(shape, { exclude: [] })).toEqual(common)
    expect(await names(shape, { exclude: [], patterns: ['.idea/**'] })).toEqual(['.idea/x.xml'])
    expect(await names(shape, { exclude: [INCLUDE_IGNORED] })).toEqual([...common, 'ignored.md'].sort())
    const hidden = ['.gitignore', '.hidden.md', '.idea/x.xml', 'b/.cache/y.md']
    expect(await names(shape, { exclude: [INCLUDE_HIDDEN] })).toEqual([...common, ...hidden].sort())
  })

  it.each([
    ['inside, by its own name', { 'root/a': 'x', 'root/b -> a': '' }, ['a', 'b']],
    ['inside, from below', { 'root/a': 'x', 'root/b/c -> ../a': '' }, ['a', 'b/c']],
    ['to a directory', { 'root/a/b': 'x', 'root/c -> a': '' }, ['a/b']],
    ['to the root', { 'root/a': 'x', 'root/b -> .': '', 'root/c/d -> ..': '' }, ['a']],
    ['to nothing', { 'root/a': 'x', 'root/b -> gone': '' }, ['a']],
    ['to itself', { 'root/a': 'x', 'root/b -> b': '' }, ['a']],
    ['round', { 'root/a': 'x', 'root/b -> c': '', 'root/c -> b': '' }, ['a']],
    ['through a file', { 'root/a': 'x', 'root/b -> a/c': '' }, ['a']],
    ['to a pipe', { 'root/a': 'x', 'root/p': PIPE, 'root/b -> p': '' }, ['a']],
  ])('are found by a link that leads %s', async (_, shape: Shape, expected) => {
    const { files, unknownPlaces } = await walked(shape)
    expect([files.map(({ path }) => path), unknownPlaces]).toEqual([expected, []])
  })

  it('may be seen through a root that is a link', async () => {
    const shape = { 'real/a': 'x', 'real/.gitignore': 'b', 'real/b': 'x', 'root -> real': '' }
    expect(await names(shape)).toEqual(['.gitignore', 'a'])
  })

  it.each(' |a b|-rf|\'|"|\\|[id].md|{a,b}|a\nb|*|ü|u\u0308|日本|\u202e|%00'.split('|'))(
    'may be called %j',
    async (name) => {
      expect(await names({ [`root/${name}`]: 'x', [`root/d/${name}/${name}`]: 'x' })).toEqual(
        [name, `d/${name}/${name}`].sort(),
      )
    },
  )

  it('that have a name of bytes that are no UTF-8 are told, and are in nobody else’s way', async () => {
    const bad = Buffer.from([0x61, 0xff, 0x62])
    using place = tree({ 'root/a': 'x', 'root/a\ufffdb': 'x', 'root/\\xff': PIPE })
    const at = (...names: readonly Buffer[]) =>
      names.reduce((path, name) => Buffer.concat([path, Buffer.from('/'), name]))
    writeFileSync(at(Buffer.from(place.at('root')), bad), 'x')
    mkdirSync(at(Buffer.from(place.at('root')), Buffer.alloc(200, 0xfe)))
    const { files, unknownPlaces } = await walkAt(place, { exclude: [] })
    expect(files.map(({ path }) => path)).toEqual(['a', 'a\ufffdb'])
    expect(unknownPlaces).toEqual([
      { path: '\\xfe'.repeat(200), detail: expect.stringContaining('UTF-8') },
      { path: 'a\\xffb', detail: expect.stringContaining('UTF-8') },
    ])
  })
})

describe('a root', () => {
  it.each([
    ['that is not there', 'gone', 'not-found'],
    ['below a file', 'file/x', 'not-found'],
    ['that is a file', 'file', 'invalid-input'],
    ['that is a link to nothing', 'dangling', 'not-found'],
    ['that is a link to itself', 'loop', 'invalid-input'],
    ['of the system', '/etc', 'denied'],
  ])('%s is refused', async (_, path, code) => {
    using place = tree({ file: 'x', 'dangling -> nothing': '', 'loop -> loop': '' })
    const root = path.startsWith('/') ? path : place.at(path)
    await expect(walkTree({ root, patterns: [], exclude: [] })).rejects.toMatchObject({ code })
  })

  it('is left when the walk is stopped', async () => {
    const walking = walked({ 'root/a': 'x' }, { signal: AbortSignal.abort() })
    await expect(walking).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('may be very deep', async () => {
    const path = 'a/'.repeat(500)
    expect(await names({ [`root/${path}x`]: 'x' })).toEqual([`${path}x`])
  })
})

describe('what git ignores', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ '.gitignore': '*.log' }, ['.gitignore', 'b/c/z.md', 'b/x.md', 'y.md']],
    [{ '.gitignore': '*.log\n!a.log' }, ['.gitignore', 'a.log', 'b/a.log', 'b/c/z.md', 'b/x.md', 'y.md']],
    [{ '.gitignore': 'b/' }, ['.gitignore', 'a.log', 'y.md']],
    [{ '.gitignore': 'b/\n!b/x.md' }, ['.gitignore', 'a.log', 'y.md']],
    [{ '.gitignore': '/*\n!/b', 'b/.gitignore': '*.md' }, ['b/.gitignore', 'b/a.log']],
    [{ '.gitignore': '*.md', 'b/.gitignore': '!x.md' }, ['.gitignore', 'a.log', 'b/.gitignore', 'b/a.log', 'b/x.md']],
    [{ 'b/.gitignore': '*' }, ['a.log', 'y.md']],
    [{ 'b/.gitignore': '*', 'b/c/.gitignore': '!*' }, ['a.log', 'y.md']],
    [{ 'b/.gitignore': '/x.md' }, ['a.log', 'b/.gitignore', 'b/a.log', 'b/c/z.md', 'y.md']],
  ])('%j leaves %j', async (rules, expected) => {
    const shape = Object.entries({ 'a.log': '', 'b/a.log': '', 'b/x.md': '', 'b/c/z.md': '', 'y.md': '', ...rules })
    expect(await names(Object.fromEntries(shape.map(([path, text]) => [`root/${path}`, text])))).toEqual(expected)
  })

  it('is not found, whatever the tree and the rules are', async () => {
    using repository = tree({})
    execFileSync('git', ['init', '-q'], { cwd: repository.base, env: GIT })
    await forAllAsync(25, TREES, async ({ files, rules }) => {
      using place = tree({ 'root/': '' })
      for (const path of files) put(place.at('root', path), 'x')
      for (const { at, lines } of rules) put(place.at('root', at, '.gitignore'), `${lines.join('\n')}\n`)
      const { files: found, unknownPlaces } = await walkAt(place)
      expect(unknownPlaces).toEqual([])
      expect(found.map(({ path }) => path).sort()).toEqual(gitSays(repository.at('.git'), place.at('root')))
    })
  })

  it('may change, and then the files are others', async () => {
    using place = tree({ 'root/a': 'x', 'root/b': 'x', 'root/.gitignore': 'a' })
    const look = async () => (await walkAt(place)).files.map(({ path }) => path)
    expect(await look()).toEqual(['.gitignore', 'b'])
    rmSync(place.at('root/.gitignore'))
    expect(await look()).toEqual(['a', 'b'])
  })
})

const GIT = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' }

/** Nothing is tracked, and the repository itself is elsewhere. */
function gitSays(repository: string, cwd: string): string[] {
  const args = [`--git-dir=${repository}`, `--work-tree=${cwd}`, 'ls-files', '-z', '-co', '--exclude-standard']
  const output = execFileSync('git', args, { cwd, env: GIT, encoding: 'utf8' })
  return output.split('\0').filter(Boolean).sort()
}

/** Where a file is in the way of a directory, or the other way round, the first stays. */
function put(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (error) {
    if (!/EEXIST|ENOTDIR|EISDIR/.test(String(error))) throw error
  }
}

const NAME = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'ab', 'a.md', 'b.log') },
  fc.constantFrom('.a', '#a', '!a', 'a b', 'ää', '[a]', 'a\\b', '*'),
)
const PATH = fc.array(NAME, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const PART = fc.oneof(
  NAME,
  fc.constantFrom('*', '**', 'a*', '*.md', '?', '[ab]', '[!a]', '\\#a', '\\!a', '\\*', '\\[a\\]'),
)
const LINE = fc
  .record({
    sign: fc.constantFrom('', '', '!'),
    slash: fc.constantFrom('', '', '/'),
    parts: fc.array(PART, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('', '', '/', ' ', '\r'),
  })
  .map(({ sign, slash, parts, end }) => `${sign}${slash}${parts.join('/')}${end}`)
const TREES = fc.record({
  files: fc.array(PATH, { minLength: 3, maxLength: 25 }),
  rules: fc.array(
    fc.record({ at: fc.oneof(fc.constant(''), PATH), lines: fc.array(LINE, { minLength: 1, maxLength: 5 }) }),
    { maxLength: 4 },
  ),
})

withNobody('a user who is not root', () => {
  it('is told of directories that cannot be listed, and finds the rest', async () => {
    const written = (['a/b/c', 'a/d', 'e/f'] as const).map((path) => ['write', path, 'x'] as const)
    const { walked } = await asNobody([...written, ['chmod', 'a/b', 0o000], ['chmod', 'e', 0o300], ['walk']])
    const closed = ['a/b', 'e'].map((path) => [path, `${path} may not be read: permission denied.`])
    expect(walked).toEqual([{ files: ['a/d'], closed }])
  })

  it('is told of a root that cannot be listed', async () => {
    const { walked } = await asNobody([['write', 'a', 'x'], ['chmod', '.', 0o300], ['walk']])
    expect(walked).toEqual([{ files: [], closed: [['', '. may not be read: permission denied.']] }])
  })

  it('gets the names of a directory that may be listed and not entered: reading them tells why not', async () => {
    const { walked } = await asNobody([['write', 'a/b', 'x'], ['write', 'c', 'x'], ['chmod', 'a', 0o400], ['walk']])
    expect(walked).toEqual([{ files: ['a/b', 'c'], closed: [] }])
  })
})
