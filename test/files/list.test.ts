import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openByDescriptor, openByRealPath } from '../../src/files/confine.ts'
import { type Entry, MAX_ENTRIES, openRoot, rootAt } from '../../src/files/disk.ts'
import { fc, forAll } from '../support/property.ts'
import { descriptorsBelow } from './fixtures.ts'
import { ownTree } from './own-tree.ts'

const { base, root: path } = ownTree()
const root = openRoot(path)
let directories = 0

/** A new directory in the root, holding empty files. */
function directoryOf(names: readonly string[]): string {
  const name = `d${directories++}`
  mkdirSync(join(path, name))
  for (const file of names) writeFileSync(join(path, name, file), '')
  return name
}

function namesIn(name: string): string[] {
  const listed = root.list(name)
  return listed.ok ? listed.entries.map((entry) => entry.name) : [listed.detail]
}

describe.each([
  ['by descriptor', rootAt(root, openByDescriptor)],
  ['by real path', rootAt(root, openByRealPath)],
] as const)('a listing %s', (_, opened) => {
  it('names the kind of each entry, of a link itself', async () => {
    const name = directoryOf(['file.md'])
    const at = (entry: string) => join(path, name, entry)
    mkdirSync(at('directory'))
    symlinkSync('directory', at('link'))
    symlinkSync('/', at('outside'))
    symlinkSync('nowhere', at('dangling'))
    execFileSync('mkfifo', [at('pipe')])
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
    expect(opened.list(name)).toEqual({
      ok: true,
      entries: [
        { name: 'dangling', kind: 'link' },
        { name: 'directory', kind: 'directory' },
        { name: 'file.md', kind: 'file' },
        { name: 'link', kind: 'link' },
        { name: 'outside', kind: 'link' },
        { name: 'pipe', kind: 'other' },
        { name: 'socket', kind: 'other' },
      ],
    })
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('the names in a directory', () => {
  it('are sorted by code unit, in no language', () => {
    const sorted = ['-rf', '10', '9', 'B', 'Z', '_', 'a', 'b', 'é', 'ﬀ', '￠']
    expect(namesIn(directoryOf(sorted.toReversed()))).toEqual(sorted)
    expect(namesIn(directoryOf(['\uff00', '\u{1f600}']))).toEqual(['\u{1f600}', '\uff00'])
  })

  it.runIf(process.platform === 'linux')('come back exactly, and can be read by what came back', () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 40 })
      .filter((text) => !/[/\0]/.test(text) && text !== '.' && text !== '..' && Buffer.byteLength(text) < 200)
    forAll(30, fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), (names) => {
      const directory = directoryOf(names)
      expect(namesIn(directory)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
      for (const file of names) expect(root.read(`${directory}/${file}`).ok).toBe(true)
    })
  })

  it.runIf(process.platform === 'linux')(
    'whose bytes are not UTF-8 are escaped, and nothing is opened for them',
    () => {
      const name = directoryOf(['plain.md', 'replaced \ufffd.md'])
      execFileSync('sh', ['-c', 'touch "$(printf "bad\\377.md")"'], { cwd: join(path, name) })
      expect(root.list(name)).toEqual({
        ok: true,
        entries: [
          { name: 'bad\\xff.md', kind: 'other' },
          { name: 'plain.md', kind: 'file' },
          { name: 'replaced \ufffd.md', kind: 'file' },
        ],
      })
      expect(root.read(`${name}/bad\\xff.md`)).toMatchObject({ ok: false, why: 'missing' })
    },
  )

  it('are none in an empty directory', () => {
    expect(root.list(directoryOf([]))).toEqual({ ok: true, entries: [] })
  })

  it('are only those that are asked for', () => {
    const listed = root.list(directoryOf(['a.md', 'b.txt', 'c.md']), ({ name }) => name.endsWith('.md'))
    expect(listed.ok && listed.entries.map((entry) => entry.name)).toEqual(['a.md', 'c.md'])
  })
})

describe('a directory of very many entries', () => {
  const many = directoryOf(['AGENTS.md'])
  for (let index = 0; index < MAX_ENTRIES; index++) symlinkSync('AGENTS.md', join(path, many, `${index}`))

  it('is refused, with how many are listed, unless only few are asked for', () => {
    const detail = `${many} has more than 100000 entries.`
    expect(root.list(many)).toEqual({ ok: false, why: 'over-limit', detail })
    const isFew = ({ name }: Entry) => name.endsWith('.md')
    expect(root.list(many, isFew)).toEqual({ ok: true, entries: [{ name: 'AGENTS.md', kind: 'file' }] })
    expect(root.list(many, ({ name }) => name !== '0')).toMatchObject({ ok: true })
  })

  it('is listed in steps, and may be left half-way', () => {
    const listing = root.listing(many, () => false)
    expect(listing.next()).toEqual({ done: false, value: undefined })
    expect(descriptorsBelow(base)).not.toEqual([])
    listing.return({ ok: true, entries: [] })
    expect(descriptorsBelow(base)).toEqual([])
    let steps = 0
    for (const _ of root.listing(many)) steps++
    expect(steps).toBe(6)
  })
})
