import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Shape } from '../../support/tree.ts'
import { withNobody } from '../../support/with-nobody.ts'
import { asNobody, type Step } from './as-nobody.ts'
import { counts, Place, settled } from './place.ts'

const THREE = { 'a.md': '# Alpha', 'b.txt': 'beta', 'c/d.md': 'delta' }

/** Documents that are no text to search, and why. */
const NONE: Shape = {
  'a.bin': Buffer.from([1, 0, 2]),
  'b.md': '',
  'c.md': ' \n\t\n',
  '.env': 'KEY=1',
  'd.log': 'x'.repeat(8 * 1024 * 1024 + 1),
}

/** What was done (`mv a.md b.md; write c.md text`), what the update counts, and the documents then. */
type Row = readonly [what: string, deed: string, counts: string, documents: string]

const ALL = ['a.md', 'b.txt', 'c/d.md']
const SAME = 'a.md b.txt c/d.md'

const DEEDS: readonly Row[] = [
  ['nothing was done', '', 'unchanged 3', SAME],
  ['a file was touched', 'touch a.md', 'unchanged 3', SAME],
  ['a file was written anew, the same', 'write a.md # Alpha', 'unchanged 3', SAME],
  ['a file was edited', 'write a.md # Other', 'changed 1, unchanged 2', SAME],
  ['a file was edited in secret', 'slip a.md # Omega', 'changed 1, unchanged 2', SAME],
  ['a file was added', 'write e.md new', 'added 1, unchanged 3', `${SAME} e.md`],
  ['a file was copied', 'cp a.md e.md', 'added 1, unchanged 3', `${SAME} e.md`],
  ['a file was removed', 'rm a.md', 'removed 1, unchanged 2', 'b.txt c/d.md'],
  ['a directory was removed', 'rm c', 'removed 1, unchanged 2', 'a.md b.txt'],
  ['all was removed', 'rm a.md; rm b.txt; rm c', 'removed 3', ''],
  ['a file was moved', 'mv a.md c/a.md', 'moved 1, unchanged 2', 'b.txt c/a.md c/d.md'],
  ['a directory was moved', 'mv c e', 'moved 1, unchanged 2', 'a.md b.txt e/d.md'],
  ['a file moved, edited', 'mv a.md e.md; write e.md # Other', 'added 1, removed 1, unchanged 2', 'b.txt c/d.md e.md'],
  ['a file moved, copied', 'cp a.md e.md; mv a.md f.md', 'added 1, moved 1, unchanged 2', 'b.txt c/d.md e.md f.md'],
  ['two files changed places', 'mv a.md x; mv b.txt a.md; mv x b.txt', 'changed 2, unchanged 1', SAME],
  ['a file was moved onto another', 'mv a.md b.txt', 'changed 1, removed 1, unchanged 1', 'b.txt c/d.md'],
  ['a file became a directory', 'rm b.txt; write b.txt/b.txt beta', 'moved 1, unchanged 2', 'a.md b.txt/b.txt c/d.md'],
  ['a directory became a file', 'rm c; write c other', 'added 1, removed 1, unchanged 2', 'a.md b.txt c'],
  ['a file became a link to another', 'rm b.txt; ln b.txt a.md', 'changed 1, unchanged 2', SAME],
  ['a file was emptied', 'write a.md', 'unchanged 2, skipped 1', 'b.txt c/d.md'],
  ['a file became binary', 'write a.md a\0', 'unchanged 2, skipped 1', 'b.txt c/d.md'],
  ['a file became a secret', 'mv b.txt .env', 'removed 1, unchanged 2, skipped 1', 'a.md c/d.md'],
  ['a file was hidden from git', 'write .gitignore b.txt\nc/\n', 'removed 2, unchanged 1', 'a.md'],
]

function perform({ at }: Place, deed: string): void {
  for (const step of deed.split('; ').filter(Boolean)) {
    const [what = '', name = '', ...rest] = step.split(' ')
    const [path, text] = [at(name), rest.join(' ')]
    if (what === 'touch') utimesSync(path, new Date(), new Date())
    else if (what === 'write') write(path, text)
    else if (what === 'slip') inSecret(path, text)
    else if (what === 'mv') renameSync(path, at(text))
    else if (what === 'cp') copyFileSync(path, at(text))
    else if (what === 'ln') symlinkSync(text, path)
    else rmSync(path, { recursive: true })
  }
}

describe('a file that holds a secret', () => {
  const token = ['ghp_Zq8Lw3RkT6vNc9Yp', 'B2hJf7XsD4mGu1KeW5aQ'].join('')

  it('is left out whole, and is told without the secret', async () => {
    await using place = await Place.plant({ 'a.md': 'Lions sleep.', 'b.md': `# Deploy\n\nUse ${token} for it.` })
    const { left, ...rest } = await place.update()
    expect(counts({ left, ...rest })).toBe('added 1, skipped 1')
    const detail = 'Line 3 of its text holds a token of GitHub.'
    expect(left).toEqual([{ path: 'b.md', why: 'denied', detail }])
    expect(await place.paths()).toEqual(['a.md'])
  })

  it('is taken out when the secret comes into it, and comes back when it goes', async () => {
    await using place = await Place.plant({ 'a.md': 'Lions sleep.' })
    await place.update()
    place.plant({ 'a.md': `Lions sleep. ${token}` })
    await place.update()
    expect(await place.paths()).toEqual([])
    place.plant({ 'a.md': 'Lions sleep again.' })
    await place.update()
    expect(await place.paths()).toEqual(['a.md'])
  })
})

describe('an update after', () => {
  const all = DEEDS.flatMap(([what, ...row]) => [
    [what, ...row, false] as const,
    [`a rest, when ${what}`, ...row, true] as const,
  ])

  it.each(all)('%s', async (_, deed, expected, documents, isRested) => {
    await using place = await Place.plant(THREE)
    if (isRested) await settled()
    await place.update()
    if (isRested) expect([counts(await place.update()), place.read]).toEqual(['unchanged 3', []])
    perform(place, deed)
    expect(counts(await place.update())).toBe(expected)
    expect((await place.paths()).sort().join(' ')).toBe(documents)
    if (isRested) return
    expect(counts(await place.update())).toMatch(/^(unchanged \d+)?(, )?(skipped \d+)?$/)
    expect(await place.store.check()).toEqual([])
  })
})

describe('an update', () => {
  it('that is the first reads all, and says what each is searched by', async () => {
    await using place = await Place.plant({ ...THREE, 'c/e.md': '---\ntitle: Named\nstatus: draft\n---\nbody' })
    expect(counts(await place.update())).toBe('added 4')
    const [a, b, , e] = await place.store.documents.list({})
    expect(a).toMatchObject({ path: 'a.md', title: 'Alpha', format: 'markdown', size: 7, metadata: {} })
    expect(a?.modifiedAt).toBe(new Date(Math.trunc(statSync(place.at('a.md')).mtimeMs)).toISOString())
    expect(b).toMatchObject({ path: 'b.txt', title: 'b.txt', format: 'plain' })
    expect(e).toMatchObject({ title: 'Named', metadata: { status: 'draft' } })
    const collection = await place.store.collections.get('docs')
    expect(collection).toMatchObject({ documents: 4, indexedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
  })

  it('reads what was only just written once more, and then no longer', async () => {
    await using place = await Place.plant(THREE)
    await place.update()
    await place.update()
    expect(place.read.sort()).toEqual(ALL)
    await settled()
    await place.update()
    await place.update()
    expect(place.read).toEqual([])
  })

  it('reads a file that was touched once, and knows it by its new times', async () => {
    await using place = await Place.plant(THREE)
    await settled()
    await place.update()
    utimesSync(place.at('a.md'), 1_800_000_000, 1_800_000_000)
    await settled()
    await place.update()
    expect(place.read).toEqual(['a.md'])
    await place.update()
    expect(place.read).toEqual([])
    expect(await place.store.documents.find('docs', 'a.md')).toMatchObject({ modifiedAt: '2027-01-15T08:00:00.000Z' })
  })

  it('reads all when it is forced, and finds the same', async () => {
    await using place = await Place.plant({ ...THREE, ...NONE })
    await settled()
    await place.update()
    const before = await place.store.documents.list({})
    expect(counts(await place.update({ force: true }))).toBe('unchanged 3, skipped 5')
    expect(place.read).toHaveLength(7)
    expect(await place.store.documents.list({})).toEqual(before)
  })

  it('tells what is not text, each time, and reads it once', async () => {
    await using place = await Place.plant({ ...THREE, ...NONE })
    await settled()
    const first = await place.update()
    expect(counts(first)).toBe('added 3, skipped 5')
    const left = first.left.map(({ path, why }) => `${path} ${why}`).join(', ')
    expect(left).toBe('.env denied, a.bin binary, b.md empty, c.md empty, d.log over-limit')
    for (const { detail } of first.left) expect(detail).toMatch(/^[A-Z].*\.$/)
    const second = await place.update()
    expect(counts(second)).toBe('unchanged 3, skipped 5')
    expect(second.left).toEqual(first.left)
    expect(place.read).toEqual([])
    place.plant({ 'b.md': 'text' })
    expect(counts(await place.update())).toBe('added 1, unchanged 3, skipped 4')
    rmSync(place.at('a.bin'))
    expect(counts(await place.update())).toBe('unchanged 4, skipped 3')
    expect((await place.store.documents.skipped('docs')).map(({ path }) => path)).toEqual(['.env', 'c.md', 'd.log'])
  })

  it('reads no secret, by whatever link, and nothing outside', async () => {
    await using place = await Place.plant({ '.env': 'KEY=zebra', 'keys/id_rsa': 'zebra', 'a.md': 'lion' })
    place.tree.plant({ 'outside.md': 'zebra' })
    place.plant({ 'b.md -> .env': '', 'c.md -> keys/id_rsa': '', 'd.md -> ../outside.md': '', 'e.md -> a.md': '' })
    place.plant({ 'f.md -> b.md': '', '.git/config': 'zebra', 'g.md -> .git/config': '' })
    const { left, ...answer } = await place.update()
    expect(counts({ ...answer, left })).toBe('added 2, skipped 7')
    const denied = ['.env', 'b.md', 'c.md', 'd.md', 'f.md', 'g.md', 'keys/id_rsa'].map((path) => `${path} denied`)
    expect(left.map(({ path, why }) => `${path} ${why}`)).toEqual(denied)
    expect(await place.paths()).toEqual(['a.md', 'e.md'])
    const view = await place.store.index.read({ terms: ['zebra'], prefixes: ['zeb'], filter: {} })
    expect(view.prefixes.get('zeb')).toEqual([])
  })

  it.each([
    ['is gone', 'rm .', 'not-found'],
    ['was moved', 'mv . ../elsewhere', 'not-found'],
    ['is a file now', 'rm .; write . x', 'invalid-input'],
    ['is a link to nothing now', 'rm .; ln . nothing', 'not-found'],
  ])('of a root that %s fails, and removes nothing', async (_, deed, code) => {
    await using place = await Place.plant(THREE)
    await place.update()
    const before = await place.store.documents.list({})
    perform(place, deed)
    await expect(place.update()).rejects.toMatchObject({ code })
    expect(await place.store.documents.list({})).toEqual(before)
    rmSync(place.at(), { recursive: true, force: true })
    place.plant(THREE)
    expect(counts(await place.update())).toBe('unchanged 3')
  })

  it('heeds what belongs to the collection', async () => {
    await using place = await Place.plant(THREE, { patterns: ['*.md'], exclude: ['c/'] })
    expect(counts(await place.update())).toBe('added 1')
    expect(await place.paths()).toEqual(['a.md'])
  })

  it('fails when its collection is removed meanwhile, and leaves nothing', async () => {
    await using place = await Place.plant(THREE)
    const removing = place.store.collections.get('docs').then(() => place.store.collections.remove('docs'))
    await expect(Promise.all([place.update(), removing])).rejects.toMatchObject({ code: 'not-found' })
    expect(await place.store.documents.list({})).toEqual([])
    expect(await place.store.check()).toEqual([])
  })

  it('counts every file that is there once', async () => {
    await using place = await Place.plant({ ...THREE, ...NONE, 'x -> x': '', 'y -> gone': '', 'z -> a.md': '' })
    const { left: _, removed, ...first } = await place.update()
    expect(Object.values(first).reduce((sum, count) => sum + count)).toBe(9)
    expect(removed).toBe(0)
  })
})

withNobody('what cannot be read', () => {
  const told = (steps: readonly Step[]) =>
    asNobody(steps).then(({ indexed }) =>
      indexed.map(({ documents, ...answer }) => [counts(answer), documents.join(' ')]),
    )

  it('is counted, and stays as it was until it can be read', async () => {
    const written: Step[] = [['write', 'a', 'one'], ['write', 'b', 'two'], ['index'], ['write', 'a', 'three']]
    const locked: Step[] = [['chmod', 'a', 0o000], ['index'], ['index'], ['chmod', 'a', 0o600], ['index']]
    const answers = await told([...written, ...locked])
    const expected = ['added 2', 'unchanged 1, failed 1', 'unchanged 1, failed 1', 'changed 1, unchanged 1']
    expect(answers).toEqual(expected.map((count) => [count, 'a b']))
  })

  it('from the beginning is added later', async () => {
    const steps = [['write', 'a', 'one'], ['chmod', 'a', 0o000], ['index'], ['chmod', 'a', 0o600], ['index']] as const
    expect((await told(steps)).join(' | ')).toBe('failed 1, | added 1,a')
  })

  it.each([
    ['a directory that may not be listed', 'd', 0o300],
    ['a directory that may not be entered', 'd', 0o400],
    ['a directory that may not be either', 'd', 0o000],
    ['a directory above', '.', 0o300],
  ])('takes nothing away: %s', async (_, path, mode) => {
    const written: Step[] = [['write', 'd/a', 'one'], ['write', 'd/e/b', 'two'], ['index']]
    const answers = await told([...written, ['chmod', path, mode], ['index'], ['chmod', path, 0o700], ['index']])
    expect(answers.map(([, documents]) => documents)).toEqual(['d/a d/e/b', 'd/a d/e/b', 'd/a d/e/b'])
    expect(answers[1]?.[0]).toMatch(/^failed [12]$/)
    expect(answers[2]?.[0]).toBe('unchanged 2')
  })

  it('is named, with the reason', async () => {
    const locked: Step[] = [['chmod', 'a', 0o000], ['chmod', 'd', 0o000], ['index']]
    const { indexed } = await asNobody([['write', 'a', 'one'], ['write', 'd/b', 'two'], ...locked])
    const detailOf = (path: string) => `${path} may not be read: permission denied.`
    expect(indexed[0]?.left).toEqual(['a', 'd'].map((path) => ({ path, why: 'unreadable', detail: detailOf(path) })))
  })
})

function write(path: string, text: string): void {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
  writeFileSync(path, text)
}

/** So that neither its size nor its mtime tells. */
function inSecret(path: string, text: string): void {
  const { mtime, atime, size } = statSync(path)
  if (size !== text.length) throw new Error('That would be seen.')
  utimesSync(path, atime, mtime)
  writeFileSync(path, text)
  utimesSync(path, atime, mtime)
}
