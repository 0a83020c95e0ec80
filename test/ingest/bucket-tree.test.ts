import { describe, expect, it } from 'vitest'
import { ContextError, type ErrorCode } from '../../src/core/errors.ts'
import { compareBytes, type Objects } from '../../src/files/objects.ts'
import { bucketTree } from '../../src/ingest/bucket-tree.ts'
import { INCLUDE_HIDDEN } from '../../src/ingest/file-filter.ts'
import { NO_STAMP } from '../../src/ingest/indexing/tree.ts'
import { gitignore } from '../../src/text/gitignore.ts'
import { type Held, memoryObjects } from '../support/memory-objects.ts'
import { fc, forAllAsync } from '../support/property.ts'

/** Whether a service lists keys in the order of their bytes, or as a disk does: a directory with all that is in it, by its name. */
type Order = 'bytes' | 'directories'

function listedBy(order: Order, held: Held) {
  const objects = memoryObjects(held, { page: 3 })
  if (order === 'bytes') return objects
  const keys = Object.keys(held).sort((a, b) => compareBytes(a.replaceAll('/', '\u0001'), b.replaceAll('/', '\u0001')))
  const list: Objects['list'] = async ({ token = '0' } = {}) => {
    const end = Number(token) + 3
    const page = keys.slice(Number(token), end)
    const infos = await Promise.all(page.map((key) => objects.head(key)))
    return { objects: infos, prefixes: [], left: [], ...(end < keys.length && { next: String(end) }) }
  }
  return { ...objects, list }
}

async function pathsIn(objects: Objects): Promise<string[]> {
  const paths: string[] = []
  for await (const { files } of bucketTree(objects, { patterns: [], exclude: [INCLUDE_HIDDEN] }).pages()) {
    paths.push(...files.map(({ path }) => path))
  }
  return paths.sort()
}

/** What a `.gitignore` excludes, told from all keys at once. */
function keptOf(held: Held): string[] {
  const isLeftOut = (path: string, isDirectory: boolean): boolean => {
    const segments = path.split('/')
    const above = segments.slice(0, -1)
    if (above.length > 0 && isLeftOut(above.join('/'), true)) return true
    for (let depth = above.length; depth >= 0; depth--) {
      const at = above.slice(0, depth).join('/')
      const text = held[at === '' ? '.gitignore' : `${at}/.gitignore`]
      const verdict =
        typeof text === 'string' ? gitignore(text)(segments.slice(depth).join('/'), isDirectory) : undefined
      if (typeof verdict === 'boolean') return verdict
    }
    return false
  }
  return Object.keys(held)
    .filter((key) => !isLeftOut(key, false))
    .sort()
}

describe('the objects of a bucket as files', () => {
  it.each<Order>(['bytes', 'directories'])(
    'are those that no .gitignore excludes, wherever it stands in a list by %s',
    async (order) => {
      const name = fc.constantFrom('a', 'b', '-a', '(b)', '.a', '~', 'é')
      const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
      const rule = fc.constantFrom('a', '/a', '!a', '-a/', '.a', '*', '!b', 'a/b')
      const rules = fc.array(rule, { maxLength: 3 }).map((lines) => lines.join('\n'))
      const ignore = fc.tuple(fc.oneof(fc.constant(''), path), rules)
      await forAllAsync(
        200,
        fc.array(path, { maxLength: 12 }),
        fc.array(ignore, { maxLength: 4 }),
        async (paths, ignores) => {
          const held: Record<string, string> = {}
          for (const one of paths) held[`${one}/x`] = 'text'
          for (const [at, text] of ignores) held[at === '' ? '.gitignore' : `${at}/.gitignore`] = text
          expect(await pathsIn(listedBy(order, held))).toEqual(keptOf(held))
        },
      )
    },
  )

  it('are asked of their .gitignore only where a list has it, or where the first key of a directory comes before it', async () => {
    const objects = memoryObjects({
      'a/-first': '',
      'a/x': '',
      'b/.gitignore': 'y',
      'b/x': '',
      'b/y': '',
      'c/x': '',
      'node_modules/-first': '',
    })
    expect(await pathsIn(objects)).toEqual(['a/-first', 'a/x', 'b/.gitignore', 'b/x', 'c/x'])
    expect(objects.asked.filter((asked) => asked.startsWith('read'))).toEqual([
      'read a/.gitignore',
      'read b/.gitignore',
    ])
  })

  it('are asked of every .gitignore once a list turned out to have no order', async () => {
    const objects = memoryObjects({ 'b/x': '', 'a/x': '', 'c/y': '', 'c/.gitignore': 'y' })
    const infos = ['b/x', 'a/x', 'c/y', 'c/.gitignore'].map((key) => objects.head(key))
    const list: Objects['list'] = async () => ({ objects: await Promise.all(infos), prefixes: [], left: [] })
    expect(await pathsIn({ ...objects, list })).toEqual(['a/x', 'b/x', 'c/.gitignore'])
  })

  it('come a page at a time: no list is asked for before the one before it was taken', async () => {
    const objects = memoryObjects(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}`, 'x'])), { page: 3 })
    const seen: number[] = []
    for await (const { files } of bucketTree(objects, { patterns: [], exclude: [] }).pages()) {
      seen.push(files.length)
      expect(objects.asked.filter((asked) => asked.startsWith('list'))).toHaveLength(seen.length)
    }
    expect(seen).toEqual([3, 3, 3])
  })

  it.each<[ErrorCode, string | undefined]>([
    ['over-limit', 'over-limit'],
    ['not-found', 'missing'],
    ['denied', 'unreadable'],
    ['unavailable', undefined],
  ])('whose read ends with %s are left out as %s', async (code, why) => {
    const read = () => Promise.reject(new ContextError(code, 'No.'))
    const tree = bucketTree({ ...memoryObjects({}), read }, { patterns: [], exclude: [] })
    const readOnce = () => tree.read({ path: 'a', ...NO_STAMP }).catch(({ code }: ContextError) => code)
    const left = { ok: false, why, detail: 'No.' }
    for (let times = 1; times < 16; times++) expect(await readOnce()).toEqual(why === undefined ? code : left)
    expect(await readOnce()).toEqual(code === 'denied' || why === undefined ? code : left)
  })
})
