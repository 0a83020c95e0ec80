import { describe, expect, it } from 'vitest'
import { isStopWord, mainTerms } from '../../../src/retrieval/terms.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { shelf } from './shelf.ts'

const SHELVED = {
  'a.md': 'The configuration of a server.',
  'b.md': 'Configure it by hand.',
  'c.md': 'Relational databases.',
  'd.md': 'Memory, and no more.',
}

/** A word whose length is its own: the shortest come first. */
function wordOf(at: number): string {
  return `confi${'abcdefghij'[at % 10]}${'x'.repeat(Math.floor(at / 10))}`
}

describe('a word that no document holds', () => {
  it.each([
    ['the beginning of words', 'confi', ['a.md', 'b.md'], ['No document contains "confi"; also searched: configur.']],
    ['the beginning of a word longer than its stem', 'relationa', ['c.md'], [/also searched: relat\./]],
    ['short, and nothing else is known', 'mem', ['d.md'], [/also searched: memori/]],
    ['short, beside a word that is known', 'mem server', ['a.md'], ['No document contains "mem".']],
    ['misspelt', 'memry', ['d.md'], [/also searched: memory/]],
    ['misspelt beside a known word', 'memry server', ['a.md', 'd.md'], [/also searched: memory/]],
    ['spelt otherwise, with the same meaning', 'colour server', ['a.md', 'n.md'], [/also searched: color/]],
    [
      'an ordinary word of another meaning, beside a known word',
      'mare server',
      ['a.md'],
      ['No document contains "mare".'],
    ],
    ['an ordinary word, and nothing else is known', 'mare', ['d.md'], [/also searched: more/]],
    ['a number', '19', [], ['No document contains "19".']],
    ['nothing like any', 'xylophone', [], ['No document contains "xylophone".']],
  ])('is looked for as %s', async (_, query, paths, notices) => {
    await using books = await shelf({ ...SHELVED, 'n.md': '1984, in color' })
    const found = await books.search(query, { mode: 'lexical' })
    expect(found.results.map(({ path }) => path).sort()).toEqual(paths)
    expect(found.notices).toEqual(notices.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))))
  })

  it.each([
    [10, [11, 'Few documents contain "configuratoin"; also searched: configuration.']],
    [9, [1]],
  ])('and one that hardly any holds is taken for one that %i hold', async (count, [total, ...notices]) => {
    const books = Array.from({ length: count }, (_, at) => [`${at}.md`, 'The configuration.'])
    await using shelved = await shelf({ ...Object.fromEntries(books), 'typo.md': 'A configuratoin.' })
    expect(await shelved.search('configuratoin', { mode: 'lexical' })).toMatchObject({ total, notices })
  })

  it('with two letters wrong is found in any of the documents with its stem, among many short words', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const short = letters.flatMap((a) => letters.flatMap((b) => ['l', 'd'].map((c) => `${a}${c}${b} ${c}${a}${b}`)))
    const valid = Array.from({ length: 9 }, (_, at) => [`${at}.md`, 'A valid file.'])
    await using books = await shelf({
      ...Object.fromEntries(valid),
      'short.md': short.join(' '),
      'z.md': 'We validate.',
    })
    const { results, notices } = await books.search('vlldate', { mode: 'lexical' })
    expect([results.length, notices]).toEqual([10, ['No document contains "vlldate"; also searched: validate.']])
  })

  it('leads to where the words stand that it begins', async () => {
    await using books = await shelf({
      'a.md': `# One\n\n${'Other words.\n\n'.repeat(30)}The configuration stands here.\n`,
    })
    const [hit] = (await books.search('confi')).results
    expect(hit?.snippet).toBe('The configuration stands here.')
    expect(hit?.snippet.slice(hit.highlights[0]?.start, hit.highlights[0]?.end)).toBe('configuration')
  })

  it('is compared with the words of the index where it is among the first twelve', async () => {
    const words = Array.from({ length: 13 }, (_, at) => `${'abcdefghijklm'[at]}keyboard`)
    await using books = await shelf({ 'a.md': words.join(' ') })
    const { resolved } = await books.look(words.map((word) => word.replace('board', 'baord')).join(' '))
    expect(resolved.map(({ as, terms }) => [as, terms.length])).toEqual([
      ...words.slice(1).map(() => ['near', 1]),
      ['typed', 0],
    ])
  })

  it('is taken for the same words whatever has been in the index before', async () => {
    const texts = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`${from + at}.md`, `${wordOf(from + at)} here`]))
    await using fresh = await shelf(texts(80, 120))
    await using old = await shelf(texts(0, 80))
    await old.put(texts(80, 100))
    await old.put(texts(100, 120))
    await old.remove(...Object.keys(texts(0, 80)))
    const [one, other] = [await fresh.look('confi', { limit: 50 }), await old.look('confi', { limit: 50 })]
    expect(one.resolved[0]?.terms).toHaveLength(16)
    expect(other.resolved[0]?.terms).toEqual(one.resolved[0]?.terms)
    const scored = ({ hits }: typeof one) => hits.map(({ document: { path }, score }) => [path, score])
    expect(scored(other)).toEqual(scored(one))
  })
})

describe('a search without filters', () => {
  it('is never empty where a word of it, or its beginning, stands in a document', async () => {
    // Words that say little are not looked for beside others.
    const word = fc.stringMatching(/^[a-zäжα]{2,9}$/).filter((one) => !isStopWord(mainTerms(one)[0] ?? ''))
    const documents = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
    await forAllAsync(
      200,
      documents,
      fc.nat(),
      fc.nat(),
      fc.array(word, { maxLength: 2 }),
      async (texts, at, cut, others) => {
        await using books = await shelf(Object.fromEntries(texts.map((text, n) => [`${n}.md`, text.join(' ')])))
        const words = texts.flat()
        const chosen = words[at % words.length] ?? ''
        const query = others.length === 0 ? chosen.slice(0, 1 + (cut % chosen.length)) : chosen
        expect(await books.paths([...others, query].join(' '))).not.toEqual([])
      },
    )
  })
})
