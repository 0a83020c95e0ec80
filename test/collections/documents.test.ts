import { describe, expect, it } from 'vitest'
import type { GetAnswer } from '../../src/collections/answers.ts'
import type { Documents } from '../../src/collections/documents.ts'
import { documents } from '../../src/operations/search/documents.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { tree } from '../support/tree.ts'
import { performed } from './performed.ts'
import { type Shelved, shelf } from './search/shelf.ts'

const { get, ls: lsOperation, multiGet } = documents

const TEXT = 'one\ntwo\nthree\nfour\n'

const SHELVED: Shelved = {
  'readme.md': { title: 'Read me', text: TEXT, hash: 'abcdef01'.padEnd(64, '0') },
  'api/errors.md': { title: 'Errors', text: 'Errors.\n', hash: 'abcdef02'.padEnd(64, '0') },
  'api/v2/list.md': { title: 'List', text: 'List.\n' },
  'odd/a b#%20?.md': { title: 'Odd', text: 'Odd.\n' },
  'odd/[id].md': { title: 'Brackets', text: 'Brackets.\n' },
  'odd/{x}.md': { title: 'Braces', text: 'Braces.\n' },
  'odd/a,b.md': { title: 'Comma', text: 'Comma.\n' },
  'copy.md': { title: 'Copy', text: TEXT, hash: 'abcdef01'.padEnd(64, '0') },
  'empty.md': { title: 'Empty', text: '' },
  'notes:todo.md': { title: 'To do', text: 'To do.\n' },
}

/** What of a shelf is got by a name. */
async function gotOf(shelved: Shelved, ...asked: Parameters<Documents['get']>): Promise<GetAnswer> {
  await using books = await shelf(shelved)
  return await (await books.documents()).get(...asked)
}

describe('a document', () => {
  it('has the names that others rely on', async () => {
    await using books = await shelf(SHELVED)
    await books.contexts.set('/', 'Everything.')
    await books.contexts.set('docs/api', 'What servers call.')
    const { output, text } = await performed(books.store, get, { path: 'docs/api/errors.md' })
    expect(output).toEqual({
      ...{ uri: 'ambit://docs/api/errors.md', docid: '#abcdef02', collection: 'docs', path: 'api/errors.md' },
      ...{ title: 'Errors', text: 'Errors.\n', lines: { start: 1, end: 1, total: 1 } },
      context: 'Everything.\n\nWhat servers call.',
    })
    expect(text).toBe('Errors.\n')
  })

  it.each([
    ['its path', 'docs/api/errors.md', 'api/errors.md'],
    ['its path with slashes too many', 'docs//api/errors.md', 'api/errors.md'],
    ['its uri', 'ambit://docs/api/errors.md', 'api/errors.md'],
    ['its uri of another program', 'qmd://docs/api/errors.md', 'api/errors.md'],
    ['an escaped uri', 'ambit://docs/odd/a%20b%23%2520%3F.md', 'odd/a b#%20?.md'],
    ['an odd path as it is', 'docs/odd/a b#%20?.md', 'odd/a b#%20?.md'],
    ['a path with brackets', 'docs/odd/[id].md', 'odd/[id].md'],
    ['a wiki link', '[[errors#Codes|see]]', 'api/errors.md'],
    ['its docid', '#abcdef02', 'api/errors.md'],
    ['its docid in capitals', '#ABCDEF02', 'api/errors.md'],
    ['its whole hash', `#${'abcdef02'.padEnd(64, '0')}`, 'api/errors.md'],
    ['a docid of two documents with one content, by the first path', '#abcdef01', 'copy.md'],
  ])('is got by %s', async (_, path, expected) => {
    expect((await gotOf(SHELVED, path)).path).toBe(expected)
  })

  it('is got by its path on disk', async () => {
    using files = tree({ 'api/errors.md': 'x' })
    await using books = await shelf(SHELVED, { docs: files.base })
    const documents = await books.documents()
    expect((await documents.get(files.at('api/errors.md'))).uri).toBe('ambit://docs/api/errors.md')
  })

  it('is that of the collection where its name names another on disk, and the reader is told', async () => {
    const path = 'test/collections/documents.test.ts'
    const roots = { test: '/srv/test', project: process.cwd() }
    await using books = await shelf({ [`test:${path.slice(5)}`]: 'x', 'test:only.md': 'y', 'project:a.md': 'z' }, roots)
    const one = await performed(books.store, get, { path: `${path}:1` })
    expect([one.output.uri, one.notices]).toEqual([
      `ambit://${path}`,
      [`"${path}" is taken for a place in the collection "test"; on disk it is ./${path}.`],
    ])
    const several = await performed(books.store, multiGet, { pattern: path, more: ['test/only.md'] })
    expect(several.notices).toEqual(one.notices)
    const listed = await performed(books.store, lsOperation, { place: 'test/collections' })
    expect(listed.notices).toEqual([expect.stringContaining('on disk it is ./test/collections.')])
    expect((await performed(books.store, get, { path: 'test/only.md' })).notices).toEqual([])
    expect((await performed(books.store, get, { path: `ambit://${path}` })).notices).toEqual([])
  })

  const NAMED: Shelved = {
    'guide/install.md': 'one\ntwo\nthree\nfour\n',
    'api/v1/errors.md': 'v1\n',
    'api/v2/errors.md': 'v2\n',
    'api/list.md': 'in docs\n',
    'notes:list.md': 'in notes\n',
    'notes:log:10': 'a log\nof two\n',
    'Guide/Big.md': 'big\n',
    'a/cafe\u0301.md': 'accent\n',
  }

  it.each([
    ['its file name', 'install.md', 'docs/guide/install.md', 'one\ntwo\nthree\nfour\n'],
    ['as much of its end as makes it one', 'v2/errors.md', 'docs/api/v2/errors.md', 'v2\n'],
    ['its file name and lines', 'install.md:2-3', 'docs/guide/install.md', 'two\nthree\n'],
    ['its file name, from a line on', 'install.md:3', 'docs/guide/install.md', 'three\nfour\n'],
    ['its file name, from a line on, and how many', 'install.md:2:2', 'docs/guide/install.md', 'two\nthree\n'],
    ['its path and lines', 'docs/guide/install.md:1-2', 'docs/guide/install.md', 'one\ntwo\n'],
    ['its path, from a line on', 'docs/guide/install.md:2', 'docs/guide/install.md', 'two\nthree\nfour\n'],
    ['its path, from a line on, and how many', 'docs/guide/install.md:2:1', 'docs/guide/install.md', 'two\n'],
    ['more lines than there are', 'install.md:4:99999999999999999999', 'docs/guide/install.md', 'four\n'],
    ['a file name that ends like lines', 'log:10', 'notes/log:10', 'a log\nof two\n'],
    ['a line of that', 'log:10:2', 'notes/log:10', 'of two\n'],
    ['its path that ends like lines', 'notes/log:10', 'notes/log:10', 'a log\nof two\n'],
    ['letters that are written in another way', 'caf\u00e9.md', 'docs/a/cafe\u0301.md', 'accent\n'],
  ])('is got by %s', async (_, name, path, text) => {
    const answer = await gotOf(NAMED, name)
    expect([`${answer.collection}/${answer.path}`, answer.text]).toEqual([path, text])
  })

  it.each([
    [
      'one of several',
      'errors.md',
      'conflict',
      '2 documents are called "errors.md".',
      'docs/api/v1/errors.md, docs/api',
    ],
    ['that with lines', 'errors.md:1:1', 'conflict', '2 documents are called "errors.md".', 'whole path'],
    ['one in both', 'list.md', 'conflict', '2 documents are called "list.md".', 'docs/api/list.md, notes/list.md.'],
    ['the end of a name', 'stall.md', 'not-found', 'There is no document stall.md.', 'Similar: docs/guide/install.md.'],
    ['a slip in it', 'instal.md', 'not-found', 'There is no document instal.md.', 'Similar: docs/guide/install.md.'],
    ['with lines', 'instal.md:2:1', 'not-found', 'There is no document instal.md.', 'Similar: docs/guide/install.md.'],
    ['a slip in its end', 'v3/errors.md', 'not-found', 'There is no document v3/errors.md.', 'docs/api/v1/errors.md'],
    ['another case', 'big.MD', 'not-found', 'There is no document big.MD.', 'Similar: docs/Guide/Big.md.'],
    ['a new name', 'zebra-crossing.txt', 'not-found', 'There is no document zebra-crossing.txt.', 'See "ambit ls".'],
    ['the end behind a scheme', 'ambit://install.md', 'not-found', 'There is no collection "install.md".', ''],
    ['no lines', 'install.md:2:0', 'invalid-input', '"2:0" is not a range of lines.', '10:5 is five lines'],
    ['no path with lines', 'docs/none:10', 'not-found', 'There is no document docs/none.', ''],
    ['line 0', 'install.md:0:3', 'invalid-input', '"0:3" is not a range of lines.', ''],
    ['lines behind its end', 'install.md:9:2', 'invalid-input', 'docs/guide/install.md has only 4 lines.', '"9:2"'],
  ])('is not got by %s: %s', async (_, name, code, message, hint) => {
    const told = { code, message, hint: expect.stringContaining(hint) }
    await expect(gotOf(NAMED, name)).rejects.toMatchObject(told)
  })

  it('is got by the end of its path for any path that no other ends in', async () => {
    const name = fc.constantFrom('a', 'b', 'a.md', 'b.md', 'x y', 'é')
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
    await forAllAsync(25, fc.uniqueArray(path, { minLength: 1, maxLength: 8 }), path, async (paths, end) => {
      const shelved = Object.fromEntries(paths.map((one) => [`shelf:${one}`, one]))
      const ends = paths.filter((one) => `/${one}`.endsWith(`/${end}`))
      const [only] = ends
      const got = await gotOf(shelved, end).catch(({ code }) => code)
      const expected = ends.length > 1 ? 'conflict' : only === undefined ? 'not-found' : { path: only, text: only }
      expect(got).toEqual(typeof expected === 'string' ? expected : expect.objectContaining(expected))
    })
  })

  it('that is the only one called so outside of paused collections is got, and else that of a paused one', async () => {
    await using library = await shelf(NAMED)
    await library.store.collections.update('notes', { isPaused: true })
    const documents = await library.documents()
    expect((await documents.get('list.md')).collection).toBe('docs')
    expect((await documents.get('log:10')).collection).toBe('notes')
  })

  it.each([
    [undefined, 2, 'one\ntwo\n', { start: 1, end: 2, total: 4 }],
    [undefined, 9, 'one\ntwo\nthree\nfour\n', { start: 1, end: 4, total: 4 }],
    ['2-', 1, 'two\n', { start: 2, end: 2, total: 4 }],
    ['2:2', 3, 'two\nthree\n', { start: 2, end: 3, total: 4 }],
  ])('has so many lines at most: %s, %i', async (asked, most, text, lines) => {
    expect(await gotOf(NAMED, 'install.md', asked, most)).toMatchObject({ text, lines })
  })

  it('of a paused collection is got, too', async () => {
    await using books = await shelf(SHELVED)
    await books.store.collections.update('docs', { isPaused: true })
    const documents = await books.documents()
    expect((await documents.get('docs/readme.md')).title).toBe('Read me')
    expect((await documents.get('#abcdef02')).title).toBe('Errors')
  })

  it.each([
    ['a path with a letter left out', 'docs/api/eror.md', 'not-found', 'Similar: docs/api/errors.md.'],
    ['one in another case', 'docs/API/Errors.md', 'not-found', 'Similar: docs/api/errors.md.'],
    ['one without its directory', 'docs/errors.md', 'not-found', 'Similar: docs/api/errors.md.'],
    ['one in another directory', 'docs/lib/errors.md', 'not-found', 'Similar: docs/api/errors.md.'],
    ['one with a directory too many', 'docs/docs/readme.md', 'not-found', 'Similar: docs/readme.md'],
    ['an escaped path in a uri', 'ambit://docs/odd/a%20b%23.md', 'not-found', 'Similar: docs/odd/a,b.md.'],
    ['a path like none', 'docs/xylophone/zzz.txt', 'not-found', 'See "ambit ls docs".'],
    ['a directory', 'docs/api', 'not-found', 'It holds documents: see "ambit ls docs/api".'],
    ['a collection', 'docs', 'not-found', 'It holds documents: see "ambit ls docs".'],
    ['a directory with a blank', 'docs/of us', 'not-found', 'It holds documents: see "ambit ls \'docs/of us\'".'],
    ['the docid of several', '#abcdef', 'conflict', 'docs/api/errors.md'],
    ['an unknown docid', '#12345678', 'not-found', 'search again'],
    ['a docid that is too short', '#abcde', 'invalid-input', 'six'],
    ['a docid that is none', '#xyzxyz', 'invalid-input', 'six'],
    ['a sign alone', '#', 'invalid-input', 'six'],
    ['an unknown collection', 'doc/readme.md', 'not-found', 'Did you mean docs?'],
    ['a way out', 'docs/../notes/todo.md', 'invalid-input', ''],
    ['nothing', '', 'invalid-input', ''],
    ['everything', '/', 'invalid-input', 'COLLECTION/PATH'],
    ['a path on disk in no collection', '/nowhere/a.md', 'not-found', 'docs/PATH'],
  ])('is not got by %s, and the nearest are named', async (_, path, code, hint) => {
    const shelved = { ...SHELVED, 'of us/a.md': 'One.' }
    await expect(gotOf(shelved, path)).rejects.toMatchObject({ code, hint: expect.stringContaining(hint) })
  })

  it.each([
    ['2-3', 'two\nthree\n', { start: 2, end: 3, total: 4 }],
    ['3-', 'three\nfour\n', { start: 3, end: 4, total: 4 }],
    ['1', 'one\n', { start: 1, end: 1, total: 4 }],
    ['4-4', 'four\n', { start: 4, end: 4, total: 4 }],
    ['1-1000', TEXT, { start: 1, end: 4, total: 4 }],
    ['4-99999999999999999999', 'four\n', { start: 4, end: 4, total: 4 }],
    ['2:2', 'two\nthree\n', { start: 2, end: 3, total: 4 }],
    ['4:1', 'four\n', { start: 4, end: 4, total: 4 }],
    ['3:1000', 'three\nfour\n', { start: 3, end: 4, total: 4 }],
  ])('is got by lines: %s', async (lines, text, expected) => {
    expect(await gotOf(SHELVED, 'docs/readme.md', lines)).toMatchObject({ text, lines: expected })
  })

  it.each([...'1:0 0:1 : 1: :1 1:2:3 1:- 0 0-3 3-2 -3 a-b 1-2-3 1.5 -'.split(' '), '', ' 1'])(
    'has no lines %j',
    async (lines) => {
      await expect(gotOf(SHELVED, 'docs/readme.md', lines)).rejects.toMatchObject({ code: 'invalid-input' })
    },
  )

  it.each([
    ['docs/readme.md', '5', '5'],
    ['docs/readme.md', '5-', '5-'],
    ['docs/readme.md', '5-9', '5-9'],
    ['docs/readme.md', '99999999999999999999-', '99999999999999999999-'],
    ['docs/readme.md:5', undefined, '5-'],
    ['docs/readme.md:5-9', undefined, '5-9'],
  ])('has no lines behind its end, and says so: %s %s', async (path, lines, shown) => {
    const [message, hint] = ['docs/readme.md has only 4 lines.', `"${shown}" is after its end: ask for some of 1-4.`]
    await expect(gotOf(SHELVED, path, lines)).rejects.toMatchObject({ code: 'invalid-input', message, hint })
  })

  it('that is empty may be asked for from its first line on, and no further', async () => {
    await using books = await shelf(SHELVED)
    const documents = await books.documents()
    for (const path of ['docs/empty.md', 'docs/empty.md:1'])
      expect(await documents.get(path)).toMatchObject({ text: '', lines: { start: 1, end: 0, total: 0 } })
    await expect(documents.get('docs/empty.md:2')).rejects.toMatchObject({ message: 'docs/empty.md has no lines.' })
  })

  it.each([
    ['LF, and none at the end', 'a\nb', 'b', 2],
    ['CRLF', 'a\r\nb\r\n', 'b\r\n', 2],
    ['CR', 'a\rb\r', 'b\r', 2],
    ['empty lines', 'a\n\n\n', '\n', 3],
  ])('counts its lines by %s', async (_, text, second, total) => {
    const lines = { start: 2, end: 2, total }
    expect(await gotOf({ 'a.md': text }, 'docs/a.md', '2')).toMatchObject({ text: second, lines })
    expect((await gotOf({ 'a.md': text }, 'docs/a.md')).lines).toEqual({ start: 1, end: total, total })
  })
})

describe('several documents', () => {
  it.each([
    ['a directory', 'docs/api/*', ['api/errors.md']],
    ['all below', 'docs/api/**', ['api/errors.md', 'api/v2/list.md']],
    ['names in any collection', '*do.md', ['todo.md']],
    ['any collection', '*/*.md', ['copy.md', 'empty.md', 'readme.md', 'todo.md']],
    ['either of two', 'docs/{readme,copy}.md', ['copy.md', 'readme.md']],
    ['a uri', 'ambit://docs/api/*', ['api/errors.md']],
    ['a list', 'docs/readme.md, notes/todo.md', ['readme.md', 'todo.md']],
    ['a list of globs and docids', 'notes/*, #abcdef02', ['todo.md', 'api/errors.md']],
    ['a path twice', 'docs/readme.md,docs/readme.md,docs/r*.md', ['readme.md']],
    ['a name with brackets', 'docs/odd/[id].md', ['odd/[id].md']],
    ['a name with braces', 'docs/odd/{x}.md', ['odd/{x}.md']],
    ['a name with a question mark', 'docs/odd/a b#%20?.md', ['odd/a b#%20?.md']],
    ['a range of letters', 'docs/[cr]*.md', ['copy.md', 'readme.md']],
    ['empty parts', ',docs/readme.md,,', ['readme.md']],
    ['a name with a comma', 'docs/odd/a,b.md', ['odd/a,b.md']],
    ['ends of paths', 'todo.md,v2/list.md', ['todo.md', 'api/v2/list.md']],
  ])('are got by %s', async (_, pattern, paths) => {
    await using books = await shelf(SHELVED)
    const { output } = await performed(books.store, multiGet, { pattern })
    expect(output.documents.map(({ path }) => path)).toEqual(paths)
    expect(output.left).toEqual([])
  })

  it('are got by several names, each with its own lines, and so many lines at most', async () => {
    await using books = await shelf(SHELVED)
    const given = { pattern: 'docs/readme.md:2:2', more: ['todo.md', 'docs/api/*,copy.md:4', 'docs/readme.md:1'] }
    const { output } = await performed(books.store, multiGet, { ...given, maxLines: 2 })
    const got = output.documents.map(({ path, text }) => `${path}: ${text}`).join('')
    expect(got).toBe(
      'readme.md: two\nthree\ntodo.md: To do.\napi/errors.md: Errors.\ncopy.md: four\nreadme.md: one\ntwo\n',
    )
    expect(output.left).toEqual([])
  })

  it.each([
    ['a name of several', 'copy.md', '2 documents are called "copy.md".'],
    ['lines behind the end', 'docs/readme.md:9', 'docs/readme.md has only 4 lines.'],
    ['a slip', 'readne.md', 'Similar: docs/readme.md.'],
    ['a slip in a glob', 'docs/raedme*', 'There is no such document. Similar: docs/readme.md.'],
    ['a slip in a wiki link', '[[raedme]]', 'There is no document [[raedme]]. Similar: docs/readme.md.'],
  ])('tell what one of them is not given for, and give the others: %s', async (_, name, detail) => {
    await using books = await shelf({ ...SHELVED, 'notes:copy.md': 'Another.\n' })
    const { output, failed } = await performed(books.store, multiGet, { pattern: name, more: ['todo.md'] })
    expect(output.documents.map(({ path }) => path)).toEqual(['todo.md'])
    expect(output.left).toEqual([{ path: name.replace(':9', ''), detail: expect.stringContaining(detail) }])
    expect(failed).toBe(false)
  })

  it('are given as far as there are any; what is not there is told, with the nearest', async () => {
    await using books = await shelf(SHELVED)
    const many = Array.from({ length: 50 }, (_, at) => `docs/none${at}.md`).join(',')
    const { left } = await (await books.documents()).multiGet(many)
    expect([left.length, left.at(-1)?.detail]).toEqual([21, expect.stringMatching(/^30 more are left out/)])
    const pattern = 'docs/readme.md,docs/redme.md,doc/readme.md,#12345678,docs/none*.md,docs/../x.md'
    const { output, text, failed } = await performed(books.store, multiGet, { pattern })
    expect(output.documents.map(({ path }) => path)).toEqual(['readme.md'])
    expect(output.left.map(({ path }) => path)).toEqual(pattern.split(',').slice(1))
    expect(output.left.map(({ detail }) => detail).join('\n')).toMatch(
      /Similar: docs\/readme\.md.*Did you mean docs\?.*search again.*no such document/s,
    )
    expect(text).toContain('==> ambit://docs/readme.md <==\none\n')
    expect(multiGet.notices?.(output)).toContainEqual(expect.stringMatching(/^not given: docs\/redme\.md: /))
    expect(failed).toBe(false)
  })

  it.each(['', ' , ', '""'])('are not given where none is named: %j', async (pattern) => {
    await using books = await shelf(SHELVED)
    const error = { code: 'invalid-input', message: 'No document is named.' }
    await expect(performed(books.store, multiGet, { pattern })).rejects.toMatchObject(error)
  })

  it('fail when none is given', async () => {
    await using books = await shelf(SHELVED)
    expect((await performed(books.store, multiGet, { pattern: 'docs/x' })).failed).toBe(true)
  })

  it.each([
    ['all', 100, ['a.md', 'b.md', 'c.md'], []],
    ['up to the byte', 18, ['a.md', 'b.md', 'c.md'], []],
    ['one byte less: not the last', 17, ['a.md', 'b.md'], ['docs/c.md']],
    ['not a large one, but a smaller after it', 10, ['a.md', 'c.md'], ['docs/b.md']],
    ['none', 1, [], ['docs/a.md', 'docs/b.md', 'docs/c.md']],
  ])('are given within a limit of bytes: %s', async (_, maxBytes, paths, left) => {
    await using books = await shelf({ 'a.md': 'ééé', 'b.md': '12345678', 'c.md': '漢a' })
    const { output } = await performed(books.store, multiGet, { pattern: 'docs/*', maxBytes })
    expect(output.documents.map(({ path }) => path)).toEqual(paths)
    expect(output.left.map(({ path }) => path)).toEqual(left)
    for (const { detail } of output.left) expect(detail).toMatch(/^It has \d+ bytes; \d+ of \d+ are left\./)
  })

  it('are given up to 256 KiB by default', async () => {
    await using books = await shelf({ 'a.md': 'x'.repeat(256 * 1024), 'b.md': 'y' })
    const { documents, left } = await (await books.documents()).multiGet('docs/*')
    expect([documents.length, left.length]).toEqual([1, 1])
  })

  it('of a paused collection are given when it is named', async () => {
    await using books = await shelf(SHELVED)
    await books.store.collections.update('notes', { isPaused: true })
    const documents = await books.documents()
    expect((await documents.multiGet('notes/*')).documents).toHaveLength(1)
    expect((await documents.multiGet('*do.md')).documents).toHaveLength(0)
    expect((await documents.multiGet('notes/todo.md')).documents).toHaveLength(1)
  })
})

describe('a listing', () => {
  it('of everything names the collections, and what they are for', async () => {
    await using books = await shelf(SHELVED)
    await books.contexts.set('docs', 'The documents.')
    const { output, text } = await performed(books.store, lsOperation)
    const docs = { path: 'docs', documents: 9, context: 'The documents.' }
    const directories = [docs, { path: 'notes', documents: 1 }]
    expect(output).toEqual({ collection: null, path: '', directories, documents: [] })
    expect(text).toBe('docs/  9 documents  [The documents.]\nnotes/  1 document\n')
    expect((await performed(books.store, lsOperation, { place: '/' })).output).toEqual(output)
  })

  it('of a collection tells its directories with all below them, and its documents', async () => {
    await using books = await shelf(SHELVED)
    await books.contexts.set('docs', 'The documents.')
    await books.contexts.set('docs/api', 'What servers call.')
    const { output } = await performed(books.store, lsOperation, { place: 'docs' })
    expect(output).toMatchObject({ collection: 'docs', path: '' })
    expect(output.directories).toEqual([
      { path: 'api', documents: 2, context: 'What servers call.' },
      { path: 'odd', documents: 4 },
    ])
    expect(output.documents.map(({ path }) => path)).toEqual(['copy.md', 'empty.md', 'readme.md'])
    expect(output.documents[2]).toEqual({
      ...{ path: 'readme.md', uri: 'ambit://docs/readme.md', docid: '#abcdef01', title: 'Read me' },
      ...{ bytes: TEXT.length, modifiedAt: '2026-01-01T00:00:00.000Z' },
    })
  })

  it.each([
    ['docs/api', ['api/v2'], ['api/errors.md']],
    ['docs/api/', ['api/v2'], ['api/errors.md']],
    ['ambit://docs/api/v2', [], ['api/v2/list.md']],
    ['docs/readme.md', [], ['readme.md']],
  ])('of %s tells what is there', async (place, directories, documents) => {
    await using books = await shelf(SHELVED)
    const { output } = await performed(books.store, lsOperation, { place })
    expect(output.directories.map(({ path }) => path)).toEqual(directories)
    expect(output.documents.map(({ path }) => path)).toEqual(documents)
  })

  it.each([
    ['docs/ap', 'docs/api'],
    ['docs/apis', 'docs/api'],
    ['docs/api/v3', 'docs/api/v2'],
    ['docs/api/errors', 'docs/api/errors.md'],
  ])('of %s, which is not there, is not-found', async (place, hint) => {
    await using books = await shelf(SHELVED)
    const listing = (await books.documents()).list(place)
    await expect(listing).rejects.toMatchObject({ code: 'not-found', hint: expect.stringContaining(hint) })
  })

  it('of a collection without documents is empty, and says so', async () => {
    await using books = await shelf()
    expect((await performed(books.store, lsOperation)).text).toBe('There is nothing here yet.\n')
    await books.store.collections.add({ name: 'new', root: '/srv/new', patterns: [], exclude: [] })
    const { output, text } = await performed(books.store, lsOperation, { place: 'new' })
    expect([output.directories, output.documents, text]).toEqual([[], [], 'There is nothing here yet.\n'])
  })

  it('has a line for each, whatever they are called', async () => {
    await using books = await shelf({ 'a\nb.md': { title: 'x\r\u001b[31my', text: 'x' }, 'c\td/e.md': 'x' })
    const { text } = await performed(books.store, lsOperation, { place: 'docs' })
    expect(text.split('\n')).toHaveLength(3)
    expect(text).not.toMatch(/[\r\t\u001b]/)
  })
})
