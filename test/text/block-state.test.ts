import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { BlockState } from '../../src/text/block-state.ts'

const parser = new MarkdownIt()

/** The lines as a state sees them. */
function linesOf({
  bMarks,
  eMarks,
  tShift,
  sCount,
  bsCount,
  lineMax,
  src,
}: InstanceType<typeof MarkdownIt.StateBlock>) {
  return { bMarks, eMarks, tShift, sCount, bsCount, lineMax, src }
}

describe('the block state', () => {
  it('sees the lines of any text as that of the library does', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '\t', '\n', '> ', '- ', '\u00e9', '  \t'), { maxLength: 40 })
    fc.assert(
      fc.property(text, (parts) => {
        const source = parts.join('')
        const theirs = new MarkdownIt.StateBlock(source, parser, {}, [])
        expect(linesOf(new BlockState(source, parser, {}, []))).toEqual(linesOf(theirs))
      }),
      { numRuns: 5000 },
    )
  })

  it.each(['', '\n', ' ', '\t', 'a', 'a\n', ' \n', 'a\n ', '\n\n', '\t a'])(
    'sees the lines of %j likewise',
    (source) => {
      const theirs = new MarkdownIt.StateBlock(source, parser, {}, [])
      expect(linesOf(new BlockState(source, parser, {}, []))).toEqual(linesOf(theirs))
    },
  )
})
