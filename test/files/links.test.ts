import { execFileSync } from 'node:child_process'
import { closeSync, linkSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openByDescriptor, openByRealPath } from '../../src/files/confine.ts'
import { identityOf, openRoot, rootAt } from '../../src/files/disk.ts'
import { SOON } from '../support/soon.ts'
import { INSIDE, SECRET, textOf } from './fixtures.ts'
import { ownTree } from './own-tree.ts'

const { base, root: path, outside } = ownTree()
const at = (name: string) => join(path, name)
const link = (target: string, name: string) => symlinkSync(target, at(name))

const WAYS = [
  ['by descriptor', rootAt(openRoot(path), openByDescriptor)],
  ['by real path', rootAt(openRoot(path), openByRealPath)],
] as const

mkdirSync(at('a/b/c/d/e'), { recursive: true })
link('../outside/secret.md', 'out.md')
link(join(outside, 'secret.md'), 'out-absolute.md')
link('../proj-evil/secret.md', 'evil.md')
link('../outside', 'out')
link(outside, 'out-absolute')
link('../../../../../../outside', 'a/b/c/d/e/out')
link('out.md', 'out-2.md')
link('out-2.md', 'out-3.md')
link('out-3.md', 'out-4.md')
link('out-4.md', 'out-5.md')
link('/', 'system')
link('/dev/zero', 'zero')
link('/dev', 'devices')
link('/proc/self/environ', 'environment')
link('/proc/self/cwd', 'here')
link(base, 'base')
const secretFd = openSync(join(outside, 'secret.md'), 'r')
link(`/proc/${process.pid}/fd/${secretFd}`, 'magic')

link('AGENTS.md', 'CLAUDE.md')
link(at('AGENTS.md'), 'absolute.md')
link('docs', 'guides')
link('CLAUDE.md', 'GEMINI.md')
symlinkSync(at('AGENTS.md'), join(outside, 'back.md'))
link('../outside/back.md', 'roundabout.md')

link('itself', 'itself')
link('pong', 'ping')
link('ping', 'pong')
link('.', 'dot')
for (let index = 0; index < 45; index++) link(index === 0 ? 'AGENTS.md' : `chain-${index - 1}`, `chain-${index}`)
link('nowhere.md', 'dangling.md')
link('nowhere/x.md', 'dangling-deep.md')
link('AGENTS.md/x', 'through-a-file.md')

afterAll(() => closeSync(secretFd))

describe.each(WAYS)('a link, opened %s,', (_, root) => {
  it.each(
    (
      'out.md out-absolute.md evil.md out/secret.md out/deep/secret.md out-absolute/secret.md ' +
      'a/b/c/d/e/out/secret.md out-2.md out-5.md system/etc/passwd zero devices/zero environment ' +
      'here/package.json base/outside/secret.md base/proj-evil/secret.md out system'
    ).split(' '),
  )('is denied when it leads outside, and its target is not told: %s', (name) => {
    const detail = `${name} leads outside the root.`
    expect(root.read(name)).toEqual({ ok: false, why: 'denied', detail })
  })

  it.each(['out', 'out/deep', 'out-absolute', 'a/b/c/d/e/out', 'system', 'system/etc', 'devices', 'here', 'base'])(
    'to a directory outside is not listed: %s',
    (name) => {
      expect(root.list(name)).toEqual({ ok: false, why: 'denied', detail: `${name} leads outside the root.` })
    },
  )

  it.each([
    ['CLAUDE.md', 'AGENTS.md'],
    ['absolute.md', 'AGENTS.md'],
    ['GEMINI.md', 'AGENTS.md'],
    ['roundabout.md', 'AGENTS.md'],
    ['base/proj/AGENTS.md', 'AGENTS.md'],
    ['dot/dot/dot/AGENTS.md', 'AGENTS.md'],
    ['chain-38', 'AGENTS.md'],
    ['guides/guide.md', 'docs/guide.md'],
  ])('is followed when what it opens is inside, and has the identity of its target: %s', (name, target) => {
    const read = root.read(name)
    const direct = root.read(target)
    expect(read).toMatchObject({ ok: true, path: at(name), realPath: at(target) })
    expect(read.ok && textOf(read.bytes)).toBe(INSIDE)
    expect(read.ok && direct.ok && identityOf(read.version) === identityOf(direct.version)).toBe(true)
  })

  it.each(['itself', 'ping', 'pong', 'chain-44', 'itself/x.md'])('in a loop ends, and is unreadable: %s', (name) => {
    const began = performance.now()
    const read = root.read(name)
    expect(read).toMatchObject({ ok: false, why: 'unreadable' })
    expect(!read.ok && read.detail).toContain('symlink loop')
    expect(root.list(name)).toMatchObject({ ok: false, why: 'unreadable' })
    expect(root.version(name)).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(SOON)
  })

  it.each([
    ['dangling.md', 'dangling.md is a link to nothing.'],
    ['dangling-deep.md', 'dangling-deep.md is a link to nothing.'],
    ['through-a-file.md', 'through-a-file.md is a link to nothing.'],
  ])('that dangles is missing, and told from a file that never was: %s', (name, detail) => {
    expect(root.read(name)).toEqual({ ok: false, why: 'missing', detail })
    expect(root.version(name)).toBeUndefined()
  })

  it('lists a directory through a link inside', () => {
    expect(root.list('guides')).toEqual(root.list('docs'))
  })
})

it.runIf(process.platform === 'linux')('a link to a descriptor that is open on a file outside is denied', () => {
  expect(WAYS[0][1].read('magic')).toMatchObject({ ok: false, why: 'denied' })
  expect(WAYS[1][1].read('magic')).toMatchObject({ ok: false, why: 'denied' })
})

it('a hard link to a file outside is that file, and is read', () => {
  linkSync(join(outside, 'secret.md'), at('hard.md'))
  const read = openRoot(path).read('hard.md')
  expect(read.ok && textOf(read.bytes)).toBe(SECRET)
})

it('a name that ends like that of a deleted file is told from one', () => {
  writeFileSync(at('notes (deleted)'), INSIDE)
  expect(openRoot(path).read('notes (deleted)')).toMatchObject({ ok: true, realPath: at('notes (deleted)') })
})

it.runIf(process.platform === 'linux')('a root whose name is not UTF-8 is refused, also behind a link', () => {
  execFileSync('sh', ['-c', 'd=$(printf "bad\\377"); mkdir "$d" && ln -s "$d" bad-link'], { cwd: base })
  expect(() => openRoot(join(base, 'bad-link'))).toThrow(expect.objectContaining({ code: 'invalid-input' }))
})
