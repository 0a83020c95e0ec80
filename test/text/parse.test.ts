import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { type Item, parseMarkdown, type Section } from '../../src/text/parse.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, markdownText, PATHOLOGICAL } from './texts.ts'

function parsed(text: string) {
  return parseMarkdown(text).parsed
}

/** The first item of the first section. */
function item(text: string): Item {
  const [first] = parsed(text).sections[0]?.items ?? []
  if (!first) throw new Error(`There is no item in ${text}`)
  return first
}

function section(title: string, content: string): Section {
  return { title, items: [], content, prose: '' }
}

describe('sections', () => {
  it.each<[string, string, Section[]]>([
    ['a section for each H2', '# A\n\n## B\n\nb\n\n## C\n\nc\n', [section('B', 'b'), section('C', 'c')]],
    ['setext headings', 'A\n-\na\n\nB\nb\n---\nc\n', [section('A', 'a'), section('B b', 'c')]],
    ['two sections of one name', '## A\na\n## A\nb\n', [section('A', 'a'), section('A', 'b')]],
    ['H2 in code', '## A\n```\n## no\n```\n<!--\n## no\n-->\n', [section('A', '```\n## no\n```\n<!--\n## no\n-->')]],
  ])('of %s', (_, text, sections) => {
    expect(parsed(text).sections).toEqual(sections)
  })
})

describe('items', () => {
  it('are tasks below H3 as their own', () => {
    const items = parsed('### a\n- [ ] b\n- c\n- [x] d\n').sections[0]?.items ?? []
    expect(items.map(({ title, status, children }) => [title, status, children])).toEqual([
      ['a', undefined, ['c']],
      ['b', 'todo', []],
      ['d', 'done', []],
    ])
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

  it('without a text have the line of their mark, and no more', () => {
    expect(parsed('-\ntext\n').sections[0]).toMatchObject({ items: [{ title: '' }], prose: 'text' })
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
