/** What the UI works out by itself, without a browser. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestOf } from '../../web/src/api/call.ts'
import { ancestorsOf, nameOf, parentOf, placeOf, placeText, uriOf } from '../../web/src/api/place.ts'
import { contextWeaknesses, indexWeaknesses } from '../../web/src/pages/home/attention.ts'
import { targetOf } from '../../web/src/pages/preview/targets.ts'
import { parseSearchRequest, searchInput } from '../../web/src/pages/search/search-request.ts'
import { parseSearch, stringifySearch } from '../../web/src/search-params.ts'
import { codeOf, hasUnseen, legible, splitAtUnseen } from '../../web/src/ui/controls.ts'
import { ageOf, counted, sizeOf } from '../../web/src/ui/format.ts'
import { languageOf } from '../../web/src/ui/languages.ts'
import { markdownPieces } from '../../web/src/ui/markdown/snippet.ts'
import { withoutFrontMatter } from '../../web/src/ui/markdown-text.ts'
import { plainPieces } from '../../web/src/ui/marked-pieces.ts'
import { TARGETS } from './payloads.ts'

describe('numbers', () => {
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
  ])('of bytes: %d is %s', (bytes, shown) => {
    expect(sizeOf(bytes)).toBe(shown)
  })

  it.each([
    [0, '0 documents'],
    [1, '1 document'],
    [1204, '1,204 documents'],
  ])('of things: %d is %s', (value, shown) => {
    expect(counted(value, 'document')).toBe(shown)
  })

  it.each([
    [0, 'just now'],
    [9_999, 'just now'],
    [10_000, '10 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [3_600_000, '1 h ago'],
    [86_400_000, '1 d ago'],
    [29 * 86_400_000, '29 d ago'],
    [-5_000, 'just now'],
  ])('of time: %d ms are %s', (ms, shown) => {
    expect(ageOf('2026-11-21T12:00:00Z', Date.parse('2026-11-21T12:00:00Z') + ms)).toBe(shown)
  })

  it('of time: what is older than a month is a day', () => {
    expect(ageOf('2026-01-02T12:00:00Z', Date.parse('2026-11-21T12:00:00Z'))).toBe('2026-01-02')
  })
})

const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[/\0]/.test(text) && text.isWellFormed())

describe('a place', () => {
  it('is written so that it is read back, whatever its names', () => {
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 5 }), (collection, path) => {
        const place = placeOf(collection, path.join('/'))
        const [, ...parts] = uriOf(place).split('//')
        expect(parts.join('//').split('/').map(decodeURIComponent)).toEqual([collection, ...path])
        expect(placeText(place)).toBe([collection, ...path].join('/'))
        expect(nameOf(place)).toBe(path.at(-1) ?? collection)
      }),
    )
  })

  it('lies in a line of places, each in the one before', () => {
    const line = ancestorsOf(placeOf('docs', 'api/v2/a.md'))
    expect(line.map(placeText)).toEqual(['docs', 'docs/api', 'docs/api/v2', 'docs/api/v2/a.md'])
    expect(line.slice(1).map(parentOf)).toEqual(line.slice(0, -1))
    expect(parentOf(placeOf('docs'))).toBeUndefined()
  })
})

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
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string()), { maxLength: 6 }), (words) => {
        const target = targetOf(words.join(''), from)
        if (target.kind === 'outside') expect(target.url).toMatch(/^(https?:\/\/|mailto:)/i)
        if (target.kind === 'place') expect(target.place.path.split('/')).not.toContain('..')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a file', () => {
  it.each([
    ['a.tsx', 'typescript'],
    ['a.py', 'python'],
    ['a.yml', 'yaml'],
    ['Makefile', 'makefile'],
    ['a.swift', 'swift'],
    ['a.unknown', 'unknown'],
  ])('%s is of the language %s', (file, language) => {
    expect(languageOf(file)).toBe(language)
  })
})

describe('Markdown', () => {
  it.each([
    ['---\na: 1\n---\nb', 'a: 1', 'b'],
    ['\uFEFF---\r\na: 1\r\n---\r\nb', 'a: 1', 'b'],
    ['---\n\nb\n', '', '---\n\nb\n'],
    ['a\n---\nb\n---\n', '', 'a\n---\nb\n---\n'],
  ])('%j has the front matter %j', (text, front, body) => {
    expect(withoutFrontMatter(text)).toEqual({ front, body })
  })
})

describe('characters that are not seen', () => {
  it('are found, and everything else stays as it is', () => {
    const unseen = fc.constantFrom('\u200b', '\u202e', '\u2066', '\u{e0041}', '\ufeff', '\u00ad')
    fc.assert(
      fc.property(fc.array(fc.oneof(unseen, fc.string({ unit: 'grapheme-ascii' }))), (parts) => {
        const text = parts.join('')
        const split = splitAtUnseen(text)
        expect(split.join('')).toBe(text)
        expect(split.filter((_, at) => at % 2 === 0).some(hasUnseen)).toBe(false)
        expect(split.filter((_, at) => at % 2 === 1).every(hasUnseen)).toBe(true)
      }),
    )
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
  it('says what is asked, and is read back', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1 }), { minLength: 2 }), (q, c) => {
        const read = parseSearch(stringifySearch({ q, c }))
        expect(read).toEqual(q === '' ? { c } : { q, c })
      }),
    )
  })

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

describe('what is weak', () => {
  const now = new Date().toISOString()
  const common = {
    root: '/a',
    patterns: [],
    exclude: [],
    isPaused: false,
    hasSubstrings: false,
    skipped: 0,
    isIndexing: false,
    createdAt: now,
    bytes: 1,
  }

  it('about an index is told with what mends it', () => {
    const found = indexWeaknesses([
      { ...common, name: 'good', documents: 1, indexedAt: now },
      { ...common, name: 'new', documents: 0 },
      { ...common, name: 'half', documents: 1 },
      { ...common, name: 'old', documents: 1, indexedAt: new Date(Date.now() - 8 * 86_400_000).toISOString() },
      { ...common, name: 'bad', documents: 1, indexedAt: now, problem: 'The folder is gone.' },
    ])
    expect(found.map(({ place, what }) => `${place} ${what}`)).toEqual([
      'new is not indexed yet',
      'half is only partly indexed',
      'old was indexed 8 d ago',
      'bad The folder is gone.',
    ])
    expect(found.map(({ mend }) => mend.by)).toEqual(['index', 'index', 'index', 'index'])
  })

  it('about contexts is told, folders only of collections that have one', () => {
    const found = contextWeaknesses({
      collections: [{ name: 'bare', documents: 3, suggestion: '' }],
      paths: [
        { collection: 'bare', path: 'a', documents: 2, suggestion: '' },
        { collection: 'docs', path: 'b', documents: 1, suggestion: '' },
      ],
      stale: [{ collection: 'docs', pathPrefix: '/gone', context: 'c' }],
      strict: false,
    })
    expect(found.map(({ place, mend }) => `${mend.by} ${place}`)).toEqual([
      'describe bare',
      'forget docs/gone',
      'describe docs/b',
    ])
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
    fc.assert(
      fc.property(texts, fc.nat(80), fc.nat(80), (text, one, two) => {
        const marks = [{ start: Math.min(one, two), end: Math.max(one, two) }].filter(({ end }) => end <= text.length)
        const pieces = plainPieces(text, marks)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        const [mark] = marks
        expect(pieces.flatMap((piece) => (piece.isMarked ? piece.text : [])).join('')).toBe(
          mark ? text.slice(mark.start, mark.end) : '',
        )
      }),
    )
  })
})
