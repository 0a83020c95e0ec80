/** @module-tag long */

import { describe, expect, it } from 'vitest'
import { blocksOf, plainBlocksOf } from '../../src/text/blocks.ts'
import { oneLine, stripControls } from '../../src/text/controls.ts'
import { closeFence } from '../../src/text/fences.ts'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { gitignore } from '../../src/text/gitignore.ts'
import { neutralise } from '../../src/text/invisible.ts'
import { marksOf } from '../../src/text/markdown.ts'
import { markdownSpans } from '../../src/text/markdown-spans.ts'
import { parseFrontMatter } from '../../src/text/metadata.ts'
import { parseMarkdown } from '../../src/text/parse.ts'
import { splitPoints } from '../../src/text/split-points.ts'

const UNITS = [
  ...['`', '`a ', '``a `', '*', '**a', '**a:**', '**a ：', '_', '[', '![[', '](', '[a](', '[a]: b\n'],
  ...['<!--', '<', '<![CDATA[', '&', '#', '#a_', '(#a', ' ', '\n', '\r', 'a: ', '- a\n', '---\n', '````\n', '@.'],
  ...[
    '\\',
    '\\`',
    '|',
    '. ',
    '\u001b',
    '\u001b]',
    '\u001b[',
    '\u200d',
    '\u00ad',
    'ש\u200f',
    '\u{e0061}',
    '葛\u{e0100}',
  ],
]

const FUNCTIONS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['blocksOf', blocksOf],
  ['closeFence', closeFence],
  ['gitignore', gitignore],
  ['marksOf', (text) => marksOf(`#a ** ${text}`, {})],
  ['neutralise', neutralise],
  ['oneLine', oneLine],
  ['parseFrontMatter', parseFrontMatter],
  ['parseMarkdown', (text) => parseMarkdown(`- #a ${text}`)],
  ['splitPoints', (text) => plainBlocksOf(text).map((block) => splitPoints(text, block))],
  ['splitFrontMatter', (text) => splitFrontMatter(`---\n${text}`)],
  ['markdownSpans', (text) => [...markdownSpans(text)]],
  ['stripControls', stripControls],
]

/** Milliseconds. */
function timed(read: (text: string) => unknown, text: string): number {
  const began = performance.now()
  read(text)
  return performance.now() - began
}

describe('a text of five times the length takes no more than about five times as long', () => {
  it.each(FUNCTIONS)('%s', (_, read) => {
    for (const unit of UNITS) {
      // A square would take 25 times as long; the constant is for pauses that have nothing to do with the text.
      const most = 12 * timed(read, `${unit.repeat(8_000)}x`) + 300
      // Others use the machine, too: what is slow by itself is slow each time.
      const isSlow = () => timed(read, `${unit.repeat(40_000)}x`) > most
      expect(isSlow() && isSlow() && isSlow(), JSON.stringify(unit)).toBe(false)
    }
  })
})
