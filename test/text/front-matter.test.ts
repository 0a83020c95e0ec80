import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { forAll } from '../support/property.ts'
import { anyText } from './texts.ts'

describe('splitFrontMatter', () => {
  it('takes its matter from before the body', () => {
    forAll(anyText, (rest) => {
      const text = `---\n${rest}`
      const { matter, body } = splitFrontMatter(text)
      if (matter === undefined) expect(body).toBe(0)
      else expect(text.slice(0, body)).toContain(matter)
    })
  })
})
