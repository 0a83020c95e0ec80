import { expect, it, vi } from 'vitest'
import { ExactTextReader } from '../../../src/collections/search/exact-text.ts'
import { exactTextsIn } from '../../../src/retrieval/reread.ts'
import { shelf } from './shelf.ts'

/** The first document holds the parts of the name again and again, the second holds it as it is written, once. */
const NAMES: readonly (readonly [query: string, parts: string, whole: string])[] = [
  ['fs.watch', 'Watch fs. The fs can watch what a watch of fs watches.', 'Other calls, of which fs.watch is one.'],
  ['max_old_space', 'Old space, max old space, max space.', 'Flags such as max_old_space, among others.'],
  ['--no-cache', 'No cache: there is no cache, and no cache is no cache.', 'It takes --no-cache, among other flags.'],
  ['read-only', 'Only read this, read only this. Read only.', 'Mounts that are read-only, among others.'],
  ['Array.prototype.at', 'Array prototype at array prototype array.', 'It came with Array.prototype.at, among others.'],
  [
    'What does fs.watch do?',
    'What the fs does: watch fs do what the watch does.',
    'Calls such as fs.watch, among others.',
  ],
  ['What does `read-only` do?', 'What does read only do? Only read does.', 'Mounts that are read-only, among others.'],
]

it.each(NAMES)('%s: a document that holds the name comes before one that holds its parts', async (query, ...texts) => {
  const [parts, whole] = texts
  const padding = 'Something else is said here, at length. '.repeat(40)
  await using shelved = await shelf({ 'parts.md': parts, 'whole.md': `${padding}${whole}` })
  const { hits } = await shelved.look(query)
  expect(hits.map(({ document }) => document.path)).toEqual(['whole.md', 'parts.md'])
  expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? 1)
})

it('a phrase that many documents hold word for word comes before other forms of its words', async () => {
  const padding = 'Something else is said here, at length. '.repeat(40)
  const holders = Array.from({ length: 6 }, (_, at) => [`${at}.md`, `${padding}The red boats ${at}.`])
  await using shelved = await shelf({ 'forms.md': 'Red boat. A red boat.', ...Object.fromEntries(holders) })
  expect((await shelved.paths('"red boats"')).indexOf('forms.md')).toBe(6)
})

/** What stands in each document, and the query that it is to be the first for, before a document that mentions it often. */
const OWN: readonly (readonly [name: string, path: string, text: string, query: string])[] = [
  ['a first heading', 'one.md', '---\ntitle: Notes\n---\n# Retry policy\n\nNever.', 'retry policy'],
  ['an alias', 'one.md', '---\ntitle: Notes\naliases: [Retry policy, Trying again]\n---\nNever.', 'Retry policy'],
  ['an anchor', 'one.md', 'Short.\n\n<a id="retry-policy"></a>Never.', 'retry policy'],
  ['the name of a file', 'deep/retry-policy.md', '# Notes\n\nNever.', 'retry-policy.md'],
  ['a path', 'deep/retry/policy.md', '# Notes\n\nNever.', 'how do I find deep/retry/policy?'],
]

it.each(OWN)('%s is found before mentions', async (_, path, text, query) => {
  const mentions = '# Other\n\nThe retry policy: a retry policy retries by policy. '.repeat(8)
  const aliases = text.includes('aliases') ? { aliases: '["Retry policy","Trying again"]' } : {}
  const given = { text, title: 'Notes', metadata: aliases }
  await using shelved = await shelf({ 'mentions.md': { text: mentions, title: 'Other' }, [path]: given })
  expect(await shelved.paths(query)).toEqual([path, 'mentions.md'])
})

it('in a question with a name words count, and no meaning', async () => {
  await using shelved = await shelf({
    'notes.md': {
      title: 'Notes',
      text: 'OptICF: a list of fruit, of trees, cars and rivers. Repaired lists are long.',
    },
    'garage.md': {
      title: 'Garage',
      text: 'How mechanics repair vehicles and mend an automobile. Cars with OptICF.',
    },
  })
  const { results } = await shelved.search('How are cars repaired with OptICF')
  expect(results.map(({ path }) => path)).toEqual(['garage.md', 'notes.md'])
})

it('in a question of other words with a name meaning counts', async () => {
  await using shelved = await shelf({
    'notes.md': { title: 'OptICF', text: 'OptICF: fruit, trees and rivers. OptICF.' },
    'garage.md': { title: 'Garage', text: 'How mechanics repair vehicles and cars, among others with OptICF.' },
  })
  expect((await shelved.search('automobile mending OptICF')).results[0]?.path).toBe('garage.md')
})

it('a word of prose that many documents hold as it is written moves none of them', async () => {
  const parts = 'Only read this, read only this. Read only.'
  const padding = 'Something else is said here, at length. '.repeat(40)
  const holders = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${at}.md`, `${padding}Mounts ${at} that are read-only.`]),
    )
  await using few = await shelf({ 'parts.md': parts, ...holders(2) })
  await using many = await shelf({ 'parts.md': parts, ...holders(8) })
  expect((await few.paths('What is only read-only?')).indexOf('parts.md')).toBe(2)
  expect((await many.paths('What is only read-only?')).indexOf('parts.md')).toBe(0)
})

it.each(['read-only', '`read-only`'])('finds the few that hold %s among hundreds that hold its parts', async (name) => {
  const parts = Array.from({ length: 300 }, (_, at) => [`${at}.md`, `Only read this, part ${at}: read it only once.`])
  const whole = `${'Something else is said here, at length. '.repeat(40)}Mounts that are read-only.`
  await using shelved = await shelf({ ...Object.fromEntries(parts), 'whole.md': whole })
  expect((await shelved.paths(`What does ${name} mean?`))[0]).toBe('whole.md')
})

const EIGHT = ['ab', 'ba', 'bc', 'cb', 'ca', 'ac', 'aa', 'bb'].map(([one, other]) => `${one}ix-${other}ix`)

it.each([
  ['stops at an ordinary name that too many hold', 'What does read-only mean?', 'Mounts that are read-only.', 20],
  ['stops at another name that some hold', 'What does `read-only` mean?', 'Mounts that are read-only.', 48],
  ['ends with a name that none holds', 'What does read-only mean?', 'It is said only once.', 300],
  ['reads a text once for eight names', `What do ${EIGHT.join(' ')} mean?`, 'aix bix cix', 300],
])('among 300 documents with the parts of a name, %s', async (_, query, said, count) => {
  const texts = Array.from({ length: 300 }, (_, at) => [`${at}.md`, `Part ${at}: only read this. ${said}`])
  await using shelved = await shelf(Object.fromEntries(texts))
  const read = vi.spyOn(shelved.store.documents, 'texts')
  await shelved.paths(query)
  const turns = read.mock.calls.map(([ids]) => ids.length)
  expect(turns.reduce((sum, turn) => sum + turn, 0)).toBe(count)
  expect(Math.max(...turns)).toBeLessThanOrEqual(32)
})

it('keeps only as many texts as it has room for, whatever is read', async () => {
  const same = Array.from({ length: 100 }, (_, at) => [`${at}.md`, 'a'.repeat(50)])
  await using shelved = await shelf(Object.fromEntries(same))
  const hits = (await shelved.store.documents.list({})).map((document) => ({ document }))
  let read = 0
  const texts = new ExactTextReader((ids) => {
    read += ids.length
    return shelved.store.documents.texts(ids)
  }, 1000)
  const lengths = async () => [...(await texts.map(hits, (_, text) => text.length)).values()]
  for (const all of [100, 190]) {
    expect(await lengths()).toEqual(hits.map(() => 50))
    expect(read).toBe(all)
  }
})

it('a line of a long page finds that page before a tiny page with all its words', async () => {
  const line = 'The worker removes expired leases before it takes the next job from the queue.'
  const long = `${'Other things are said of other workers and jobs. '.repeat(2000)}\n\n${line}\n`
  const tiny = 'Next job, queue, worker, leases: expired removes, takes.'
  await using shelved = await shelf({ 'tiny.md': tiny, 'long.md': long })
  expect(await shelved.paths(line)).toEqual(['long.md', 'tiny.md'])
})

it.each(['&&', '::', '?.', '§', '->', 'what does `?.` do', '`::` and `&&`'])('signs are found: %s', async (query) => {
  const signs = 'if (a?.b && std::max(1, 2)) return p->x § 4'
  await using shelved = await shelf({ 'none.md': 'What they do: what does what do.', 'signs.md': `${signs} what do` })
  expect((await shelved.paths(query))[0]).toBe('signs.md')
})

it.each([
  ['How do I open a file and/or folder, e.g. in Rust?', []],
  ['Is it well-known? Yes; it is.', ['well-known']],
  ['see (src/files/disk.ts), std::vector, a->b', ['src/files/disk.ts', 'std::vector', 'a->b']],
  [`${'1.'.repeat(50_000)}1`, []],
  [`${'.'.repeat(100_000)}a`, []],
])('names of %.60s', (query, names) => {
  expect(exactTextsIn({ text: query, plain: '' }).map(({ text }) => text)).toEqual(names)
})

it('a pasted line has up to 4,096 characters', () => {
  const line = (length: number) => 'alpha beta gamma delta epsilon '.repeat(200).slice(0, length)
  const counts = [4096, 4097].map((length) => exactTextsIn({ text: '', plain: line(length) }).length)
  expect(counts).toEqual([1, 0])
})

it('a pasted line is compared with each part of a text once', () => {
  const line = 'alpha beta gamma delta epsilon '.repeat(130)
  const [exact] = exactTextsIn({ text: '', plain: line })
  const timeOf = (times: number) => {
    const text = 'epsilon '.repeat(times).padStart(60_000, 'other words ').padEnd(120_000, 'other words ')
    const begun = performance.now()
    for (let round = 0; round < 20; round++) expect(exact?.grade(text, text)).toBe(0)
    return performance.now() - begun
  }
  timeOf(1)
  expect(timeOf(20) / timeOf(1)).toBeLessThan(6)
})
