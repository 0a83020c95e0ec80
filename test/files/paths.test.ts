import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRoot } from '../../src/files/disk.ts'
import { fc, forAll } from '../support/property.ts'
import { INSIDE, SECRET, textOf } from './fixtures.ts'
import { ownTree } from './own-tree.ts'

const { base, root: path } = ownTree()
const root = openRoot(path)

const OUTSIDE_AS_TEXT = [
  ...['..', '../', '../.', '../..', '../outside', '../outside/secret.md', '../proj-evil', '../proj-evil/secret.md'],
  ...['../projx', '../pro', '..//outside//secret.md', './../outside/secret.md', '././../outside/secret.md'],
  ...['docs/../../outside/secret.md', 'docs/..//..//outside/secret.md', 'docs/./.././../outside/secret.md'],
  ...['absent/../../outside/secret.md', 'AGENTS.md/../../outside/secret.md'],
  ...['../../../../../../../../../../../../etc/passwd', 'docs/../../../../../../../../../../../../etc/passwd', '/'],
  ...['/.', '/..', '//', '/etc', '/etc/passwd', '//etc/passwd', '///etc///passwd', '/./etc/./passwd', '/../etc/passwd'],
  ...['//server/share/file.md', '/proc/self/environ', '/proc/self/root/etc/passwd', '/dev/zero', '/dev/stdin'],
  ...['/dev/fd/0', '/AGENTS.md', 'file:///../../../outside/secret.md', base, `${base}/`, `${base}/pro`],
  ...[`${base}/projx`, `${base}/PROJ/AGENTS.md`, `${base}/proj-evil/secret.md`, `${base}/outside/secret.md`],
  ...[`${base}/proj/../outside/secret.md`, `${base}/proj/../proj-evil/secret.md`],
  ...[`${base}/proj/docs/../../outside/secret.md`],
]

const IMPOSSIBLE = [
  ...['\0', 'AGENTS.md\0', 'AGENTS.md\0.txt', 'docs\0/../AGENTS.md', '\0/../../outside/secret.md'],
  ...['../outside/secret.md\0', `${base}/outside/secret.md\0AGENTS.md`, 'half a pair \ud800', '\udc00.md'],
]

/** Spellings that mean something elsewhere, and here are the names of files. */
const LITERAL = (
  '..\\outside\\secret.md|..\\..\\etc\\passwd|%2e%2e%2foutside%2fsecret.md|%2e%2e/outside/secret.md|' +
  '..%2foutside%2fsecret.md|%252e%252e%252foutside%252fsecret.md|..%5coutside%5csecret.md|' +
  '..%c0%afoutside%c0%afsecret.md|..%00/outside/secret.md|....//outside/secret.md|.../outside/secret.md|' +
  '.. /outside/secret.md| ../outside/secret.md|..;/outside/secret.md|．．/outside/secret.md|' +
  '‥/outside/secret.md|..∕outside∕secret.md|~|~/AGENTS.md|~root/.ssh/id_rsa|$HOME/AGENTS.md|$(id)|`id`|' +
  'file:/etc/passwd|file:///etc/passwd|http://localhost/AGENTS.md|\\\\server\\share\\secret.md|' +
  '\\\\?\\C:\\secret.md|\\\\.\\pipe\\secret|C:\\Windows\\win.ini|C:/Windows/win.ini|c:AGENTS.md|' +
  'AGENTS.md::$DATA|AGENTS.md.|AGENTS.md | AGENTS.md|AGENTS.md\n|AGENTS.md\r\n|two\nlines.md|tab\there.md|' +
  '"AGENTS.md"|it\'s.md|a<b>&amp;c.md|AGENTS.md?x=1|AGENTS.md#x|*|AGENTS.*|[A]GENTS.md|{AGENTS.md,x}|-|-rf|' +
  '--help|\u202eAGENTS.md|AGENTS\u200b.md|n\u00e9e.md|ne\u0301e 2.md|replaced \ufffd.md|' +
  'AGENTS.md (deleted)|nul|CON'
).split('|')

const TOO_LONG = ['a'.repeat(256), 'a'.repeat(10_000), 'a/'.repeat(5000), `docs/${'a'.repeat(300)}/x.md`]

const INSIDE_SPELLINGS = [
  ...['AGENTS.md', './AGENTS.md', './/AGENTS.md', 'docs/../AGENTS.md', 'absent/../AGENTS.md', '../proj/AGENTS.md'],
  ...['AGENTS.md/', 'AGENTS.md/.', `${path}/AGENTS.md`, `${path}//AGENTS.md`, `${base}/./proj/docs/../AGENTS.md`],
]

describe('a path asked for', () => {
  it.each(OUTSIDE_AS_TEXT)('is denied when it is outside as text: %j', (asked) => {
    expect(root.read(asked)).toEqual({ ok: false, why: 'denied', detail: 'The path is outside the root.' })
    expect(root.list(asked)).toMatchObject({ ok: false, why: 'denied' })
    expect(root.version(asked)).toBeUndefined()
  })

  it.each(IMPOSSIBLE)('is denied when no file can have it: %j', (asked) => {
    expect(root.read(asked)).toMatchObject({ ok: false, why: 'denied' })
    expect(root.list(asked)).toMatchObject({ ok: false, why: 'denied' })
    expect(root.version(asked)).toBeUndefined()
  })

  it.each(LITERAL)('is a name like any other, without a meaning of its own: %j', (asked) => {
    const file = join(path, asked)
    expect(root.read(asked)).toMatchObject({ ok: false, why: 'missing' })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, asked)
    const read = root.read(asked)
    expect(read.ok && textOf(read.bytes)).toBe(asked)
    rmSync(file)
  })

  it.each(TOO_LONG)('is unreadable when it is too long, and the detail is short (case %#)', (asked) => {
    const read = root.read(asked)
    expect(read).toMatchObject({ ok: false, why: 'unreadable' })
    expect(!read.ok && read.detail.length).toBeLessThan(300)
    expect(root.version(asked)).toBeUndefined()
  })

  it.each(INSIDE_SPELLINGS)('is normalised as text: %j', (asked) => {
    const read = root.read(asked)
    expect(read).toMatchObject({ ok: true, path: `${path}/AGENTS.md`, realPath: `${path}/AGENTS.md`, changed: false })
    expect(read.ok && textOf(read.bytes)).toBe(INSIDE)
  })

  it.each(['', '.', './', path, `${path}/`])('that is the root itself is a directory: %j', (asked) => {
    const detail = '. is a directory, not a file.'
    expect(root.read(asked)).toEqual({ ok: false, why: 'unreadable', detail, isOtherKind: true })
    expect(root.list(asked).ok).toBe(true)
  })

  it.each(['absent.md', 'absent/deep/x.md', 'AGENTS.md/child'])('that leads nowhere is missing: %j', (asked) => {
    expect(root.read(asked)).toEqual({ ok: false, why: 'missing', detail: `${asked} does not exist.` })
  })

  it('never reads a byte outside, whatever its segments are', () => {
    symlinkSync('../outside', join(path, 'out'))
    symlinkSync('docs', join(path, 'in'))
    symlinkSync('..', join(path, 'docs', 'up'))
    const segment = fc.constantFrom('..', '.', '', 'docs', 'in', 'up', 'out', 'deep', 'proj', 'AGENTS.md', 'secret.md')
    const asked = fc.tuple(fc.constantFrom('', '/', base, `${path}/`), fc.array(segment, { maxLength: 8 }))
    forAll(3000, asked, ([start, segments]) => {
      const read = root.read(start + segments.join('/'))
      if (!read.ok) return !read.detail.includes(base)
      return textOf(read.bytes) !== SECRET && read.path.startsWith(`${path}/`) && read.realPath.startsWith(`${path}/`)
    })
  })
})

describe('a root behind a link', () => {
  const link = join(base, 'current')
  symlinkSync('proj', link)
  const linked = openRoot(link)

  it('takes absolute paths of either name', () => {
    expect(linked).toMatchObject({ path: link, realPath: path })
    for (const asked of ['AGENTS.md', `${link}/AGENTS.md`, `${path}/AGENTS.md`]) {
      expect(linked.read(asked)).toMatchObject({ ok: true, realPath: `${path}/AGENTS.md` })
    }
    expect(linked.read('AGENTS.md')).toMatchObject({ path: `${link}/AGENTS.md` })
  })

  it('stays what it was when the link is pointed elsewhere', () => {
    symlinkSync('outside', `${link}.new`)
    renameSync(`${link}.new`, link)
    const read = linked.read(`${link}/AGENTS.md`)
    expect(read.ok && textOf(read.bytes)).toBe(INSIDE)
    expect(linked.read('secret.md')).toMatchObject({ ok: false, why: 'missing' })
  })
})
