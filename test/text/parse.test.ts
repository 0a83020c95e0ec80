import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { parseMarkdown, type Section } from '../../src/text/parse.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, markdownText, PATHOLOGICAL } from './texts.ts'

function parsed(text: string) {
  return parseMarkdown(text).parsed
}

/** The first item of the first section. */
const item = (text: string) => parsed(text).sections[0]?.items[0]

function section(title: string, content: string): Section {
  return { title, items: [], content, prose: '' }
}

describe('sections', () => {
  it.each<[string, string, Section[]]>([
    ['a section for each H2', '# A\n\n## B\n\nb\n\n## C\n\nc\n', [section('B', 'b'), section('C', 'c')]],
    ['setext headings', 'A\n-\na\n\nB\nb\n---\nc\n', [section('A', 'a'), section('B b', 'c')]],
    ['two sections of one name', '## A\na\n## A\nb\n', [section('A', 'a'), section('A', 'b')]],
  ])('of %s', (_, text, sections) => {
    expect(parsed(text).sections).toEqual(sections)
  })
})

describe('items', () => {
  it('have the tags that emphasis holds', () => {
    expect(item('- **#b** *#c* ~~#d~~ _#e_')?.tags).toEqual(['b', 'c', 'd', 'e'])
  })

  it('have fields of any name as data', () => {
    const fields = item('- a\n  **__proto__**: x\n  **constructor**: y\n')?.fields ?? {}
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
