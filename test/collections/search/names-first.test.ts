import { expect, it } from 'vitest'
import { exactNamesIn } from '../../../src/retrieval/reread.ts'
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

it.each([
  ['How do I open a read-only file and/or folder, e.g. in JavaScript?', []],
  ['Is it well-known? Yes; it is.', []],
  ['see (src/files/disk.ts), std::vector, a->b', ['src/files/disk.ts', 'std::vector', 'a->b']],
  [`${'1.'.repeat(50_000)}1`, []],
  [`${'.'.repeat(100_000)}a`, []],
])('names of %.60s', (query, names) => {
  expect(exactNamesIn(query)).toEqual(names)
})
