import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { forAll } from '../support/property.ts'
import { anyText } from './texts.ts'

describe('splitFrontMatter', () => {
  it.each([
    ['between two fences', '---\na: 1\n---\nbody', 'a: 1', 'body'],
    ['closed by dots', '---\na: 1\n...\nbody', 'a: 1', 'body'],
    ['of two lines', '---\na: 1\nb: 2\n---\nbody', 'a: 1\nb: 2', 'body'],
    ['with CRLF', '---\r\na: 1\r\n---\r\nbody', 'a: 1', 'body'],
    ['with CR', '---\ra: 1\r---\rbody', 'a: 1', 'body'],
    ['after a byte order mark', '\uFEFF---\na: 1\n---\nbody', 'a: 1', 'body'],
    ['with blanks after the fences', '--- \t\na: 1\n---  \nbody', 'a: 1', 'body'],
    ['that is empty', '---\n---\nbody', '', 'body'],
    ['of a blank line', '---\n\n---\nbody', '', 'body'],
    ['without a body', '---\na: 1\n---', 'a: 1', ''],
    ['up to the first closing line', '---\na\n---\nb\n---\n', 'a', 'b\n---\n'],
    ['that holds an indented fence', '---\na: |\n  ---\n---\nbody', 'a: |\n  ---', 'body'],
    ['that holds a longer line of dashes', '---\na: 1\n----\n---\nbody', 'a: 1\n----', 'body'],
  ])('finds front matter %s', (_, text, matter, body) => {
    const split = splitFrontMatter(text)
    expect(split.matter?.trim()).toBe(matter)
    expect(text.slice(split.body)).toBe(body)
  })

  it.each([
    ['in an empty text', ''],
    ['in a text without it', '# Title\n---\na: 1\n---\n'],
    ['after a blank line', '\n---\na: 1\n---\n'],
    ['after a blank', ' ---\na: 1\n---\n'],
    ['with a language', '---js\na\n---\n'],
    ['that is not closed', '---\na: 1\n'],
    ['of one line only', '---'],
    ['that only an indented line would close', '---\na: 1\n ---\n'],
    ['of four dashes', '----\na: 1\n----\n'],
    ['closed after U+2028', '---\na: 1\u2028---\n'],
  ])('finds none %s', (_, text) => {
    expect(splitFrontMatter(text)).toEqual({ body: 0 })
  })

  it('takes its matter from before the body', () =>
    forAll(anyText, (rest) => {
      const text = `---\n${rest}`
      const { matter, body } = splitFrontMatter(text)
      if (matter === undefined) expect(body).toBe(0)
      else expect(text.slice(0, body)).toContain(matter)
    }))
})
