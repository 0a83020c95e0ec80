/** What the assistant's panel works out by itself, without a browser. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChatPlace, chatPlaceAt, pageOf, shortOf } from '../../web/src/chat/places.ts'
import { suggestionsFor } from '../../web/src/chat/suggestions.ts'

const HASH = 'abf6583ff6d6ecc971f0d5b9b05f4245ee8518f91ee7257d5afedf5e8c57bb02'

describe('where the person stands', () => {
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
  ])('is read from the address: %s', (_, params, search, standing) => {
    expect(chatPlaceAt(params as never, search as never)).toMatchObject(standing)
  })
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

  const name = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .filter((text) => !/[/\0@:]/.test(text) && text.isWellFormed())

  it('is where the person stands who comes there, whatever its names', () => {
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 5 }), (collection, path) => {
        const { place } = chatPlaceAt({ collection, _splat: path.join('/') }, {})
        expect(pageOf(place)).toMatchObject({ params: { collection, _splat: path.join('/') } })
      }),
    )
  })

  it.each([
    ['ambit://docs/a%20b.md', 'docs/a b.md'],
    [`ambit://lab/team/data@${HASH}/x`, 'lab/team/data@abf6583f/x'],
    ['/srv/project/pkg/AGENTS.md', 'pkg/AGENTS.md'],
    ['.', 'Served folder'],
  ])('is read as a person would: %s', (place, short) => {
    expect(shortOf(place)).toBe(short)
  })
})

describe('what can be asked first', () => {
  const at = (kind: ChatPlace['kind'], name: string, view = {}): ChatPlace => ({ place: 'x', name, kind, view })
  const nothing = { isFile: false, entries: [], contexts: 0 }

  it.each([
    ['an empty place', { standing: at('elsewhere', 'x'), ...nothing }, ['What is in here?']],
    [
      'a folder',
      { standing: at('folder', 'docs'), isFile: false, entries: ['README.md', 'a.md'], contexts: 2 },
      ['What is docs for?', 'Where should I begin?', 'Which rules apply here?'],
    ],
    [
      'a file',
      { standing: at('folder', 'a.md'), isFile: true, entries: [], contexts: 1 },
      ['Summarise a.md', 'What refers to a.md?', 'What applies here?'],
    ],
    [
      'an entry of a package',
      { standing: at('package', 'team/data', { entry: 'a.csv' }), ...nothing },
      ['What is in a.csv?', 'What is team/data?', 'What does team/data hold, and where did it come from?'],
    ],
    [
      'a search',
      { standing: at('search', 'Search', { search: 'tides' }), ...nothing },
      ['What is said about tides?', 'Which of these matter most, and why?'],
    ],
  ])('depends on what is there: %s', (_, around, suggestions) => {
    expect(suggestionsFor(around)).toEqual(suggestions)
  })
})
