import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdown } from '../../../src/context/renderers/renderers.ts'
import { fragment, left, selectionOf } from '../../core/fragments.ts'
import { framedAsMarkdown } from './framed.ts'

const render = markdown({ heading: 'Project Context' })

describe('markdown', () => {
  it('is nothing for an empty selection', () => {
    expect(render(selectionOf([], [left('x')]))).toBe('')
  })

  it('names the uri where no source is labelled', () => {
    expect(render(selectionOf([fragment('a', 'x')]))).toBe('# Project Context\n\n## a\nSource: file:///a\n\nx\n')
  })

  it('keeps each name and source on its line, and each text whole: 10,000 generated ones', () => {
    fc.assert(framedAsMarkdown, { numRuns: 10_000 })
  })
})
