import { describe, expect, it } from 'vitest'
import { closeFence } from '../../src/text/fences.ts'
import { parseMarkdown } from '../../src/text/parse.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, PATHOLOGICAL } from './texts.ts'

describe('closeFence', () => {
  it.each([
    ['a fence', '```js\ncode', '```js\ncode\n```'],
    ['a fence after a line end', '```js\ncode\n', '```js\ncode\n```'],
    ['a fence of its first line', 'a\n```', 'a\n```\n```'],
    ['a fence of tildes', '~~~\n```\ncode', '~~~\n```\ncode\n~~~'],
    ['a longer fence', '`````\n```\ncode', '`````\n```\ncode\n`````'],
    ['an indented fence', '  ```\n  code', '  ```\n  code\n  ```'],
    ['a second fence', '```\na\n```\n```\nb', '```\na\n```\n```\nb\n```'],
    ['a fence that a longer line of text does not close', '```\n``` a', '```\n``` a\n```'],
    ['a fence that an indented line does not close', '```\n    ```', '```\n    ```\n```'],
    ['a fence with CRLF', '```\r\ncode\r\n', '```\r\ncode\r\n```'],
    ['a fence in a list', '- a\n  ```\n  code', '- a\n  ```\n  code\n  ```'],
    ['a fence that starts a list item', '- ```\n  code', '- ```\n  code\n  ```'],
    ['a fence in a list', '1. a\n   - b\n\n     ```\n     code\n', '1. a\n   - b\n\n     ```\n     code\n     ```'],
    ['a fence in an outer list again', '- a\n  - b\n\n  ```\n  code', '- a\n  - b\n\n  ```\n  code\n  ```'],
    ['a fence in a quote', '> ```\n> code', '> ```\n> code\n> ```'],
    ['a fence in a list in a quote', '> - ```\n>   code', '> - ```\n>   code\n>   ```'],
    ['a fence that holds quote marks', '```\n> ```', '```\n> ```\n```'],
    ['a fence after a list', '- a\n\nb\n```\ncode', '- a\n\nb\n```\ncode\n```'],
    ['a fence with tildes in its info', '~~~ `a` ~\ncode', '~~~ `a` ~\ncode\n~~~'],
  ])('closes %s', (_, text, closed) => {
    expect(closeFence(text)).toBe(closed)
    expect(parseMarkdown(closed).warnings).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['plain text', 'a `b` c\n'],
    ['a closed fence', '```\ncode\n```\n'],
    ['a fence closed by more', '```\ncode\n  `````  \n'],
    ['backticks within a line', 'a ``` b\n``` c `d\n'],
    ['indented code', 'a\n\n    ```\n    code'],
    ['a fence that its list item ends', '- ```\n  code\n\nb'],
    ['a fence that its quote ends', '> ```\n> code\n\nb'],
    ['a fence in a quote that a lazy line ends', '> ```\nb'],
    ['two backticks', '``\ncode'],
  ])('leaves %s', (_, text) => {
    expect(closeFence(text)).toBe(text)
  })

  it('adds at most a line, once', () =>
    forAll(1000, anyText, (text) => {
      const closed = closeFence(text)
      expect(closed.startsWith(text)).toBe(true)
      if (closed !== text) expect(closed.slice(text.length)).toMatch(/^\n?[ >\t]*(`{3,}|~{3,})$/)
    }))

  it('closes any fence at the top level', () => {
    const line = fc.constantFrom('```', '~~~', '````js', ' ```', '    ```', 'text', '', '``` a', '~~~~')
    forAll(1000, fc.array(line), (lines) => {
      const closed = closeFence(lines.join('\n'))
      expect(parseMarkdown(closed).warnings).toEqual([])
      expect(closeFence(closed)).toBe(closed)
    })
  })

  it.each(PATHOLOGICAL)('survives %s', (_, text) => {
    expect(closeFence(text).startsWith(text)).toBe(true)
  })
})
