import { describe, expect, it } from 'vitest'
import { headingsAbove } from '../../src/text/headings.ts'
import { lineStarts } from '../../src/text/lines.ts'
import { fc, forAll } from '../support/property.ts'

function above(text: string, line: number): string[] {
  return headingsAbove(text, lineStarts(text), line)
}

/** Those above the last line. */
function aboveLast(...lines: readonly string[]): string[] {
  return above(lines.join('\n'), lines.length)
}

describe('the headings above a line', () => {
  it('are those that it stands under, the outermost first', () => {
    const text = '# A\n\n## B\n\ntext\n\n## C\n\n### D\n\ntext\n\n# E\n\ntext\n'
    expect([1, 2, 5, 7, 11, 15].map((line) => above(text, line))).toEqual([
      ['A'],
      ['A'],
      ['A', 'B'],
      ['A', 'C'],
      ['A', 'C', 'D'],
      ['E'],
    ])
  })

  it.each([
    ['a line before any', ['text', '# A'], 1, []],
    ['a heading that skips levels', ['# A', '#### B', 'text'], 3, ['A', 'B']],
    ['headings that begin below the first level', ['### A', '## B', 'text'], 3, ['B']],
    ['a line behind the end', ['# A', 'text'], 99, ['A']],
    ['a text that is empty', [''], 1, []],
  ] satisfies [string, string[], number, string[]][])('are told of %s', (_, lines, line, expected) => {
    expect(above(lines.join('\n'), line)).toEqual(expected)
  })

  it.each([
    ['plain', '# Title', 'Title'],
    ['indented', '   # Title', 'Title'],
    ['quoted', '> ## Title', 'Title'],
    ['closed', '## Title ##', 'Title'],
    ['closed by more', '# Title ####  ', 'Title'],
    ['with a sharp name', '# Learn C#', 'Learn C#'],
    ['with a sharp name, and closed', '# Learn C# #', 'Learn C#'],
    ['with a tab', '#\tTitle', 'Title'],
    ['of two lines for some editors', '# One\u2028two', 'One two'],
    ['with markup', '# `get` **now**', 'get now'],
    ['with a link', '# [Get](#get) ![](badge.svg)', 'Get'],
    ['with an id of VitePress', '## Component v-model {#component-v-model}', 'Component v-model'],
    ['with an id of MkDocs', '## Request Files { #request-files }', 'Request Files'],
    ['with a comment of MDX', '## `mode` {/*mode*/}', 'mode'],
    ['with an anchor', '## <a name="x"></a> `emplace_back`', 'emplace_back'],
    ['with braces of its own', '## The type {a: b}', 'The type {a: b}'],
    ['with escapes, as of a page', '## 2\\. Fares \\[new\\]', '2. Fares [new]'],
    ['with what is not a tag', '## vector<int> a < b > c', 'vector<int> a < b > c'],
  ])('have their text without markup: %s', (_, line, title) => {
    expect(aboveLast(line, 'text')).toEqual([title])
  })

  it.each([
    ['a tag', '#tag'],
    ['seven signs', '####### A'],
    ['signs within a line', 'a # b'],
    ['signs alone', '##'],
  ])('are not %s', (_, line) => {
    expect(aboveLast('# Title', line, 'text')).toEqual(['Title'])
  })

  it.each([
    ['a fence', ['```sh', '# comment', '```']],
    ['a fence of tildes', ['~~~', '# comment', '~~~']],
    ['a longer fence that holds a shorter', ['````', '```', '# comment', '```', '# comment', '````']],
    ['a fence with other marks in it', ['```', '~~~', '# comment', '```']],
    ['a fence with words behind its marks', ['```', '```js', '# comment', '```']],
    ['a fence in a list', ['- ```sh', '  # comment', '  ```']],
    ['a fence in a numbered list', ['1. ```', '   # comment', '   ```']],
    ['a fence in a quote', ['> ```', '> # comment', '> ```']],
    ['a comment', ['<!--', '# comment', '-->']],
    ['a comment with a fence in it', ['<!--', '```', '-->']],
  ])('are not in %s, and those behind it are', (_, lines) => {
    expect(aboveLast('# A', ...lines, '## B', 'text')).toEqual(['A', 'B'])
    expect(aboveLast('# A', ...lines)).toEqual(['A'])
  })

  it.each([
    ['code within a line', '```not a fence```'],
    ['a comment in a line', '<!-- closed --> text'],
    ['a tag in HTML', '<div>'],
    ['a list', '- item'],
    ['a rule', '---'],
  ])('go on behind %s', (_, line) => {
    expect(aboveLast('# A', line, '## B', 'text')).toEqual(['A', 'B'])
  })

  it('are none in an open fence', () => {
    expect(aboveLast('# A', '```', '# comment', 'text')).toEqual(['A'])
  })

  it('are not in the front matter', () => {
    expect(aboveLast('---', '# comment', 'title: x', '---', '# A', 'text')).toEqual(['A'])
    expect(above('---\n# comment\n---\ntext', 2)).toEqual([])
  })

  it.each(['\n', '\r\n', '\r'])('are the same whatever ends the lines: %j', (end) => {
    expect(above(['# A', '', '## B', 'text'].join(end), 4)).toEqual(['A', 'B'])
  })

  it('grow from line to line only by what a line says', () => {
    const line = fc.constantFrom('# A', '## B', '### C', 'text', '', '```', '~~~', '<!--', '-->', '- item')
    forAll(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      for (let at = 2; at <= lines.length; at++) {
        const [before, after] = [above(lines.join('\n'), at - 1), above(lines.join('\n'), at)]
        if (!lines[at - 1]?.startsWith('#')) expect(after).toEqual(before)
        expect(after.every((title, index) => index === after.length - 1 || before[index] === title)).toBe(true)
      }
    })
  })
})
