import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJudgedQueries } from '../../../src/collections/library/judged-queries.ts'
import { libraryOver } from '../../../src/collections/library.ts'
import { bench } from '../../../src/operations/search/bench.ts'
import { tree } from '../../support/tree.ts'
import { performed } from '../performed.ts'
import { shelf } from '../search/shelf.ts'

const SHELVED = {
  'retry.md': '# Retry\n\nAfter a timeout a request is sent again.\n',
  'timeout.md': '# Timeout\n\nA timeout of ten seconds holds.\n',
  'install.md': '# Install\n\nRun the installer.\n',
  'notes:pelican.md': '# Pelican\n\nA bird.\n',
}

describe('judged queries', () => {
  it.each([
    ['lines of JSON', '{"query":"a","paths":["x.md"]}\n\n{"id":"q2","query":"b","paths":["y.md"],"grades":[3]}\n'],
    [
      'lines of JSON with a mark and CRLF',
      '\uFEFF{"query":"a","paths":["x.md"]}\r\n\r\n{"query":"b","paths":{"y.md":3}}\r\n',
    ],
    ['a list in YAML', '- query: a\n  paths: [x.md]\n- query: b\n  paths: { y.md: 3, z.md: 0 }\n'],
    ['a list by name in YAML', 'queries:\n- {query: a, paths: [x.md]}\n- {query: b, paths: [y.md], grades: [3]}\n'],
    ['a list in JSON', '[{"query":"a","paths":["x.md"]},\n{"query":"b","paths":["y.md"],"grades":[3]}]'],
  ])('are read from %s', (_, text) => {
    const [one, two] = readJudgedQueries(text)
    expect(one).toMatchObject({ query: 'a', paths: [{ path: 'x.md', grade: 1 }] })
    expect(two).toMatchObject({ query: 'b', paths: [{ path: 'y.md', grade: 3 }] })
  })

  it('have the line that they begin on, and their collections', () => {
    const lines = '{"query":"a","paths":["x"]}\n\n{"query":"b","paths":["y"],"collections":["docs"]}'
    expect(readJudgedQueries(lines).map(({ line }) => line)).toEqual([1, 3])
    const yaml = '# mine\n- query: a\n  paths: [x]\n\n- query: b\n  paths: [y]\n  collections: [docs]\n'
    expect(readJudgedQueries(yaml).map(({ line }) => line)).toEqual([2, 5])
    expect(readJudgedQueries(yaml)[1]?.collections).toEqual(['docs'])
  })

  it.each([
    ['nothing', '', 'There is no query in the file.'],
    ['an empty list', '[]', 'There is no query in the file.'],
    ['a cut line', '{"query":"a","paths":["x"]}\n{"query":', 'Line 2 is not JSON.'],
    ['no list', 'a text', 'The file is neither lines of JSON nor a list in YAML.'],
    ['broken YAML', '- query: a\n  paths: [x\n- query: "b\n', 'is not YAML.'],
    ['a text in the list', '- a\n', 'Line 1: it is not an object with "query".'],
    ['no query', '{"paths":["x"]}', 'Line 1: "query" is missing.'],
    ['an empty query', '{"query":" ","paths":["x"]}', 'Line 1: "query" must be a text that is not empty.'],
    ['no paths', '- query: a\n  paths: [x]\n- query: b\n', 'Line 3: "paths" is missing: the documents that are right.'],
    [
      'one path as a text',
      '{"query":"a","paths":"x"}',
      'Line 1: "paths" must be a list of paths, or paths with their grades.',
    ],
    ['a path that is none', '{"query":"a","paths":[1]}', '"paths" must be a list of paths'],
    ['an empty list of paths', '{"query":"a","paths":[]}', 'Line 1: "paths" names no document that is right.'],
    ['grades of 0 alone', '{"query":"a","paths":{"x":0}}', 'Line 1: "paths" names no document that is right.'],
    ['too few grades', '{"query":"a","paths":["x","y"],"grades":[1]}', 'Line 1: it has 2 paths and 1 grade.'],
    ['grades twice', '{"query":"a","paths":{"x":1},"grades":[1]}', 'grades stand in "paths" already'],
    ['a grade below 0', '{"query":"a","paths":{"x":-1}}', 'grades must be numbers from 0 on'],
    ['a grade that is none', '{"query":"a","paths":["x"],"grades":["high"]}', 'grades must be numbers from 0 on'],
    [
      'collections that are no list',
      '{"query":"a","paths":["x"],"collections":"docs"}',
      '"collections" must be a list of names.',
    ],
    ['a field that is none', '{"query":"a","path":["x"]}', 'Line 1: "path" is not a field; there are id, query, paths'],
    ['many aliases', `a: &a x\nqueries:\n${'- *a\n'.repeat(200)}`, 'aliases'],
  ])('are refused for %s, with the line', (_, text, message) => {
    expect(() => readJudgedQueries(text)).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(message) }),
    )
  })

  it('are read, or refused by name, whatever the file holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.json()).map((lines) => lines.join('\n')),
        ),
        (text) => {
          try {
            for (const { query, paths } of readJudgedQueries(text))
              expect([query !== '', paths.length > 0]).toEqual([true, true])
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid-input', hint: expect.stringContaining('"paths"') })
          }
        },
      ),
    )
  })
})

describe('a benchmark', () => {
  it('gives the figures of each mode that is set up, and what was missed', async () => {
    await using books = await shelf(SHELVED)
    using files = tree({
      'judged.yaml': [
        '- query: timeout',
        '  paths: { timeout.md: 2, docs/retry.md: 1, docs/install.md: 1 }',
        '- query: pelican',
        '  paths: [pelican.md]',
        '  collections: [docs]',
        '- query: installer',
        '  paths: [install.md]',
      ].join('\n'),
    })
    const { output, text } = await performed(books.store, bench, { file: files.at('judged.yaml') })
    const best = 2 + 1 / Math.log2(3) + 1 / 2
    const ndcg = ((2 + 1 / Math.log2(3)) / best + 0 + 1) / 3
    expect(output).toEqual({
      queries: 3,
      unknown: [],
      modes: [
        {
          mode: 'lexical',
          ndcg10: expect.closeTo(ndcg, 9),
          mrr10: expect.closeTo(2 / 3, 9),
          recall10: expect.closeTo((2 / 3 + 0 + 1) / 3, 9),
          degraded: 0,
          misses: [
            { line: 1, query: 'timeout', found: 2, relevant: 3, missing: ['docs/install.md'] },
            { line: 3, query: 'pelican', found: 0, relevant: 1, missing: ['notes/pelican.md'] },
          ],
        },
      ],
    })
    expect(text).toBe(
      [
        '3 queries  nDCG@10    MRR  recall@10',
        'lexical      0.613  0.667      0.556',
        '',
        'lexical: not among the first 10',
        '  line 1: timeout  2 of 3 found',
        '    docs/install.md',
        '  line 3: pelican',
        '    notes/pelican.md',
        '',
      ].join('\n'),
    )
  })

  it('looks where it is told to, unless the query says it', async () => {
    await using books = await shelf(SHELVED)
    using files = tree({ 'judged.jsonl': '{"query":"pelican","paths":["pelican.md"]}\n' })
    const recall = async (collections?: string[]) => {
      const { modes } = await libraryOver(books.store).bench(files.at('judged.jsonl'), collections)
      return modes[0]?.recall10
    }
    expect([await recall(), await recall(['notes']), await recall(['docs'])]).toEqual([1, 1, 0])
    await expect(recall(['none'])).rejects.toMatchObject({ code: 'not-found' })
  })

  it('counts a judged path that names no document, or several, as not found, and says so', async () => {
    await using books = await shelf({ ...SHELVED, 'notes:retry.md': 'x' })
    using files = tree({ 'judged.jsonl': '{"query":"timeout","paths":["timeout.md","gone.md","retry.md"]}\n' })
    const { output } = await performed(books.store, bench, { file: files.at('judged.jsonl') })
    expect(output.unknown.map(({ path }) => path)).toEqual(['gone.md', 'retry.md'])
    expect(output.modes[0]).toMatchObject({ recall10: 1 / 3 })
    expect(bench.notices?.(output)).toEqual([
      'Line 1: gone.md counts as not found. There is no document gone.md.',
      'Line 1: retry.md counts as not found. 2 documents are called "retry.md".',
    ])
  })

  it('says how many queries a mode did not answer', async () => {
    await using books = await shelf(SHELVED)
    using files = tree({ 'judged.jsonl': '{"query":"timeout","paths":["timeout.md"]}\n' })
    const broken = async () => {
      throw new Error('not called')
    }
    const embedding = async () => ({ name: 'm', url: '', embed: broken, query: broken }) as never
    const answer = await libraryOver(books.store, { embedding }).bench(files.at('judged.jsonl'))
    expect(answer.modes.map(({ mode, degraded, recall10 }) => [mode, degraded, recall10])).toEqual([
      ['lexical', 0, 1],
      ['vector', 1, 1],
      ['hybrid', 1, 1],
    ])
    expect(bench.notices?.(answer)).toContainEqual('vector: 1 of 1 were searched by words alone: see "ambit doctor".')
  })

  it.each([
    ['none', 'not-found'],
    ['dir', 'invalid-input'],
    ['binary', 'invalid-input'],
  ])('of %s fails', async (name, code) => {
    await using books = await shelf(SHELVED)
    using files = tree({ 'dir/': '', binary: '\0\u0001' })
    await expect(libraryOver(books.store).bench(files.at(name))).rejects.toMatchObject({ code })
  })
})
