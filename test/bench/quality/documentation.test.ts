import { describe, expect, it } from 'vitest'
import { pageOf, pagePaths } from '../../../bench/pages.ts'
import { documentationSet } from '../../../bench/quality/documentation.ts'
import { tree } from '../../support/tree.ts'

/** What is asked in one way of a folder, and the pages that answer it. */
function asked(kind: string, dir: string, options = {}): [query: string, pages: string[]][] {
  const { queries, judgements } = documentationSet(dir, options)
  const own = queries.filter((query) => query.kind === kind)
  return own.map(({ id, text }) => [text, [...(judgements.get(id)?.keys() ?? [])]])
}

/** The texts of links on one page that become queries, where `to.md` is titled "The target page". */
function queriesOn(page: string, more = {}): string[] {
  using dir = tree({ 'a/from.md': page, 'a/to.md': '# The target page\n', 'b.md': '# Another\n', ...more })
  return asked('anchor', dir.base).map(([query, pages]) => `${query} > ${pages}`)
}

describe('a link becomes a query', () => {
  it.each([
    ['with two words', '[two words](to.md)', ['two words > a/to.md']],
    ['with an identifier of two parts', '[`CFile::Open`](to.md#open)', ['CFile::Open > a/to.md']],
    ['to a folder above', '[up and away](../b.md)', ['up and away > b.md']],
    ['with a title', '[two words](to.md "hint")', ['two words > a/to.md']],
    ['with escapes', '[snake\\_case \\<T>](to.md)', ['snake_case <T> > a/to.md']],
    ['that stands there twice', '[two words](to.md) [Two  Words](to.md#x)', ['two words > a/to.md']],
  ])('%s', (_, page, queries) => {
    expect(queriesOn(page)).toEqual(queries)
  })

  it.each([
    ['one word', '[word](to.md)'],
    ['ten words', '[a b c d e f g h i j](to.md)'],
    ["the page's title", '[the TARGET page](to.md)'],
    ['a text that leads to two pages', '[two words](to.md) [two words](../b.md)'],
    ['a page that is not there', '[two words](gone.md)'],
    ['an address', '[two words](https://host.example/to.md)'],
    ['its own page', '[two words](from.md#part)'],
    ['an image', '![two words](to.md)'],
    ['what stands in a fence', '```md\n[two words](to.md)\n```'],
  ])('but not %s', (_, page) => {
    expect(queriesOn(page)).toEqual([])
  })
})

describe('a description becomes a query', () => {
  const about = (description: string) => {
    using dir = tree({
      'a.md': `---\ntitle: How to moor a boat in a strong wind today\ndescription: ${description}\n---\nText.\n`,
    })
    return asked('desc', dir.base).map(([query]) => query)
  }

  it.each([
    ['with eight words', 'one two three four five six seven eight', ['one two three four five six seven eight']],
    ['in quotes', '"one two three \\"four\\" five six seven eight"', ['one two three "four" five six seven eight']],
    ['without its lead', '"Learn more about: a b c d e f g h"', ['a b c d e f g h']],
    ['but not with seven', 'one two three four five six seven', []],
    ['but not when it is the title', 'Learn more about: how to moor a boat in a strong wind today', []],
    ['but not over several lines', '>-\n  one two three four five six seven eight', []],
  ])('%s', (_, description, queries) => {
    expect(about(description)).toEqual(queries)
  })

  it('and is not part of the text that is searched', async () => {
    using dir = tree({ 'a.md': '---\ndescription: one two three four five six seven eight\n---\n# Title\n\nText.\n' })
    const set = documentationSet(dir.base)
    expect(await Array.fromAsync(set.documents())).toEqual([
      { id: 'a.md', path: 'a.md', title: 'Title', text: '# Title\n\nText.\n' },
    ])
    expect(asked('desc', dir.base)).toEqual([['one two three four five six seven eight', ['a.md']]])
  })
})

describe('the draw', () => {
  const pages = Object.fromEntries([
    ...Array.from({ length: 30 }, (_, at) => [`p${at}.md`, `# Page ${at}\n`]),
    ['index.md', Array.from({ length: 30 }, (_, at) => `[link number ${at}](p${at}.md)`).join('\n')],
  ])

  it('is the same for the same seed, and another for another', () => {
    using dir = tree(pages)
    const draw = (seed: number) => asked('anchor', dir.base, { count: 5, seed }).map(([query]) => query)
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
    expect(new Set(draw(1)).size).toBe(5)
  })

  it('takes all when there are fewer', () => {
    using dir = tree(pages)
    expect(asked('anchor', dir.base)).toHaveLength(30)
  })
})

describe('a page', () => {
  it.each([
    ['from the front matter', '---\ntitle: "A \\"b\\""\n---\n# C\n', 'A "b"'],
    ['from the front matter, single quotes', "---\ntitle: 'it''s'\n---\n", "it's"],
    ['from the first heading', 'x\n\n## `Code` heading ##\n# Later\n', 'Code heading'],
    ['not from a fence', '```sh\n# comment\n```\n# Title\n', 'Title'],
    ['not from a longer fence with a shorter one in it', '````\n```\n# no\n````\n# Title\n', 'Title'],
    ['from nowhere', 'text\n', ''],
  ])('has its title %s', (_, text, title) => {
    expect(pageOf('a.md', text).title).toBe(title)
  })

  it('is any Markdown file that is not hidden, by path', () => {
    using dir = tree({ 'b/c.md': '', 'a.md': '', 'a.txt': '', '.git/x.md': '', 'b.md': '' })
    expect(pagePaths(dir.base)).toEqual(['a.md', 'b.md', 'b/c.md'])
  })
})

describe('a pasted line', () => {
  it('is one of prose that stands in one page only, outside of code', () => {
    const line = (word: string) => `The ${word} of the harbour opens every day at six o'clock.`
    using dir = tree({
      'a.md': `# A\n\n${line('crane')}\n\n${line('gate')}\n\n- ${line('item')}\n\nToo short.\n`,
      'b.md': `# B\n\n${line('crane')}\n\n\`\`\`\n${line('code')}\n\`\`\`\n`,
    })
    expect(asked('pasted', dir.base)).toEqual([[line('gate'), ['a.md']]])
  })
})

describe('a spelling', () => {
  it('is an exact name of a page or two, alone and in a question; or a word with a slip that no page holds', () => {
    const pages = Object.fromEntries(
      [1, 2, 3].map((at) => [
        `p${at}.md`,
        `# Page ${at}\n\nThe harbour${at === 1 ? ' takes --no-cache and E4021' : ''}.\n`,
      ]),
    )
    using dir = tree(pages)
    expect(asked('name: flag, alone', dir.base)).toEqual([['--no-cache', ['p1.md']]])
    expect(asked('name: error code, in a question', dir.base)).toEqual([[expect.stringContaining('E4021'), ['p1.md']]])
    for (const [slip, holders] of asked('slip', dir.base)) {
      expect(slip).not.toBe('harbour')
      expect(holders).toEqual(['p1.md', 'p2.md', 'p3.md'])
    }
    expect(asked('slip', dir.base)).toHaveLength(1)
  })
})
