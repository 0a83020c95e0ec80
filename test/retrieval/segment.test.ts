import { describe, expect, it } from 'vitest'
import { decodePostings } from '../../src/retrieval/postings.ts'
import { type IndexedDocument, type NewSegment, postingsIn, SegmentBuilder } from '../../src/retrieval/segment.ts'
import { mainTerms, scanTerms } from '../../src/retrieval/terms.ts'
import { fc, forAll } from '../support/property.ts'

function segmentOf(documents: readonly IndexedDocument[], builder = new SegmentBuilder()): NewSegment {
  for (const document of documents) builder.add(document)
  return builder.finish()
}

/** `term body:doc×count … title:doc×count …`, a line each. */
function lines(segment: NewSegment): string[] {
  return [...postingsIn(segment)].map(([term, bytes]) => {
    const { body, title, docs, counts } = decodePostings(bytes)
    const list = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `${docs[from + at]}×${counts[from + at]}`).join(' ')
    return `${term} | ${list(0, body)} | ${list(body, body + title)}`
  })
}

/** The same, counted word by word. */
function counted(documents: readonly IndexedDocument[]): string[] {
  const fields = documents.map(({ title, path, body }) => [countsOf([body]), countsOf([title, path])] as const)
  const terms = new Set(fields.flatMap(([body, title]) => [...body.keys(), ...title.keys()]))
  return [...terms].sort().map((term) => {
    const list = (index: 0 | 1) =>
      fields.flatMap((field, doc) => (field[index].has(term) ? [`${doc}×${field[index].get(term)}`] : [])).join(' ')
    return `${term} | ${list(0)} | ${list(1)}`
  })
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (term: string) => void counts.set(term, (counts.get(term) ?? 0) + 1)
  for (const text of texts) scanTerms(text, { main: add, extra: add })
  return counts
}

const text = fc
  .array(fc.constantFrom('alpha', 'Beta', 'openFile', 'a_b', '検索', '1.0', 'retries', '', 'constructor', '__proto__'))
  .map((words) => words.join(' '))
const documents = fc.array(fc.record({ title: text, path: text, body: text }), { maxLength: 12 })

describe('a segment', () => {
  it('holds what stands in each field of each document, and how often', () => {
    const segment = segmentOf([
      { title: 'Retries', path: 'docs/retry.md', body: 'retry, and retry again' },
      { title: 'Empty', path: 'b.md', body: '' },
      { title: 'openFile', path: 'c.md', body: 'openFile opens a file' },
    ])
    expect(lines(segment)).toEqual([
      'a | 2×1 | ',
      'again | 0×1 | ',
      'and | 0×1 | ',
      'b |  | 1×1',
      'c |  | 2×1',
      'doc |  | 0×1',
      'empti |  | 1×1',
      'file | 2×2 | 2×1',
      'md |  | 0×1 1×1 2×1',
      'open | 2×2 | 2×1',
      'openfil | 2×1 | 2×1',
      'retri | 0×2 | 0×2',
    ])
    expect([...segment.bodyLengths]).toEqual([4, 0, 4])
    expect([...segment.titleLengths]).toEqual([4, 3, 3])
  })

  it('of nothing holds nothing', () => {
    const segment = segmentOf([])
    expect([segment.docs, lines(segment), segment.bodyLengths.length]).toEqual([0, [], 0])
  })

  it('holds what a count word by word finds, by ascending terms', () => {
    forAll(documents, (given) => {
      const segment = segmentOf(given)
      expect(lines(segment)).toEqual(counted(given))
      expect(segment.docs).toBe(given.length)
      expect([...segment.bodyLengths]).toEqual(given.map(({ body }) => mainTerms(body).length))
      expect([...segment.titleLengths]).toEqual(
        given.map(({ title, path }) => mainTerms(title).length + mainTerms(path).length),
      )
    })
  })

  it('is the same beside another that is built at the same time', () => {
    const [one, other] = [new SegmentBuilder(), new SegmentBuilder()]
    const given = [{ title: 'x', path: 'x', body: 'beta alpha' }]
    other.add({ title: 'y', path: 'y', body: 'alpha beta gamma' })
    expect(lines(segmentOf(given, one))).toEqual(counted(given))
    other.add({ title: 'z', path: 'z', body: 'gamma' })
    expect(lines(other.finish())).toContain('gamma | 0×1 1×1 | ')
  })

  it('is what it would be without the one that the same builder made before', () => {
    const builder = new SegmentBuilder()
    for (const body of ['beta alpha gamma', 'lion-tiger'])
      builder.add({ title: 'x', path: 'x', body, hasSubstrings: true })
    builder.finish()
    const given = [{ title: 'y', path: 'y', body: 'tiger gamma delta', hasSubstrings: true }]
    expect(lines(segmentOf(given, builder))).toEqual(lines(segmentOf(given)))
  })

  it('grows beyond its first size, and beyond the cached words', () => {
    const words = Array.from({ length: 210_000 }, (_, at) => `w${at}x`)
    const segment = segmentOf([
      { title: '', path: '', body: words.join(' ') },
      { title: '', path: '', body: words.slice(-3).join(' ') },
    ])
    const all = new Map([...postingsIn(segment)].map(([term, bytes]) => [term, decodePostings(bytes)]))
    expect([...segment.bodyLengths]).toEqual([210_000, 3])
    expect(all.get('w0x')?.body).toBe(1)
    expect(all.get('w209999x')?.body).toBe(2)
  })

  it('finds Korean and Japanese by the same terms, in whole characters and in parts', () => {
    const [whole, apart] = ['한국 がぎ', '한국 がぎ'.normalize('NFD')].map((body) =>
      segmentOf([{ title: body, path: body, body }]),
    )
    expect(apart && lines(apart)).toEqual(whole && lines(whole))
  })

  it('holds terms that a database can tell apart, whatever the text', () => {
    forAll(fc.string({ unit: 'binary' }), fc.nat({ max: 70 }), (body, length) => {
      const long = `${'x'.repeat(length)}𐀀y ${'x'.repeat(length)}𐐀y`
      const { terms } = segmentOf([{ title: '', path: '', body: `${body} ${long}` }])
      expect(new Set(terms.map((term) => Buffer.from(term).toString())).size).toBe(terms.length)
      expect(terms).not.toContain('')
    })
  })
})
