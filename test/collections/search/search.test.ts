import { describe, expect, it } from 'vitest'
import { fc, forAllAsync } from '../../support/property.ts'
import { type Shelved, shelf } from './shelf.ts'

/** Documents whose words stand in them and nowhere else, and some that share words. */
const SHELVED: Shelved = {
  'api/retry.md': { title: 'Retries', text: 'Retry after a timeout. Requests are retried three times.' },
  'api/errors.md': { title: 'Errors', text: 'A timeout is an error. Out of memory is another.' },
  'guides/install.md': { title: 'Install Node', text: 'Install Node 24 on Linux, or on Windows 11.' },
  'guides/upgrade.md': { title: 'Upgrade', text: 'How to upgrade: install the new version, 1.0.21, of Node.' },
  'src/file.ts.md': { title: 'Files', text: 'Call CFileFind::FindNextFile, openFile or max_retries. In C++ only.' },
  'zh/搜索.md': { title: '全文检索', text: '全文检索引擎的原理。' },
  'th/ค้นหา.md': { title: 'ค้นหา', text: 'เราใช้เครื่องมือค้นหาข้อความใน พ.ศ. ๒๕๖๙' },
  'lo.md': { title: 'ລາວ', text: 'ພວກເຮົາຄົ້ນຫາຂໍ້ຄວາມ' },
  'km.md': { title: 'ខ្មែរ', text: 'យើងស្វែងរកអត្ថបទ' },
  'my.md': { title: 'မြန်မာ', text: 'ကျွန်ုပ်တို့စာသားကိုရှာဖွေသည်' },
  'fr/été.md': { title: "L'été", text: 'Un café à la crème, en été.' },
}

const RUN = 'Install, then run. See below.'
const SAME = { title: 'Same', text: 'alpha' }

it('finds what is meant in other words by one sentence of a passage', async () => {
  const meal = 'The canteen sells soup and bread until the kitchen closes.'
  await using shelved = await shelf({ 'a.md': `${meal} The ferry leaves at nine. ${meal}`, 'b.md': meal })
  const { results } = await shelved.search('when does the boat depart')
  expect(results.map(({ path }) => path)).toEqual(['a.md'])
})

describe('a search', () => {
  it.each([
    ['words, by their stems', 'retrying', ['api/retry.md', 'src/file.ts.md']],
    ['any of the words', 'memory windows', ['guides/install.md', 'api/errors.md']],
    ['words of the title', 'upgrades', ['guides/upgrade.md']],
    ['words of the path', 'guides', ['guides/upgrade.md', 'guides/install.md']],
    ['a question', 'how do I install node on windows?', ['guides/install.md', 'guides/upgrade.md']],
    ['stop words and others', 'the memory of it', ['api/errors.md']],
    ['AND, which is a word that says little', 'memory AND elephants', ['api/errors.md']],
    ['a phrase', '"out of memory"', ['api/errors.md']],
    ['by its words a phrase of other forms', '"after timeouts"', ['api/retry.md', 'api/errors.md']],
    ['a phrase over a stop word', '"a timeout is an error"', ['api/errors.md']],
    ['a phrase in the title', '"install node"', ['guides/install.md']],
    ['a phrase in the title alone', 'title:"install node"', ['guides/install.md']],
    ['a phrase that stands only in texts', 'title:"out of memory"', []],
    ['by its words a phrase that is nowhere', '"memory out"', ['api/errors.md']],
    ['a phrase and a word that may be there', '"out of memory" retry', ['api/errors.md']],
    ['a phrase of one word', '"memory" retry', ['api/errors.md']],
    ['without a word', 'timeout -memory', ['api/retry.md']],
    ['without a phrase', 'timeout -"out of memory"', ['api/retry.md']],
    ['without a prefix', 'timeout -memo*', ['api/retry.md']],
    ['without a prefix longer than the stem', 'timeout -requests*', ['api/errors.md']],
    ['without a word of the title', 'timeout -title:errors', ['api/retry.md']],
    ['without what the path holds', 'node -path:install', ['guides/upgrade.md']],
    ['only without words', '-memory -"out of memory" -path:api', []],
    ['a prefix', 'memo*', ['api/errors.md']],
    ['a prefix longer than the stem', 'retries*', ['api/retry.md', 'src/file.ts.md']],
    ['a prefix that is more than the word', 'retriesx*', []],
    ['a word of the title alone', 'title:install', ['guides/install.md']],
    ['a word of the path as one of the title', 'title:guides', ['guides/upgrade.md', 'guides/install.md']],
    ['a part of the path', 'node path:guides/up', ['guides/upgrade.md']],
    ['a part of the path, with accents', 'café path:FR/ÉTÉ', ['fr/été.md']],
    ['a part of the path in Chinese', '原理 path:搜索', ['zh/搜索.md']],
    ['an identifier', 'CFileFind::FindNextFile', ['src/file.ts.md']],
    ['a part of an identifier', 'find next', ['src/file.ts.md']],
    ['an identifier in lower case', 'openfile', ['src/file.ts.md']],
    ['an identifier that is unknown, by its parts', 'openMemory', ['api/errors.md', 'src/file.ts.md']],
    ['snake_case', 'max_retries', ['src/file.ts.md', 'api/retry.md']],
    ['a version', 'v1.0.21', ['guides/upgrade.md']],
    ['C++', 'C++', ['src/file.ts.md']],
    ['accents', 'cafe creme', ['fr/été.md']],
    ['capitals with accents', 'ÉTÉ', ['fr/été.md']],
    ['Chinese', '检索引擎', ['zh/搜索.md']],
    ['one Chinese character at the beginning of a word', '检', ['zh/搜索.md']],
    ['a Chinese phrase', '"检索引擎"', ['zh/搜索.md']],
    ['by its words a Chinese phrase that is nowhere', '"引擎检索"', ['zh/搜索.md']],
    ['a Chinese prefix', '检索引*', ['zh/搜索.md']],
    ['Thai', 'เครื่องมือ', ['th/ค้นหา.md']],
    ['one Thai character with its marks', 'ค้', ['th/ค้นหา.md']],
    ['a Thai phrase', '"มือค้นหา"', ['th/ค้นหา.md']],
    ['Lao', 'ຄົ້ນຫາ', ['lo.md']],
    ['Khmer', 'ស្វែងរក', ['km.md']],
    ['Burmese', 'ရှာဖွေ', ['my.md']],
    ['a Thai number as a number', '๒๕๖๙', ['th/ค้นหา.md']],
    ['a word with a letter too few', 'memry', ['api/errors.md']],
    ['two letters swapped', 'upgarde', ['guides/upgrade.md']],
    ['a word that is nothing like any', 'xylophone', []],
    ['one word of two that is nowhere', 'xylophone memory', ['api/errors.md']],
    ['emoji', '🎉 memory ❤️', ['api/errors.md']],
    ['nothing', '', []],
    ['white space', ' \t\n', []],
    ['signs', '"" -* -- "?"', []],
  ])('finds %s', async (_, query, expected) => {
    await using books = await shelf(SHELVED)
    expect(await books.paths(query)).toEqual(expected)
  })

  it.each<[string, Shelved, Record<string, string>]>([
    [
      'stop words where there are no others',
      { 'a.md': 'To be, or not to be.', 'b.md': 'Nothing.' },
      { 'to be or not to be': 'a.md', the: '' },
    ],
    [
      'a phrase of stop words beside a word that is elsewhere',
      { 'a.md': 'The Who played.', 'b.md': 'A band.', 'c.md': 'Who is the band?' },
      { '"the who" band': 'a.md' },
    ],
    [
      'what is typed more than the parts of a name',
      { 'a.md': 'openFile', 'b.md': 'open', 'c.md': 'file' },
      { openFile: 'a.md', 'openFile open': 'a.md b.md', openDoor: 'a.md b.md' },
    ],
    [
      'no word for another that shares a character',
      { 'a.md': '东京', 'b.md': '北京' },
      { 东京: 'a.md', 京: 'a.md b.md' },
    ],
    [
      'a word that only goes on differently after a prefix',
      { 'a.md': 'The configuration.', 'b.md': 'A ConfigurationManager.', 'c.md': 'config' },
      { 'configuration*': 'b.md a.md', 'config*': 'b.md c.md a.md', 'config -configuration*': 'c.md' },
    ],
    [
      'only what is asked for in the title when it is asked for there',
      { 'a.md': { title: 'Install', text: 'x' }, 'b.md': { title: 'B', text: 'Install' } },
      { 'title:install': 'a.md', 'install -title:install': 'b.md' },
    ],
    [
      'first what says it in the title',
      { 'a.md': { title: 'Other', text: `${RUN} install` }, 'b.md': { title: 'Install', text: RUN } },
      { install: 'b.md a.md' },
    ],
    [
      'first what covers more of the query',
      {
        ...{ 'a.md': 'alpha alpha alpha alpha', 'b.md': 'alpha beta other words' },
        ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`x${at}.md`, 'some other words here'])),
      },
      { 'alpha beta': 'b.md a.md' },
    ],
    ['by collections before paths', { 'docs-2:a.md': SAME, 'docs:z.md': SAME }, { alpha: 'z.md docs-2:a.md' }],
  ])('finds %s', async (_, shelved, found) => {
    await using books = await shelf(shelved)
    for (const [query, paths] of Object.entries(found)) expect((await books.paths(query)).join(' ')).toBe(paths)
  })

  it('resolves what is typed, and not the parts of a name', async () => {
    await using books = await shelf({ 'a.md': 'openFile', 'b.md': 'open', 'c.md': 'file' })
    const { resolved } = await books.look('openDoor open openFile openGate')
    const terms = resolved.map(({ term }) => `${term.kind} ${term.term}`)
    expect(terms).toEqual(['word opendoor', 'word open', 'word openfil', 'word openg'])
  })

  it('leaves out every word with a prefix that must not be there, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.md`, `word pre${letters(at)}`]))
    await using books = await shelf({ ...many, 'x.md': 'word' })
    expect(await books.paths('word -pre*')).toEqual(['x.md'])
  })
})

describe('the order of what is found', () => {
  it('puts first the title that is the query, then the one that holds its words together', async () => {
    const text = 'one two three'
    await using books = await shelf({
      'a.md': { title: 'Three two one', text },
      'b.md': { title: 'One two three four', text },
      'c.md': { title: 'One two three', text },
    })
    const { hits } = await books.look('one two three')
    expect(hits.map(({ document }) => document.path)).toEqual(['c.md', 'b.md', 'a.md'])
    const boosts = hits.map(({ lexical }) => `${lexical?.boost.isExact} ${lexical?.boost.pairs}`)
    expect(boosts).toEqual(['true 1', 'false 1', 'false 0'])
  })

  it('knows a title of words that say little', async () => {
    await using books = await shelf({
      'a.md': { title: 'The Who', text: 'x' },
      'b.md': { title: 'Who is the', text: 'x' },
    })
    const { hits } = await books.look('the who')
    expect(hits.map(({ lexical }) => lexical?.boost.isExact)).toEqual([true, false])
  })

  it('breaks ties by collection and path, whatever came first, also where the limit cuts them', async () => {
    await using books = await shelf({ 'b.md': SAME, 'd.md': SAME })
    await books.put({ 'c.md': SAME, 'a.md': SAME, 'notes:a.md': SAME })
    await books.put(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at + 100}.md`, SAME])))
    expect(await books.paths('alpha', { limit: 1 })).toEqual(['a.md'])
    expect((await books.paths('alpha', { limit: 5 })).slice(0, 5)).toEqual(['a.md', 'b.md', 'c.md', 'd.md', 'x100.md'])
    const all = await books.paths('alpha', { limit: 1000 })
    expect(all).toHaveLength(105)
    expect(all.at(-1)).toBe('notes:a.md')
    expect(all.slice(0, -1)).toEqual(all.slice(0, -1).sort())
  })

  it.each([1, 2, 40, 41, 64, 1000])('gives %i at most, and the same ones first', async (limit) => {
    const docs = Array.from({ length: 60 }, (_, at) => [`${100 + at}.md`, `alpha ${'x '.repeat(at)}`])
    await using books = await shelf(Object.fromEntries(docs))
    const all = docs.map(([path]) => path)
    const { hits, total } = await books.look('alpha', { limit })
    expect(hits.map(({ document }) => document.path)).toEqual(all.slice(0, limit))
    expect(total).toBe(60)
  })

  it('has scores from 0 to 1 that fall', async () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'openFile', '检索', 'retries')
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
    const docs = fc.array(fc.record({ title: text, text }), { minLength: 1, maxLength: 12 })
    await forAllAsync(50, docs, text, async (given, query) => {
      await using books = await shelf(Object.fromEntries(given.map((doc, at) => [`${at}.md`, doc])))
      const { hits } = await books.look(query)
      const scores = hits.map(({ score }) => score)
      for (const score of scores) expect(score > 0 && score <= 1).toBe(true)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
    })
  })
})

describe('an index', () => {
  it('finds a word where a reader finds it, and nothing else', async () => {
    const WORDS = ['ant', 'Bee', 'ÉLAN', 'ещё', 'οδός', '42', 'Straße', 'x_y', 'ﬁn', 'cafe\u0301']
    const text = fc
      .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', ', ', '\n', '-', '\r\n\r\n', '/')), {
        maxLength: 15,
      })
      .map((parts) => parts.flat().join(''))
    const documents = fc.array(fc.record({ title: text, text }), { minLength: 1, maxLength: 10 })
    await forAllAsync(
      150,
      documents,
      fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
      fc.nat({ max: 10 }),
      async (given, words, cut) => {
        const shelved = given.map((doc, at) => [`${at}.q`, doc] as const)
        await using books = await shelf(Object.fromEntries(shelved.slice(0, cut)))
        await books.put(Object.fromEntries(shelved.slice(cut)))
        const isThere = shelved.filter(([, doc]) =>
          words.some((word) => read(`${doc.title} ${doc.text}`).has(plain(word))),
        )
        expect((await books.paths(words.join(' '), { limit: 1000 })).sort()).toEqual(
          isThere.map(([path]) => path).sort(),
        )
      },
    )
  })

  it('answers the same however it came about: in one step, in many, after removals, merged', async () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'openFile', '检索', 'retries')
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
    const docs = fc.array(
      fc.record({ title: text, text, isGone: fc.integer({ max: 2, min: 0 }).map((one) => one === 0) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    const asked = fc.oneof(text, fc.constantFrom('alph*', '"alpha beta"', 'alpha -beta', 'title:alpha', 'alpah gama'))
    await forAllAsync(60, docs, asked, fc.nat({ max: 12 }), async (given, query, cut) => {
      const shelved = given.map(({ isGone, ...doc }, at) => ({ path: `${at}.md`, doc, isGone }))
      const entries = (list: typeof shelved) => Object.fromEntries(list.map(({ path, doc }) => [path, doc]))
      // A collection without documents is not searched: it says what to do.
      const kept = { 'kept.md': 'Other.' }
      await using whole = await shelf({ ...kept, ...entries(shelved.filter(({ isGone }) => !isGone)) })
      await using parted = await shelf({ ...kept, ...entries(shelved.slice(cut)) })
      await parted.put(entries(shelved.slice(0, cut)))
      await parted.remove(...shelved.filter(({ isGone }) => isGone).map(({ path }) => path))
      const told = async (books: typeof whole) => {
        const { results, total, notices } = await books.search(query, { limit: 100, explain: true })
        return { results, total, notices }
      }
      const expected = await told(whole)
      expect(await told(parted)).toEqual(expected)
      await parted.merge()
      expect(await told(parted)).toEqual(expected)
    })
  })

  it('takes a misspelt word for those that most living documents hold, whatever was there before', async () => {
    const near = ['rounda', 'roundb', 'roundc', 'roundd', 'rounde', 'roundf']
    const living = Object.fromEntries(near.map((word) => [`${word}.md`, word]))
    const gone = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`gone${at}.md`, 'roundf']))
    await using fresh = await shelf(living)
    await using used = await shelf({ ...living, ...gone })
    await used.remove(...Object.keys(gone))
    expect(await used.paths('roundx')).toEqual(await fresh.paths('roundx'))
  })

  it('knows a word no more when the last document with it is gone', async () => {
    await using books = await shelf({ 'a.md': 'zebra', 'b.md': 'zebras here', 'c.md': 'zebro' })
    await books.remove('a.md', 'b.md')
    expect(await books.paths('zebra')).toEqual(['c.md'])
    expect((await books.search('zebra')).notices).toEqual(['No document contains "zebra"; also searched: zebro.'])
  })
})

/** A number in letters. */
function letters(number: number): string {
  return [...`${number}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

/** The words of a text as a reader has them: without accents, in lower case. */
function read(text: string): Set<string> {
  const words = (pattern: RegExp): string[] => plain(text).match(pattern) ?? []
  return new Set([...words(/[\p{L}\p{N}]+/gu), ...words(/[\p{L}\p{N}_]+/gu)])
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
}
