import { existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fc, forAllAsync } from '../../support/property.ts'
import { counts, known, Place } from './place.ts'

/** No two of them are near enough to stand for each other. */
const WORDS = 'zebra lion marmot octopus the snake_case C++ 1.0.21 parseHTTPRequest 日本語 naïve'.split(' ')
const PATHS = 'a.md b.txt zebra.md d d/lion.md d/e/f.txt d/e .gitignore .env g.bin link.md'.split(' ')
const QUERIES = [
  ...WORDS,
  'zebra lion marmot',
  'octo*',
  'z*',
  '"zebra lion"',
  'lion -zebra',
  'lion -"marmot lion"',
  'title:zebra',
  'path:lion zebra',
  '-path:d zebra',
  'parse request',
  'nothing',
  '',
]

/** Files that are no documents, and rules that take others away, among plain texts. */
const TEXT = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' ')) },
  fc.constantFrom(
    '',
    'zebra\0',
    '# Zebra Lion\n\nlion',
    '---\ntitle: Lion\n---\nzebra',
    '*.txt\n',
    'd/\n',
    '!a.md\n*.md\n',
  ),
)
const EDIT = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('write'), path: fc.constantFrom(...PATHS), text: TEXT }) },
  fc.record({ what: fc.constant('remove'), path: fc.constantFrom(...PATHS) }),
  fc.record({ what: fc.constant('move'), path: fc.constantFrom(...PATHS), to: fc.constantFrom(...PATHS) }),
  fc.record({
    what: fc.constant('link'),
    path: fc.constantFrom(...PATHS),
    to: fc.constantFrom(...PATHS, '../outside'),
  }),
  fc.record({ what: fc.constant('touch'), path: fc.constantFrom(...PATHS) }),
)
type Edit = { readonly what: string; readonly path: string; readonly text?: string; readonly to?: string }

/** What the file system refuses, such as a directory moved into itself, is not done. */
function edit(place: Place, { what, path, text = '', to = '' }: Edit): void {
  try {
    const at = place.at(path)
    if (what !== 'touch' && what !== 'remove')
      mkdirSync(dirname(place.at(what === 'move' ? to : path)), { recursive: true })
    if (what === 'write') {
      if (existsSync(at) && statSync(at).isDirectory()) rmSync(at, { recursive: true })
      writeFileSync(at, text)
    } else if (what === 'remove') rmSync(at, { recursive: true })
    else if (what === 'move') renameSync(at, place.at(to))
    else if (what === 'link') symlinkSync(to, at)
    else utimesSync(at, new Date(), new Date())
  } catch (error) {
    if (!/ENOENT|EEXIST|ENOTDIR|EISDIR|EINVAL|ENOTEMPTY|ELOOP|EBUSY/.test(String(error))) throw error
  }
}

async function sameAsFresh(place: Place): Promise<void> {
  const fresh = await place.fresh()
  const [own, other] = [await known(place.store, QUERIES), await known(fresh, QUERIES)]
  await fresh.close()
  expect(own).toEqual(other)
  expect(own.problems).toEqual([])
}

describe('after any edits and updates, a store', () => {
  it('holds and finds what one does that is made anew', { tags: 'long' }, async () => {
    const rounds = fc.array(fc.array(EDIT, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 14 })
    await forAllAsync(60, rounds, async (edits) => {
      await using place = await Place.plant({ 'a.md': 'zebra lion', 'd/lion.md': 'marmot' })
      place.tree.plant({ outside: 'zebra' })
      for (const round of edits) {
        for (const one of round) edit(place, one)
        await place.update()
      }
      await sameAsFresh(place)
    })
  })

  it('does so after many updates, through all the merges that they take', async () => {
    await using place = await Place.plant({})
    let mostSegments = 0
    for (let round = 0; round < 60; round++) {
      const text = WORDS.filter((_, index) => (round * 7 + index * 3) % 5 === 0).join(' ')
      edit(place, { what: 'write', path: `${round}.md`, text: `${text} round` })
      if (round % 4 === 3) edit(place, { what: 'remove', path: `${round - 2}.md` })
      if (round % 5 === 4) edit(place, { what: 'write', path: `${round - 3}.md`, text: `${text} again` })
      await place.update()
      const { segments } = await place.store.index.read({ terms: [], filter: {} })
      mostSegments = Math.max(mostSegments, segments.length)
    }
    expect(mostSegments).toBe(8)
    await sameAsFresh(place)
  })
})

/** A signal that fires when it is asked for the `count`-th time: wherever the work looks at it, that is reached by some count. */
function firing(count: number): { readonly signal: AbortSignal; readonly fired: () => boolean } {
  let asked = 0
  const controller = new AbortController()
  const signal = new Proxy(controller.signal, {
    get(target, key) {
      if (key === 'aborted' && ++asked >= count) controller.abort()
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { signal, fired: () => controller.signal.aborted }
}

describe('an update that is stopped', () => {
  /** As many segments as there may be, so that the next update merges. */
  const full = async (): Promise<Place> => {
    const place = await Place.plant({})
    for (let round = 0; round < 8; round++) {
      edit(place, { what: 'write', path: `old/${round}.md`, text: WORDS.slice(round).join(' ') })
      await place.update()
    }
    for (let index = 0; index < 130; index++)
      edit(place, { what: 'write', path: `new/${index}.md`, text: `lion ${index}` })
    edit(place, { what: 'move', path: 'old/1.md', to: 'moved.md' })
    edit(place, { what: 'remove', path: 'old/2.md' })
    edit(place, { what: 'write', path: 'old/3.md', text: 'octopus' })
    return place
  }

  it('anywhere loses nothing, and the next goes on from there', { tags: 'long' }, async () => {
    await using ended = await full()
    await ended.update()
    const end = await hashes(ended)
    const stayed: number[] = []
    for (let count = 1, isStopped = true; isStopped; count += count < 10 ? 1 : 5) {
      await using place = await full()
      const start = await hashes(place)
      const { signal, fired } = firing(count)
      const error = await place.update({ signal }).catch((reason: unknown) => reason)
      isStopped = fired()
      if (isStopped) expect(error).toMatchObject({ code: 'cancelled' })
      expect(await place.store.check()).toEqual([])
      const then = await hashes(place)
      for (const [path, hash] of then) expect([start.get(path), end.get(path)]).toContain(hash)
      for (const [path, hash] of start) if (end.get(path) === hash) expect(then.get(path)).toBe(hash)
      const { unchanged } = await place.update()
      expect(unchanged).toBe([...then].filter(([path, hash]) => end.get(path) === hash).length)
      stayed.push(unchanged)
      expect(await hashes(place)).toEqual(end)
      if (count % 10 === 1) await sameAsFresh(place)
    }
    // It was stopped before the first file, amid them, and when all of them were stored.
    expect(stayed.length).toBeGreaterThan(30)
    expect([stayed[0], stayed.at(-1)]).toEqual([5, 137])
    expect(stayed.filter((count) => count > 5 && count < 137).length).toBeGreaterThan(20)
    expect(stayed.filter((count) => count === 137).length).toBeGreaterThan(1)
  })
})

async function hashes(place: Place): Promise<Map<string, string>> {
  return new Map((await place.store.documents.known('docs')).map(({ path, hash }) => [path, hash]))
}

it('counts add up over a stop', async () => {
  await using place = await Place.plant({ 'a.md': 'one' })
  await expect(place.update({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
  expect(counts(await place.update())).toBe('added 1')
})
