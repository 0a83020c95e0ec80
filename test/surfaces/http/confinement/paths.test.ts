import { existsSync, renameSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { defineInputs } from '../../../../src/core/define-inputs.ts'
import { openWith } from '../../../../src/open.ts'
import { operations } from '../../../../src/operations/index.ts'
import { type Shape, type Tree, tree } from '../../../support/tree.ts'
import { appOf, ask, echo, operation, post, rootsOf } from '../support.ts'

const SHAPE: Shape = {
  'served/.git/': '',
  'served/AGENTS.md': '# Served\n',
  'served/.context/TASKS.md': '- [ ] a\n',
  'served/pkg/AGENTS.md': '# Package\n',
  'served/pkg/a.ts': '',
  'secret/AGENTS.md': 'SECRET',
  'secret/.context/TASKS.md': 'SECRET',
  'served-too/AGENTS.md': 'SECRET',
  'served/out -> ../secret': '',
  'served/deep/out -> /secret': '',
  'served/file.md -> ../secret/AGENTS.md': '',
  'served/in -> pkg': '',
  'link -> served': '',
}

function app(planted: Tree, ...roots: string[]) {
  return appOf({ roots: rootsOf(...(roots.length > 0 ? roots : [planted.at('served')])) })
}

describe('a path outside the roots', () => {
  /** What is denied changes nothing. */
  const planted = tree(SHAPE)
  afterAll(() => planted[Symbol.dispose]())
  it('is not looked at for a task, though it is of the same project', async () => {
    using planted = tree({
      ...SHAPE,
      '.git/': '',
      'secret/a.ts': 'export const parseLine = SECRET\n',
      'served/.git/': '',
    })
    const sub = planted.at('served/pkg')
    planted.plant({
      'served/b.ts': 'export const parseLine = SECRET\n',
      'served/pkg/c.ts': 'export const parseLine = 1\n',
    })
    const { json, body } = await ask(app(planted, sub), '/api/task?task=parseLine')
    expect(json).toMatchObject({ files: [{ path: 'c.ts' }] })
    expect(body).not.toContain('SECRET')
  })

  describe.each([
    ['get', { path: '' }],
    ['multi-get', { pattern: '' }],
    ['ls', { place: '' }],
    ['browse', { place: '' }],
    ['contexts.add', { path: '', text: 'said' }],
    ['contexts.remove', { path: '' }],
  ])('of %s', (name, input) => {
    const [key = ''] = Object.keys(input)
    it('is not told from what is not there', async () => {
      using planted = tree(SHAPE)
      const told = async (word: string) => {
        const { json, status } = await ask(app(planted), `/api/${name}`, post({ ...input, [key]: word }))
        return [status, json.detail?.replace(word, 'X')]
      }
      expect(await told('/etc/passwd')).toEqual(await told('/etc/absent'))
      expect(await told('docs/../../secret')).toEqual(await told('docs/../../absent'))
    })
  })

  it.each<[string, (word: string) => object]>([
    ['research.start', (word) => ({ question: 'What is it?', files: [word], extractive: true })],
    ['collections.add', (word) => ({ name: 'taken', root: word })],
    ['contexts.import', (word) => ({ file: word })],
    ['load', (word) => ({ place: '.', touched: [word] })],
    ['explain', (word) => ({ place: '.', whyNot: word })],
  ])('is denied to %s, also behind a scheme that is not a path', async (name, input) => {
    using planted = tree(SHAPE)
    for (const scheme of ['ambit', 'qfs', 'qmd', 'quilt+s3']) {
      for (const file of ['secret/AGENTS.md', 'secret']) {
        const word = `${scheme}://x/../../${relative(process.cwd(), planted.at(file))}`
        const { status, json, body } = await ask(app(planted), `/api/${name}`, post(input(word)))
        expect([word, status, json.code, body.includes('SECRET')]).toEqual([word, 403, 'denied', false])
      }
    }
  })

  it('says the same of what exists and of what does not', async () => {
    using planted = tree(SHAPE)
    const details = ['secret', 'absent'].map(async (name) => {
      const { json } = await ask(app(planted), '/api/load', post({ place: `../${name}` }))
      return json.detail.replace(name, 'X')
    })
    expect(new Set(await Promise.all(details)).size).toBe(1)
  })

  it('is denied by its kind, whatever the input is called', async () => {
    using planted = tree(SHAPE)
    const into = { is: 'path', path: 'disk', description: 'where' } as const
    const served = appOf({
      operations: [{ ...echo, input: defineInputs({ into }) }],
      roots: rootsOf(planted.at('served')),
    })
    expect((await ask(served, '/api/echo', post({ into: '/etc' }))).status).toBe(403)
    expect((await ask(served, '/api/echo', post({ into: 'pkg' }))).json.said.into).toBe(planted.at('served/pkg'))
  })
})

describe('a path inside', () => {
  it.each([
    ['nothing', () => undefined, 'served'],
    ['the root', (planted: Tree) => planted.at('served'), 'served'],
    ['a dot', () => '.', 'served'],
    ['a directory', () => 'pkg', 'served/pkg'],
    ['a file', () => 'pkg/a.ts', 'served/pkg'],
    ['dots that stay inside', () => 'pkg/../pkg', 'served/pkg'],
    ['a link inside', () => 'in', 'served/pkg'],
    ['a link to the root', (planted: Tree) => planted.at('link/pkg'), 'served/pkg'],
  ])('is loaded: %s', async (_, word, place) => {
    using planted = tree(SHAPE)
    const { json } = await ask(app(planted), '/api/load', post({ place: word(planted) }))
    expect(relative(planted.base, json.place)).toBe(place)
    expect(JSON.stringify(json)).not.toContain('SECRET')
  })

  it('is seen from the first root, also when it was touched or is asked about', async () => {
    using planted = tree(SHAPE)
    const { json } = await ask(app(planted), '/api/load?touched=pkg/a.ts')
    expect(json.text).toContain('# Package')
    const explained = await ask(app(planted), '/api/explain?whyNot=pkg/AGENTS.md')
    expect(explained.json.whyNot.path).toBe(planted.at('served/pkg/AGENTS.md'))
    const fromPlace = await ask(app(planted), '/api/explain?place=pkg&whyNot=a.ts')
    expect(fromPlace.json.whyNot.path).toBe(planted.at('served/pkg/a.ts'))
  })

  it('may hold a profile, in a list with names, too', async () => {
    using planted = tree({ ...SHAPE, 'served/team.yaml': 'names: [TEAM.md]\n', 'served/TEAM.md': 'x', 'team.yaml': '' })
    const { json } = await ask(app(planted), '/api/diff?profile=codex,./team.yaml')
    expect(json.files.map(({ title }: { title: string }) => title)).toContain('TEAM.md')
    for (const outside of ['codex,../team.yaml', '../team.yaml', `codex, ${planted.at('team.yaml')}`])
      expect((await ask(app(planted), `/api/diff?profile=${encodeURIComponent(outside)}`)).status).toBe(403)
  })

  it('may be in any of several roots', async () => {
    using planted = tree(SHAPE)
    const both = app(planted, planted.at('served/pkg'), planted.at('secret'))
    expect((await ask(both, '/api/load', post({ place: planted.at('secret') }))).json.text).toContain('SECRET')
    expect((await ask(both, '/api/load', post({ place: planted.at('served-too') }))).status).toBe(403)
  })

  it.each(['package.json', 'nothing.json'])(
    'that does not exist is not found, whether or not %s is where the server was started',
    async (name) => {
      using planted = tree(SHAPE)
      const { json } = await ask(app(planted), `/api/load?place=${name}`)
      expect(json).toMatchObject({ status: 404, detail: `There is no ./${name}.` })
    },
  )

  it('is that of a collection, though a folder where the server was started has its name', async () => {
    using planted = tree({ 'served/a.md': 'a\n' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    await (await engine.library()).collections.add({ name: 'docs', root: planted.at('served') })
    const confined = appOf({ engine, roots: rootsOf(planted.at('served')) })
    const { json } = await ask(confined, '/api/load?place=docs')
    await engine.close()
    expect(json.place).toBe('ambit://docs')
  })

  it('may be the root by way of a link', async () => {
    using planted = tree(SHAPE)
    expect((await ask(app(planted, planted.at('link')), '/api/load')).json.place).toBe(planted.at('served'))
  })
})

describe('what writes', () => {
  it('writes in a root', async () => {
    using planted = tree({ 'served/.git/': '' })
    const written = await ask(app(planted), '/api/init', post({}))
    expect(written.json.files[0].path.startsWith(join(planted.at('served'), '.context'))).toBe(true)
  })

  it('writes in the root of a larger project, and not above it', async () => {
    using planted = tree({ '.git/': '', 'served/a': '' })
    expect((await ask(app(planted), '/api/init', post({}))).status).toBe(200)
    expect(['.context', 'served/.context'].map((path) => existsSync(planted.at(path)))).toEqual([false, true])
  })
})

describe('words that are no paths', () => {
  it('pass, whatever they look like', async () => {
    using planted = tree(SHAPE)
    const { json } = await ask(app(planted), '/api/echo', post({ word: '/etc/passwd', words: ['../..'] }))
    expect(json.said).toMatchObject({ word: '/etc/passwd', words: ['../..'] })
    expect((await ask(app(planted), '/api/load', post({ place: 'ambit://notes/a' }))).json.detail).toContain('"notes"')
  })

  it('may name a collection where a place is asked for', async () => {
    using planted = tree(SHAPE)
    const seen: unknown[] = []
    const place = { ...operation('at', (given) => seen.push(given)), input: operations[0]?.input ?? echo.input }
    await ask(appOf({ operations: [place], roots: rootsOf(planted.at('served')) }), '/api/at?place=notes/api')
    expect(seen).toMatchObject([{ place: 'notes/api' }])
  })

  it.each(['notes/api', 'ambit://notes/../api'])('name what is in a collection: %s', async (from) => {
    using planted = tree(SHAPE)
    const seen: unknown[] = []
    const input = defineInputs({ from: { is: 'path', path: 'collection', description: 'which' } })
    const read = { ...operation('read', (given) => seen.push(given)), input }
    await ask(appOf({ operations: [read], roots: rootsOf(planted.at('served')) }), '/api/read', post({ from }))
    expect(seen).toEqual([{ from }])
  })
})

describe('a collection', () => {
  it('is made of a directory as it is seen from the root', async () => {
    using planted = tree(SHAPE)
    const served = app(planted)
    const { json } = await ask(served, '/api/collections.add', post({ name: 'packages', root: 'pkg' }))
    expect(json.root).toBe(planted.at('served/pkg'))
    await ask(served, '/api/collections.remove', post({ name: 'packages' }))
  })

  it('comes before a directory of its name, and gives nothing of the disk beside it', async () => {
    using planted = tree(SHAPE)
    const served = app(planted)
    await ask(served, '/api/collections.add', post({ name: 'pkg', root: 'pkg' }))
    await ask(served, '/api/index', post({}))
    expect((await ask(served, '/api/ls?place=pkg')).json.documents).toMatchObject([{ path: 'AGENTS.md' }])
    for (const path of [
      planted.at('secret/AGENTS.md'),
      '../secret/AGENTS.md',
      '/etc/passwd',
      'ambit://pkg/../a',
      'pkg/../a',
    ]) {
      const { status, body } = await ask(served, '/api/get', post({ path }))
      expect([path, status >= 400, body.includes('SECRET')]).toEqual([path, true, false])
    }
    await ask(served, '/api/collections.remove', post({ name: 'pkg' }))
  })
})

it('an error about a place tells no path of the machine', async () => {
  using planted = tree(SHAPE)
  const { body } = await ask(app(planted), '/api/load?place=absent/a')
  expect(body).not.toContain(planted.base)
})

describe('a path in the roots', () => {
  /** Answers with what it would have read in the end. */
  const reading = (whileItRuns: () => void) => ({
    ...echo,
    input: defineInputs({ place: { is: 'path', path: 'disk', required: true, description: 'where' } }),
    run: async () => {
      whileItRuns()
      return { said: 'SECRET' }
    },
  })

  it('that leads elsewhere when the work is done gives nothing of it', async () => {
    using planted = tree(SHAPE)
    const exchange = () => {
      renameSync(planted.at('served/pkg'), planted.at('served/old'))
      symlinkSync('../secret', planted.at('served/pkg'))
    }
    const served = rootsOf(planted.at('served'))
    const { json, body } = await ask(
      appOf({ roots: served, operations: [reading(exchange)] }),
      '/api/echo',
      post({ place: 'pkg' }),
    )
    expect(json).toMatchObject({ status: 403, code: 'denied' })
    expect(body).not.toContain('SECRET')
  })

  it('that leads where it led gives the answer', async () => {
    using planted = tree(SHAPE)
    const served = rootsOf(planted.at('served'))
    const { status, body } = await ask(
      appOf({ roots: served, operations: [reading(() => {})] }),
      '/api/echo',
      post({ place: 'pkg' }),
    )
    expect([status, body]).toEqual([200, expect.stringContaining('SECRET')])
  })
})
