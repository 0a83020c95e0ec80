/** What the UI works out by itself, without a browser. */

import { describe, expect, it } from 'vitest'
import { requestOf } from '../../web/src/api/call.ts'
import { nameOf, placeOf, placeText, uriOf } from '../../web/src/api/place.ts'
import { type ChatPlace, chatPlaceAt, pageOf, shortPlaceName } from '../../web/src/chat/places.ts'
import { placeOfCitation, splitAtPlaces } from '../../web/src/chat/source-places.ts'
import { targetOf } from '../../web/src/pages/preview/targets.ts'
import { parseSearchRequest, searchInput } from '../../web/src/pages/search/search-request.ts'
import { parseSearch, stringifySearch } from '../../web/src/search-params.ts'
import { codeOf, hasInvisible, legible, splitAtInvisible } from '../../web/src/ui/controls.ts'
import { sizeOf } from '../../web/src/ui/format.ts'
import { markdownPieces } from '../../web/src/ui/markdown/snippet.ts'
import { plainPieces } from '../../web/src/ui/marked-pieces.ts'
import { withoutFrontMatter } from '../../web/src/ui/text-places.ts'
import { fc, forAll } from '../support/property.ts'
import { TARGETS } from './payloads.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [8_149, '8.1 kB'],
  [99_949, '99.9 kB'],
  [99_950, '100 kB'],
  [999_499, '999 kB'],
  [1_000_000, '1.0 MB'],
  [4.2e12, '4.2 TB'],
  [4.2e15, '4,200 TB'],
])('numbers of bytes: %d is %s', (bytes, shown) => {
  expect(sizeOf(bytes)).toBe(shown)
})

const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[/\0]/.test(text) && text.isWellFormed())

it('a place is written so that it is read back, whatever its names', () =>
  forAll(name, fc.array(name, { maxLength: 5 }), (collection, path) => {
    const place = placeOf(collection, path.join('/'))
    const [, ...parts] = uriOf(place).split('//')
    expect(parts.join('//').split('/').map(decodeURIComponent)).toEqual([collection, ...path])
    expect(placeText(place)).toBe([collection, ...path].join('/'))
    expect(nameOf(place)).toBe(path.at(-1) ?? collection)
  }))

describe('a link in a text', () => {
  const from = placeOf('docs', 'api/errors.md')

  it.each([
    ['retries.md', 'docs/api/retries.md', ''],
    ['./retries.md#pauses', 'docs/api/retries.md', 'pauses'],
    ['../guides/a%20b.md', 'docs/guides/a b.md', ''],
    ['/guides/', 'docs/guides', ''],
    ['a.md?plain=1#b', 'docs/api/a.md', 'b'],
    ['100%.md', 'docs/api/100%.md', ''],
    ['..', 'docs', ''],
  ])('%s leads to %s', (href, place, hash) => {
    const target = targetOf(href, from)
    expect(target.kind === 'place' && [placeText(target.place), target.hash]).toEqual([place, hash])
  })

  it.each([
    ['https://remote.example/a', 'remote.example'],
    ['HTTP://remote.example:8080', 'remote.example:8080'],
    ['//remote.example/a', 'remote.example'],
    ['https://user:word@remote.example', 'remote.example'],
    ['https://xn--e1awd7f.example/', 'xn--e1awd7f.example'],
    ['mailto:a@remote.example', 'a@remote.example'],
  ])('%s leads outside, to %s', (href, host) => {
    expect(targetOf(href, from)).toMatchObject({ kind: 'outside', host })
  })

  it.each([
    'javascript:a()',
    ' javascript:a()',
    'java\nscript:a()',
    '\x01javascript:a()',
    'JAVASCRIPT:a()',
    'vbscript:a',
    'data:text/html,a',
    'file:///etc/passwd',
    'about:blank',
    'https://',
    '\\\\remote.example\\a',
    '../../../etc/passwd',
    '/..',
  ])('%j leads nowhere', (href) => {
    expect(targetOf(href, from)).toEqual({ kind: 'nowhere' })
  })

  it('#codes leads to a heading', () => {
    expect(targetOf('#Codes', from)).toEqual({ kind: 'here', id: 'Codes' })
  })

  it('leads to a page, to a heading or into the collection, whatever is written', () => {
    const parts = fc.constantFrom(...TARGETS, 'javascript', ':', '/', '//', '\\', '\t', '\n', '#', '?', '%', '..', 'a')
    forAll(1000, fc.array(fc.oneof(parts, fc.string()), { maxLength: 6 }), (words) => {
      const target = targetOf(words.join(''), from)
      if (target.kind === 'outside') expect(target.url).toMatch(/^(https?:\/\/|mailto:)/i)
      if (target.kind === 'place') expect(target.place.path.split('/')).not.toContain('..')
    })
  })
})

it.each([
  ['---\na: 1\n---\nb', 'a: 1', 'b'],
  ['\uFEFF---\r\na: 1\r\n---\r\nb', 'a: 1', 'b'],
  ['---\n\nb\n', '', '---\n\nb\n'],
  ['a\n---\nb\n---\n', '', 'a\n---\nb\n---\n'],
])('Markdown %j has the front matter %j', (text, front, body) => {
  expect(withoutFrontMatter(text)).toEqual({ front, body })
})

describe('characters that are not seen', () => {
  it('are found, and everything else stays as it is', () => {
    const unseen = fc.constantFrom('\u200b', '\u202e', '\u2066', '\u{e0041}', '\ufeff', '\u00ad')
    forAll(fc.array(fc.oneof(unseen, fc.string({ unit: 'grapheme-ascii' }))), (parts) => {
      const text = parts.join('')
      const split = splitAtInvisible(text)
      expect(split.join('')).toBe(text)
      expect(split.filter((_, at) => at % 2 === 0).some(hasInvisible)).toBe(false)
      expect(split.filter((_, at) => at % 2 === 1).every(hasInvisible)).toBe(true)
    })
  })

  it('are called by their number', () => {
    expect([codeOf('\u202e'), codeOf('\u{e0041}'), codeOf('\u00ad')]).toEqual(['U+202E', 'U+E0041', 'U+00AD'])
  })

  it('in prose those that turn its direction, or hide words, are written out', () => {
    expect(legible('a\u202eb\u200d')).toBe('a[U+202E]b\u200d')
    expect(legible('a\u{e0049}b\u{e0100}')).toBe('a[U+E0049]b[U+E0100]')
  })

  it('in prose what a script or a flag needs stays', () => {
    const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'
    expect(legible(`${scotland} 葛\u{e0100}城`)).toBe(`${scotland} 葛\u{e0100}城`)
    expect(legible('سلام، می‌خواهم 👩‍👩‍👧')).toBe('سلام، می‌خواهم 👩‍👩‍👧')
  })
})

describe('an address', () => {
  it('says what is asked, and is read back', () =>
    forAll(fc.string(), fc.array(fc.string({ minLength: 1 }), { minLength: 2 }), (q, c) => {
      expect(parseSearch(stringifySearch({ q, c }))).toEqual(q === '' ? { c } : { q, c })
    }))

  it.each([
    [{}, { query: '', limit: 20 }],
    [
      { q: ' a ', c: 'docs' },
      { query: 'a', limit: 20, collections: ['docs'] },
    ],
    [
      { q: 'a', c: ['docs', 'notes'], n: '60' },
      { query: 'a', limit: 60, collections: ['docs', 'notes'] },
    ],
    [
      { q: 'a', n: '0' },
      { query: 'a', limit: 1 },
    ],
    [
      { q: 'a', n: '9999' },
      { query: 'a', limit: 1000 },
    ],
    [
      { q: 'a', n: 'x', after: 'yesterday', mode: 'fast' },
      { query: 'a', limit: 20 },
    ],
    [
      { q: 'a', path: ' api/** ', after: '2026-01-02', mode: 'vector' },
      { query: 'a', limit: 20, path: ['api/**'], after: '2026-01-02', mode: 'vector' },
    ],
    [{ q: ['a', 'b'] }, { query: '', limit: 20 }],
  ])('of a search: %j asks %j', (search, input) => {
    expect(searchInput(parseSearchRequest(search))).toEqual({ facets: true, sections: 6, ...input })
  })
})

describe('the place of a source', () => {
  const citations = [{ number: 2, place: 'ambit://docs/a_b.md' }]

  it.each([
    [
      '> quoted\n\n[2] ambit://docs/a\\_b.md:3-5, under “A › B”\n\nEnd',
      ['> quoted', { number: 2, place: 'ambit://docs/a_b.md', lines: '3-5', section: 'A › B' }, 'End'],
    ],
    ['[2] ambit://docs/a\\_b.md', [{ number: 2, place: 'ambit://docs/a_b.md' }]],
    ['It says so [2].\n\n[2] and more', ['It says so [2].\n\n[2] and more']],
    ['[3] ambit://docs/c.md', ['[3] ambit://docs/c.md']],
  ])('stands alone, or in the text: %j', (text, parts) => {
    expect(splitAtPlaces(text, citations)).toEqual(parts)
  })

  it.each([
    [{}, {}],
    [{ line: 4 }, { lines: '4' }],
    [
      { line: 4, heading: 'Fees' },
      { lines: '4', section: 'Fees' },
    ],
    [
      { line: 4, heading: 'Fees', sections: [{ line: 4, heading: 'Fees' }, { line: 9 }] },
      { lines: '4', section: 'Fees' },
    ],
    [{ line: 4, sections: [{ heading: 'Fees' }, { heading: 'Boats' }] }, { section: 'Fees, Boats' }],
  ])('with %j is %j', (cited, place) => {
    const source = { number: 1, place: 'ambit://docs/a.md' }
    expect(placeOfCitation({ ...source, ...cited })).toEqual({ ...source, ...place })
  })
})

describe('a request', () => {
  // Node's Request wants a whole address, as a page has one.
  const asked = (...args: Parameters<typeof requestOf>) => {
    const { Request: Real } = globalThis
    globalThis.Request = class extends Real {
      constructor(url: string, init?: RequestInit) {
        super(new URL(url, 'http://127.0.0.1'), init)
      }
    } as typeof Real
    try {
      const { method, url } = requestOf(...args)
      return `${method} ${url.slice('http://127.0.0.1'.length)}`
    } finally {
      globalThis.Request = Real
    }
  }

  it.each([
    ['status', {}, 'GET /api/status'],
    ['search', { query: 'a b', limit: 5 }, 'GET /api/search?query=a+b&limit=5'],
    ['search', { query: 'a', collections: ['b', 'c'] }, 'GET /api/search?query=a&collections=b&collections=c'],
    ['search', { query: 'a', path: ['{b,c}/**'] }, 'POST /api/search'],
    ['search', { query: 'a'.repeat(5000) }, 'POST /api/search'],
    ['contexts.add', { text: 'a' }, 'POST /api/contexts.add'],
  ] as const)('of %s with %j is %s', (operation, input, request) => {
    expect(asked(operation, input)).toBe(request)
  })
})

describe('a snippet', () => {
  const textOf = (snippet: string) =>
    markdownPieces(snippet, [])
      .map(({ text }) => text)
      .join('')

  it.each([
    ['# Title\n\nText', 'Title\nText'],
    ['A line\nand its\nend.\n\nNext', 'A line and its end.\nNext'],
    ['**bold** and _soft_ `code` snake_case_name', 'bold and soft code snake_case_name'],
    ['See [the guide](docs/a.md) and [b](c)', 'See the guide and b'],
    ['- [x] done\n- open\n* three', '• done\n• open\n• three'],
    ['| code | status |\n| --- | --: |\n| `a` | 404 |', 'code · status\na · 404'],
    ['```sh\nrun it\n```', 'run it'],
    ['a <b>bold</b> 1 < 2 > 1', 'a bold 1 < 2 > 1'],
    ['> quoted\n> twice', 'quoted twice'],
    [`${'> '.repeat(5_000)}deep`, `${'> '.repeat(5_000)}deep`],
  ])('of Markdown is read as running text: %j', (snippet, shown) => {
    expect(textOf(snippet)).toBe(shown)
  })

  it('has the marks on the words that they were on', () => {
    const snippet = '## After a **time**out\n\na timeout'
    const marks = [
      { start: 11, end: 17 },
      { start: 26, end: 33 },
    ]
    const marked = [
      { text: 'time', isMarked: true },
      { text: 'out\na ', isMarked: false },
      { text: 'timeout', isMarked: true },
    ]
    expect(markdownPieces(snippet, marks)).toEqual([{ text: 'After a ', isMarked: false }, ...marked])
  })

  it('that is no Markdown stays as it is written, with its marks', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'ab*_`#|-[]()!<>\n x'), minLength: 1, maxLength: 80 })
    forAll(texts, fc.nat(80), fc.nat(80), (text, one, two) => {
      const marks = [{ start: Math.min(one, two), end: Math.max(one, two) }].filter(({ end }) => end <= text.length)
      const pieces = plainPieces(text, marks)
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      const [mark] = marks
      expect(pieces.flatMap((piece) => (piece.isMarked ? piece.text : [])).join('')).toBe(
        mark ? text.slice(mark.start, mark.end) : '',
      )
    })
  })
})

const plain = name.filter((text) => !/[@:]/.test(text))
const HASH = 'abf6583ff6d6ecc971f0d5b9b05f4245ee8518f91ee7257d5afedf5e8c57bb02'

it.each<[string, object, object, Partial<ChatPlace>]>([
  ['Home', {}, {}, { place: '.', name: 'Served folder', kind: 'elsewhere' }],
  ['a collection', { collection: 'docs', _splat: '' }, {}, { place: 'ambit://docs', name: 'docs', kind: 'folder' }],
  ['a file', { collection: 'docs', _splat: 'a b/ü.md' }, {}, { place: 'ambit://docs/a%20b/%C3%BC.md', name: 'ü.md' }],
  [
    'the latest of a package',
    { registry: 'lab', namespace: 'team', name: 'data' },
    { entry: 'plots/a.png' },
    { place: 'ambit://lab/team/data:latest', name: 'team/data', kind: 'package', view: { entry: 'plots/a.png' } },
  ],
  [
    'a folder in a revision',
    { registry: 'lab', namespace: 'team', name: 'data' },
    { hash: HASH, path: 'a b/', tab: 'entries' },
    { place: `ambit://lab/team/data@${HASH}/a%20b`, view: { tab: 'entries' } },
  ],
  ['a search', {}, { q: 'time out' }, { place: '.', kind: 'search', view: { search: 'time out' } }],
  ['the inspector', {}, { place: 'ambit://docs/api' }, { place: 'ambit://docs/api', kind: 'elsewhere' }],
  ['what is not an address', {}, { q: ['a', 'b'], place: ['c'] }, { place: '.', kind: 'elsewhere' }],
])('where the person stands is read from the address: %s', (_, params, search, standing) => {
  expect(chatPlaceAt(params as never, search as never)).toMatchObject(standing)
})

describe('where a place is shown', () => {
  it.each([
    ['ambit://docs', { to: '/browse/$collection/$', params: { collection: 'docs', _splat: '' } }],
    ['ambit://docs/a%20b/c.md', { to: '/browse/$collection/$', params: { collection: 'docs', _splat: 'a b/c.md' } }],
    [
      `ambit://lab/team/data@${HASH}/a%20b`,
      {
        to: '/packages/$registry/$namespace/$name',
        params: { registry: 'lab', namespace: 'team', name: 'data' },
        search: { hash: HASH, path: 'a b' },
      },
    ],
    [
      'ambit://lab/team/data:latest',
      {
        to: '/packages/$registry/$namespace/$name',
        params: { registry: 'lab', namespace: 'team', name: 'data' },
        search: {},
      },
    ],
    ['ambit://docs/a/b@c.md', { to: '/browse/$collection/$', params: { collection: 'docs', _splat: 'a/b@c.md' } }],
    ['/srv/project', { to: '/context', search: { place: '/srv/project' } }],
    ['quilt+s3://b#package=a/b', { to: '/context', search: { place: 'quilt+s3://b#package=a/b' } }],
    ['ambit://%E0%A4%A', { to: '/browse/$collection/$', params: { collection: '%E0%A4%A', _splat: '' } }],
  ])('%s', (place, shows) => {
    expect(pageOf(place)).toEqual(shows)
  })

  it('is where the person stands who comes there, whatever its names', () =>
    forAll(plain, fc.array(plain, { maxLength: 5 }), (collection, path) => {
      const { place } = chatPlaceAt({ collection, _splat: path.join('/') }, {})
      expect(pageOf(place)).toMatchObject({ params: { collection, _splat: path.join('/') } })
    }))

  it.each([
    ['ambit://docs/a%20b.md', 'docs/a b.md'],
    [`ambit://lab/team/data@${HASH}/x`, 'lab/team/data@abf6583f/x'],
    ['/srv/project/pkg/AGENTS.md', 'pkg/AGENTS.md'],
    ['.', 'Served folder'],
  ])('is read as a person would: %s', (place, short) => {
    expect(shortPlaceName(place)).toBe(short)
  })
})
