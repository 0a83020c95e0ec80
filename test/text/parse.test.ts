import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { type Item, parseMarkdown, type Section } from '../../src/text/parse.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, markdownText, PATHOLOGICAL } from './texts.ts'

function parsed(text: string) {
  return parseMarkdown(text).parsed
}

/** The items of the first section. */
function items(text: string): readonly Item[] {
  return parsed(text).sections[0]?.items ?? []
}

function item(text: string): Item {
  const [first] = items(text)
  if (!first) throw new Error(`There is no item in ${text}`)
  return first
}

function section(title: string, content: string): Section {
  return { title, items: [], content, prose: '' }
}

const NO_ITEM: Item = { title: '', fields: {}, tags: [], children: [] }

it.each([
  ['# A\n', 'A'],
  ['A\n===\n', 'A'],
  ['A\nb\n===\n', 'A b'],
  ['text\n\n# A *b* `c`  #\n\n# B\n', 'A *b* `c`'],
  ['## A\n\n# B\n', 'B'],
  ['---\ntitle: x\n---\n# A\n', 'A'],
  ['```\n# no\n```\n', ''],
  ['    # no\n', ''],
  ['<!--\n# no\n-->\n', ''],
  ['> # no\n', ''],
  ['- # no\n', ''],
  ['#no\n', ''],
  ['', ''],
])('the title of %j is %j', (text, title) => {
  expect(parsed(text).title).toBe(title)
})

describe('sections', () => {
  it.each<[string, string, Section[]]>([
    ['no text', '', []],
    ['a title only', '# A\n', []],
    ['text without headings', '\n\ntext\nmore\n\n', [section('', 'text\nmore')]],
    ['text below the title', '# A\n\ntext\n', [section('', 'text')]],
    ['text around the title', 'before\n\n# A\n\nafter\n', [section('', 'before\n\n\nafter')]],
    ['a section for each H2', '# A\n\n## B\n\nb\n\n## C\n\nc\n', [section('B', 'b'), section('C', 'c')]],
    ['text before the first H2', 'a\n## B\nb\n', [section('', 'a'), section('B', 'b')]],
    ['an empty section', '## A\n\n## B\n', [section('A', ''), section('B', '')]],
    ['setext headings', 'A\n-\na\n\nB\nb\n---\nc\n', [section('A', 'a'), section('B b', 'c')]],
    ['two sections of one name', '## A\na\n## A\nb\n', [section('A', 'a'), section('A', 'b')]],
    ['headings that are no H2', '## A\n#### b\ntext\n##no\n', [section('A', '#### b\ntext\n##no')]],
    ['a second H1 as text', '# A\n## B\nb\n# C\nc\n', [section('B', 'b\n# C\nc')]],
    ['H2 in code', '## A\n```\n## no\n```\n<!--\n## no\n-->\n', [section('A', '```\n## no\n```\n<!--\n## no\n-->')]],
    ['H2 in quotes and lists as text', '## A\n> ## no\n', [section('A', '> ## no')]],
    ['indentation and blanks at line ends', '## A\n\n    code  \n\n  b  \n \n', [section('A', '    code  \n\n  b  ')]],
    ['the heading as written', '## A `b` #c **d** ##\n', [section('A `b` #c **d**', '')]],
  ])('of %s', (_, text, sections) => {
    expect(parsed(text).sections).toEqual(sections)
  })

  it('have no content when they have items', () => {
    expect(parsed('## A\n\nintro\n\n- b\n\nmore\n').sections).toEqual([
      { title: 'A', items: [{ ...NO_ITEM, title: 'b' }], content: '', prose: 'intro\n\nmore' },
    ])
  })

  it.each<[string, string]>([
    ['## A\n- a\n', ''],
    ['## A\n\nintro\nmore\n\n- a\n\nend\n', 'intro\nmore\n\nend'],
    ['# T\n\nfirst\n\n- a\n', 'first'],
    ['before\n\n# T\n- a\n\nafter\n', 'before\n\nafter'],
    ['## A\n- a\n\n  a second paragraph\n- b\n', '  a second paragraph'],
    ['## A\n- a\n  ```sh\n  npm test\n  ```\n', '  ```sh\n  npm test\n  ```'],
    ['## A\n- a\n  - b\n\n    more of b\n', '    more of b'],
    ['## A\n- ```\n  code\n  ```\n- b\n', '- ```\n  code\n  ```'],
    ['## A\n- a\n\n  > quoted\n', '  > quoted'],
    ['## A\n### a\n\ntext of it\n\n### b\n', 'text of it'],
    ['## A\n### a\n\n**Status**: done\n**By**: me\n', ''],
    ['## A\n### a\n\nsaid: so\n**Status**: done\n', 'said: so\n**Status**: done'],
    ['## A\n### a\n\n**Status**: done\n\n**Status**: open\n', '**Status**: open'],
    ['## A\n- a\n\n#### b\n\n| c |\n| - |\n| d |\n', '#### b\n\n| c |\n| - |\n| d |'],
    ['## A\n- a\n\n[a]: https://example.org/x\n', '[a]: https://example.org/x'],
    ['## A\n- a\n<!-- note -->\n', '<!-- note -->'],
    ['## A\n- a\n# B\n', '# B'],
  ])('have the prose of %j: %j', (text, prose) => {
    expect(parsed(text).sections[0]?.prose).toBe(prose)
  })
})

describe('items', () => {
  it.each<[string, string, Partial<Item>[]]>([
    ['list items', '- a\n- b\n', [{ title: 'a' }, { title: 'b' }]],
    ['items of all lists', '* a\n\ntext\n\n1. b\n2) c\n+ d\n', ['a', 'b', 'c', 'd'].map((title) => ({ title }))],
    ['H3', '### a\n\ntext\n\n### b\n', [{ title: 'a' }, { title: 'b' }]],
    [
      'tasks below H3 as their own',
      '### a\n- [ ] b\n- c\n- [x] d\n',
      [
        { title: 'a', children: ['c'] },
        { title: 'b', status: 'todo' },
        { title: 'd', status: 'done' },
      ],
    ],
    ['a list after an H3 of another section', '### a\n## B\n- c\n', [{ title: 'a' }]],
    ["a list below an H4 as the H3's", '### a\n#### b\n- c\n', [{ title: 'a', children: ['c'] }]],
    ['a list after an H1 as its own', '### a\n# B\n- c\n', [{ title: 'a' }, { title: 'c' }]],
    ['an empty item', '-\n- a\n', [{ title: '' }, { title: 'a' }]],
    ['an item that starts with a heading', '- ### a\n', [{ title: 'a' }]],
    ['an item that starts with code', '- ```\n  a\n  ```\n', [{ title: '' }]],
    ['no items in code or comments', '> - a\n\n    - b\n\n```\n- c\n```\n<!--\n- d\n-->\n- e\n', [{ title: 'e' }]],
  ])('are %s', (_, text, expected) => {
    expect(items(text)).toEqual(expected.map((some) => ({ ...NO_ITEM, ...some })))
  })

  it.each([
    ['- a\n  b\n', 'a b'],
    ['- Tokens must\n  **not** be reused\n', 'Tokens must **not** be reused'],
    ['- Tokens must\n**not** be reused\n', 'Tokens must **not** be reused'],
    ['- a\n  b #x\n  **Key**: value\n  goes on\n', 'a b'],
    ['- a\n  **Key**: one\n  **Key**: two\n', 'a **Key**: two'],
    ['- **Key**: value\n  goes on\n', '**Key**: value goes on'],
    ['- a\n\n  b\n', 'a'],
    ['- [ ]   a   b  \n', 'a b'],
    ['- [ ] a #x b #y:z\n', 'a b'],
    ['- #x a\n', 'a'],
    ['- #x\n', ''],
    ['- [x]\n', ''],
    ['- **a** `#b` [c #d](e#f) *g*\n', '**a** `#b` [c ](e#f) *g*'],
    ['- a\\#b \\#c\n', 'a\\#b \\#c'],
    ['- [y] a\n', '[y] a'],
    ['### a #x `b`\n', 'a `b`'],
    ['- `a\n  #b` #c\n', '`a #b`'],
    ['1. [ ] a\n', 'a'],
  ])('have the title of %j: %j', (text, title) => {
    expect(item(text).title).toBe(title)
  })

  it.each([
    ['- [ ] a', 'todo'],
    ['- [x] a', 'done'],
    ['- [X] a', 'done'],
    ['- [-] a', 'blocked'],
    ['- [!] a', 'blocked'],
    ['- [ ] a #blocked', 'blocked'],
    ['- [x] a #blocked', 'done'],
    ['- a #blocked', 'blocked'],
    ['- a\n  more #blocked', 'blocked'],
    ['### a #blocked', 'blocked'],
    ['- [ ]\n  a', 'todo'],
    ['- a', undefined],
    ['- a `#blocked`', undefined],
    ['- a #blockedby', undefined],
    ['- a\n  - b #blocked', undefined],
    ['- [ok] a', undefined],
    ['- [x](y) a', undefined],
    ['### [x] a', undefined],
  ])('have the status of %j: %s', (text, status) => {
    expect(item(text).status).toBe(status)
    expect('status' in item(text)).toBe(status !== undefined)
  })

  it.each<[string, string[]]>([
    ['- a #b', ['b']],
    ['- #b a', ['b']],
    ['- a #priority:high #due:2024-01-31 #v:1.2.', ['priority:high', 'due:2024-01-31', 'v:1.2']],
    ['- a #b, #c; (#d) [#e] "#f". #g!', ['b', 'c', 'd', 'e', 'f', 'g']],
    ['- **#b** *#c* ~~#d~~ _#e_', ['b', 'c', 'd', 'e']],
    ['- #étude #漢字 #a_b-c/d #b2', ['étude', '漢字', 'a_b-c/d', 'b2']],
    ['- #b #c #b', ['b', 'c']],
    ['- a\n  #b\n\n  more #c\n', ['b', 'c']],
    ['- [a #b](c)', ['b']],
    ['### a #b\n\ntext #c\n', ['b', 'c']],
    ['- a:\n  #b', ['b']],
    ['- `#b` ``#c ` #d``', []],
    ['- `a\n  #b` c', []],
    ['- [a](#b) [c](d#e "#f") ![#g](#h)', []],
    ['- <a href="x" title=" #b"> <!-- #c -->', []],
    ['- <http://a/#b> http://a/#b http://a/(#b,#c)', []],
    ['- #123 #1a # a ## #- a#b C# é#b 1#c', []],
    ['- \\#b &#35;c &num;d', []],
    ['- a\n  - b #c\n', []],
    ['- a\n\n  ```\n  #b\n  ```\n\n  > #c\n', []],
    ['- [#b]: c\n\n- d', []],
  ])('have the tags of %j: %j', (text, tags) => {
    expect(item(text).tags).toEqual(tags)
  })

  it.each<[string, Record<string, string>]>([
    ['- **Key**: value', { Key: 'value' }],
    ['- **Key:** value', { Key: 'value' }],
    ['- __Key__: value', { Key: 'value' }],
    ['- __Key:__ value', { Key: 'value' }],
    ['- [ ] **Key**: value', { Key: 'value' }],
    ['- a\n  **Key**: value\n  **Other key** : `x` *y*  \n', { Key: 'value', 'Other key': '`x` *y*' }],
    ['- a\n\n  **Key**: value\n', { Key: 'value' }],
    ['- a\n  - **Key**: value\n    - __Deep__: down\n', { Key: 'value', Deep: 'down' }],
    ['### a\n\n**Key**: value\n**Other**: x\n\ntext\n\n**Third**: y\n', { Key: 'value', Other: 'x', Third: 'y' }],
    ['### a\n- **Key**: value\n', { Key: 'value' }],
    ['- a\n  **Key**:\n  first\n  second\n  **Next**: x', { Key: 'first second', Next: 'x' }],
    ['- a\n  **Key**:\n', { Key: '' }],
    ['- a\n  **Key**: must\n  not be lost\n', { Key: 'must not be lost' }],
    ['- a\n  **Key**: one\n  **Key**: two\n', { Key: 'one' }],
    ['- **状态**：完成', { 状态: '完成' }],
    ['- **状态：** 完成', { 状态: '完成' }],
    ['- **a_b `c`**: d: e', { 'a_b `c`': 'd: e' }],
    ['- text **Key**: value', {}],
    ['- **a** and **b**: c', {}],
    ['- `**Key**: value`', {}],
    ['- a `b\n  **Key**: value` c', {}],
    ['- *Key*: value', {}],
    ['- ** Key**: value', {}],
    ['- **std**::vector', {}],
    ['- \\**Key**: value', {}],
    ['- **Key** value', {}],
  ])('have the fields of %j: %j', (text, fields) => {
    expect(item(text).fields).toEqual(fields)
  })

  it('have fields of any name as data', () => {
    const { fields } = item('- a\n  **__proto__**: x\n  **constructor**: y\n')
    expect(Object.entries(fields)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it.each<[string, string[]]>([
    ['- a\n  - b\n  - c\n', ['b', 'c']],
    ['- a\n  - b\n    - c\n      - d\n  - e\n', ['b', 'c', 'd', 'e']],
    ['- a\n  - [x] b\n  - [ ] c #d\n', ['b', 'c #d']],
    ['- a\n  - b\n    goes   on\n\n    another\n', ['b goes on']],
    ['- a\n\n  1. b\n\n  text\n\n  * c\n', ['b', 'c']],
    ['- a\n  - **B** `c` [d](e)\n', ['**B** `c` [d](e)']],
    ['### a\n- b\n  - c\n\ntext\n\n- d\n', ['b', 'c', 'd']],
    ['- a\n  > - b\n', []],
    ['- a\n', []],
  ])('have the children of %j: %j', (text, children) => {
    expect(item(text).children).toEqual(children)
  })
})

it('metadata is the front matter, which is not a part of the sections', () => {
  expect(parseMarkdown('---\ntitle: x\nn: 1.10\n---\n# A\n\nb\n')).toEqual({
    parsed: { title: 'A', sections: [section('', 'b')], metadata: { title: 'x', n: '1.10' } },
    warnings: [],
  })
})

describe('a warning', () => {
  it.each([
    ['---\na: [\n---\n', 'not valid YAML'],
    ['---\na: 1\n\n# B\n', 'front matter is not closed'],
    ['# A\n\n```js\nb\n', 'Line 3: the code fence is not closed.'],
    ['---\na: 1\n---\n\n~~~~\n~~~\n', 'Line 5: the code fence is not closed.'],
    ['- a\n  ```\n  b\n- c\n', 'Line 2: the code fence is not closed.'],
    ['> ```\n> b\n', 'Line 1: the code fence is not closed.'],
    ['a\n\n<!-- b\n\nc\n', 'Line 3: the comment is not closed.'],
    [`${'> '.repeat(50)}a\n`, 'nested too deeply'],
    [`${'- '.repeat(50)}a\n`, 'nested too deeply'],
  ])('tells what is wrong with %j: %s', (text, warning) => {
    expect(parseMarkdown(text).warnings).toEqual([expect.stringContaining(warning)])
  })

  it.each([
    ...['```js\nb\n```\n', '```js\nb\n   `````  \n', '- a\n  ```\n  b\n  ```\n> ~~~\n> b\n> ~~~\n'],
    ...['<!-- a\n\nb --> c\n', '---\n\ntext\n', '```\n```', '---\n---\n'],
  ])('is not given for %j', (text) => {
    expect(parseMarkdown(text).warnings).toEqual([])
  })

  it('is not given without end', () => {
    expect(parseMarkdown('- ```\n'.repeat(1000)).warnings).toHaveLength(20)
  })
})

/** What of a text says something: not checkboxes, nor the numbers of lists. */
function wordsOf(text: string): string[] {
  return text.replace(/\[[xX]\]|\d+[.)]/g, ' ').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

it('the content of a text is found again in what is parsed: no word is lost', () =>
  forAll(2000, fc.oneof(markdownText, anyText), (text) => {
    const body = text.slice(splitFrontMatter(text).body)
    const { title, sections } = parsed(text)
    const said = new Set(wordsOf([title, ...sections.flatMap(textsOf)].join('\n')))
    expect(wordsOf(body).filter((word) => !said.has(word))).toEqual([])
  }))

function textsOf({ title, content, prose, items }: Section): string[] {
  const own = items.flatMap((one) => [one.title, ...one.tags, ...one.children, ...Object.entries(one.fields).flat()])
  return [title, content, prose, ...own]
}

describe('parseMarkdown', () => {
  it('finds the same whatever the line ends, with a byte order mark or without', () =>
    forAll(500, fc.oneof(markdownText, anyText), (text) => {
      const lf = text.replace(/\r\n?/g, '\n')
      fc.pre(!lf.startsWith('\uFEFF'))
      const expected = parseMarkdown(lf)
      for (const end of ['\r\n', '\r']) {
        expect(parseMarkdown(lf.replaceAll('\n', end))).toEqual(expected)
        expect(parseMarkdown(`\uFEFF${lf.replaceAll('\n', end)}`)).toEqual(expected)
      }
    }))

  it('never throws, and gives strings', () =>
    forAll(1500, fc.oneof(markdownText, anyText), (text) => {
      const { parsed: content, warnings } = parseMarkdown(text)
      for (const { items: found, content: raw, prose } of content.sections) {
        expect(found.length > 0 && raw !== '').toBe(false)
        expect(found.length === 0 && prose !== '').toBe(false)
        for (const { title, tags, children } of found) {
          for (const line of [title, ...children]) expect(line).toBe(line.replace(/\s+/g, ' ').trim())
          expect(new Set(tags).size).toBe(tags.length)
        }
      }
      expect(warnings.every((warning) => typeof warning === 'string')).toBe(true)
    }))

  it.each(PATHOLOGICAL)('survives %s', (_, text) => {
    expect(parseMarkdown(text).parsed.sections.length).toBeLessThan(2)
  })
})

it('parses a list of three hundred thousand items', { tags: 'long' }, () => {
  const { parsed } = parseMarkdown(`## Tasks\n${'- a\n'.repeat(300_000)}`)
  expect(parsed.sections[0]?.items).toHaveLength(300_000)
})
