import { describe, expect, it } from 'vitest'
import { withoutCase } from '../../../src/retrieval/substrings.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { type Shelved, shelf } from './shelf.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'a.ts': 'const head = list->next( ) // the first of the list, and so on and on',
  'b.ts': 'node.LIST->NEXT()',
  'c.ts': 'say("hello \\ world")',
  'd.md': 'A list of what is next.',
}

const indexed = (texts: Readonly<Record<string, string>>, hasSubstrings: boolean): Shelved =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, { text, hasSubstrings }]))

describe.each([
  ['of texts that are indexed by their pieces', true],
  ['of texts that are read for it', false],
])('a search for a piece of text, %s,', (_, hasSubstrings) => {
  it.each([
    ['within words, in any case', 'contains:"st->ne"', ['b.ts', 'a.ts']],
    ['with spaces', 'contains:"next( )"', ['a.ts']],
    ['with quotes and a backslash', String.raw`contains:"(\"hello \\"`, ['c.ts']],
    ['of two characters', String.raw`contains:"\")"`, ['c.ts']],
    ['and words, which may be there', 'contains:list what', ['d.md', 'b.ts', 'a.ts']],
    ['and a phrase', 'contains:list "of what"', ['d.md']],
    ['and another', 'contains:list contains:head', ['a.ts']],
    ['without another', 'contains:"list" -contains:->', ['d.md']],
    ['that must not be there, and words', 'list -contains:"T->n"', ['d.md']],
    ['that is nowhere', 'contains:elephant', []],
    ['that is nowhere, and words that are there', 'list contains:elephant', []],
    ['nothing but what must not be there', '-contains:elephant', []],
  ])('finds documents with one %s', async (_, query, expected) => {
    await using docs = await shelf(indexed(TEXTS, hasSubstrings))
    expect(await docs.paths(query)).toEqual(expected)
  })

  it('shows where it stands', async () => {
    await using docs = await shelf(indexed(TEXTS, hasSubstrings))
    const [first] = (await docs.search('contains:"hello \\ "')).results
    expect(first).toMatchObject({ path: 'c.ts', snippet: TEXTS['c.ts'], highlights: [{ start: 5, end: 13 }] })
  })

  it('finds what a look into all texts finds', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '-', ' ', 'é'), minLength: 1, maxLength: 10 })
    await forAllAsync(30, fc.array(text, { minLength: 1, maxLength: 8 }), text, async (texts, piece) => {
      const named = Object.fromEntries(texts.map((body, index) => [`${index}.md`, body]))
      await using docs = await shelf(indexed(named, hasSubstrings))
      const holds = Object.keys(named).filter((path) => withoutCase(named[path] ?? '').includes(withoutCase(piece)))
      expect((await docs.paths(`contains:"${piece}"`)).sort()).toEqual(holds)
    })
  })
})

describe('a search for a piece of text', () => {
  it('scores the same whether texts are indexed by their pieces or not', async () => {
    const scores = async (hasSubstrings: boolean) => {
      await using docs = await shelf(indexed(TEXTS, hasSubstrings))
      const { results } = await docs.search('contains:list next what')
      return results.map(({ path, score }) => [path, score])
    }
    expect(await scores(true)).toEqual(await scores(false))
  })

  it('says how many documents had to be read for it, of those that were asked for', async () => {
    const half = { ...indexed(TEXTS, true), 'e.md': 'list', 'notes:f.md': 'list', 'notes:g.md': 'list' }
    await using docs = await shelf(half)
    const { notices, total } = await docs.search('contains:list')
    expect(notices).toEqual([
      expect.stringMatching(/^3 documents had to be read: "ambit collection set NAME --substrings"/),
    ])
    expect(total).toBe(6)
    expect((await docs.search('contains:list', { path: ['*.ts'] })).notices).toEqual([])
    expect((await docs.search('list')).notices).toEqual([])
  })

  it('says how many there would be without the filters, and when the words are not as asked', async () => {
    await using docs = await shelf(TEXTS)
    const notices = async (query: string, request = {}) => (await docs.search(query, request)).notices
    expect(await notices('list', { path: ['*.txt'] })).toContain('Without the filters there are 3.')
    expect(await notices('"list next what"')).toEqual(['No result contains "list next what" word for word.'])
    expect(await notices('list -"list next" -"list prev" -"of what"')).toEqual([
      '3 documents may contain the words, but none matches as asked.',
    ])
    expect(await notices('list', { path: ['*.ts'] })).toEqual([])
    expect(await notices('elephant', { path: ['*.ts'] })).toEqual(['No document contains "elephant".'])
  })

  it('finds the same after documents went and segments were merged', async () => {
    await using docs = await shelf(indexed(TEXTS, true))
    await docs.put(indexed({ 'e.ts': 'list->next', 'f.ts': 'list->prev' }, true))
    await docs.put({ 'g.ts': 'list->next' })
    await docs.remove('b.ts', 'f.ts')
    expect(await docs.paths('contains:t->ne')).toEqual(['e.ts', 'g.ts', 'a.ts'])
    await docs.merge()
    expect(await docs.paths('contains:t->ne')).toEqual(['e.ts', 'g.ts', 'a.ts'])
  })
})
