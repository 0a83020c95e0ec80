import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasContext, loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { descriptorsBelow } from '../../../files/fixtures.ts'
import { contextTree, PIPE, type Shape, sparse, tree } from '../../../support/tree.ts'
import { withNobody } from '../../../support/with-nobody.ts'
import { asNobody } from './as-nobody.ts'

const SECRET = 'the secret outside'

/** A project at `p` with a good file, and what must not be read beside it. */
function trap(shape: Shape) {
  return tree({
    'p/.git/': '',
    'p/.context/GLOSSARY.md': 'The good file.\n',
    'p-evil/TASKS.md': SECRET,
    'out/secret.md': SECRET,
    'out/deep/TASKS.md': SECRET,
    ...shape,
  })
}

describe('a file that cannot be loaded', () => {
  const at = 'p/.context/TASKS.md'
  it.each<[what: string, shape: Shape, why: string, detail: RegExp]>([
    ['a link out of the project', { [`${at} -> ../../out/secret.md`]: '' }, 'denied', /leads outside/],
    ['a link to nothing', { [`${at} -> nowhere.md`]: '' }, 'missing', /is a link to nothing/],
    ['a link to itself', { [`${at} -> TASKS.md`]: '' }, 'unreadable', /loop/],
    ['a directory', { [`${at}/x.md`]: SECRET }, 'unreadable', /is a directory/],
    ['a named pipe', { [at]: PIPE }, 'unreadable', /is a named pipe/],
    ['10 GiB long', { [at]: sparse(10 * 2 ** 30) }, 'over-limit', /10737418240 bytes/],
    ['binary', { [at]: Buffer.from('89504e470d0a1a0a0000000d', 'hex') }, 'binary', /NUL/],
  ])('is left, told, and stops nothing, when it is %s', async (_, shape, why, detail) => {
    using planted = trap(shape)
    const loaded = await loadContext({ rootDir: planted.at('p') })
    expect(loaded.ledger.filter(({ uri }) => uri.endsWith('/TASKS.md'))).toEqual([
      {
        uri: expect.stringMatching(/^file:/),
        title: 'Current Tasks',
        kind: 'context',
        scope: 'context-dir',
        decision: 'left',
        why,
        detail: expect.stringMatching(detail),
        tokensBefore: 0,
        tokensAfter: 0,
      },
    ])
    expect(loaded.warnings).toContainEqual({
      path: planted.at(at),
      message: expect.stringMatching(/^TASKS\.md is not loaded: /),
    })
    expect(loaded.summary).toBe('# Project Context\n\n## Glossary\nSource: .context/GLOSSARY.md\n\nThe good file.\n')
    expect(loaded.missing.includes('TASKS.md')).toBe(why === 'missing')
    expect(JSON.stringify(loaded)).not.toContain(SECRET)
    expect(JSON.stringify(await loadContext({ rootDir: planted.at('p'), cache: true }))).toBe(JSON.stringify(loaded))
    expect(descriptorsBelow(planted.base)).toEqual([])
  })

  it.runIf(process.platform === 'linux')(
    'has a name that is not UTF-8: it is told, and the others are loaded',
    async () => {
      using planted = trap({})
      execFileSync('sh', ['-c', `printf secret > "$(printf 'bad\\377.md')"`], { cwd: planted.at('p/.context') })
      const loaded = await loadContext({ rootDir: planted.at('p') })
      expect(loaded.files.map(({ name }) => name)).toEqual(['GLOSSARY'])
      expect(loaded.ledger).toContainEqual(expect.objectContaining({ title: 'bad\\xff.md', decision: 'left' }))
    },
  )
})

withNobody('a user who is not root', () => {
  it('gets what may be read, and a reason for the rest', async () => {
    using planted = contextTree({ 'TASKS.md': SECRET, 'GLOSSARY.md': 'good', 'sub/x.md': 'x' })
    chmodSync(planted.at('.context/TASKS.md'), 0o000)
    const { loaded, cached, has, code } = await asNobody(planted.base, planted.at('.context/TASKS.md'))
    expect(loaded.files.map(({ content }) => content)).toEqual(['good'])
    const detail = '.context/TASKS.md may not be read: permission denied.'
    expect(loaded.ledger).toContainEqual(expect.objectContaining({ title: 'Current Tasks', why: 'unreadable', detail }))
    expect(loaded.missing).not.toContain('TASKS.md')
    expect({ cached, has, code }).toEqual({ cached: loaded, has: true, code: 'unavailable' })
  })

  it.each([
    ['listed', 0o311],
    ['entered', 0o000],
  ])('is told of a context directory that may not be %s', async (_, mode) => {
    using planted = contextTree({ 'TASKS.md': SECRET })
    chmodSync(planted.at('.context'), mode)
    const { loaded, cached, has } = await asNobody(planted.base, planted.at('.context/x.md'))
    const detail = '.context may not be read: permission denied.'
    expect(loaded).toMatchObject({ contextDir: null, files: [], summary: '', ledger: [{ why: 'unreadable', detail }] })
    expect(loaded.warnings).toEqual([{ path: planted.at('.context'), message: `.context cannot be read: ${detail}` }])
    expect({ cached, has }).toEqual({ cached: loaded, has: false })
  })

  it('gets the names of files that may be listed but not entered as unreadable', async () => {
    using planted = contextTree({ 'TASKS.md': SECRET })
    chmodSync(planted.at('.context'), 0o744)
    const { loaded, cached } = await asNobody(planted.base, planted.at('.context/TASKS.md'))
    expect(loaded.contextDir).toEqual({ path: planted.at('.context'), levels: 0 })
    expect(loaded.ledger[0]).toMatchObject({ title: 'Current Tasks', why: 'unreadable' })
    expect(cached).toEqual(loaded)
  })
})

it.each('a "quoted" name|a <b> & c|a\nb| leading and trailing |-x|it\'s|ü😀|%20#?|a\\b|[x](y)|$(x) `y`'.split('|'))(
  'a path may hold any character: %j',
  async (name) => {
    using planted = tree({ [`${name}/.git/`]: '', [`${name}/.context/${name}.md`]: 'x', [`${name}/${name}/`]: '' })
    const rootDir = join(planted.base, name, name)
    const loaded = await loadContext({ rootDir })
    expect(loaded.contextDir).toEqual({ path: planted.at(name, '.context'), levels: 1 })
    expect(loaded.files).toMatchObject([{ name, path: planted.at(name, '.context', `${name}.md`), content: 'x' }])
    expect(loaded.summary.split('\n')).toHaveLength(7)
    expect(loaded.summary).not.toContain(planted.base)
    expect(await hasContext(rootDir)).toBe(true)
  },
)
