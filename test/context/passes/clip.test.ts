import { describe, expect, it } from 'vitest'
import { clip } from '../../../src/context/passes/limits.ts'
import type { Fragment } from '../../../src/core/flow.ts'
import { blocksOf } from '../../../src/text/blocks.ts'
import { fragment, plainly, selectionOf, stepOf } from '../../core/fragments.ts'
import { fc, forAllAsync } from '../../support/property.ts'

async function apply(maxBytes: number, text: string, more: Partial<Fragment> = {}) {
  const { kept } = await clip(maxBytes)(selectionOf([fragment('a', text, more)]), stepOf(plainly))
  return { ...kept[0], text: kept[0]?.text ?? '' }
}

describe('clip', () => {
  it('keeps pinned fragments, and untouched ones as they are', async () => {
    const [pinned, short] = [fragment('p', 'x'.repeat(50), { pinned: true }), fragment('s', 'xx')]
    const { kept } = await clip(10)(selectionOf([pinned, short]), stepOf(plainly))
    expect(kept[0]).toBe(pinned)
    expect(kept[1]).toBe(short)
  })

  it('looks at fences in Markdown only', async () => {
    const { text } = await apply(9, '```\nabcd\nefgh\n```\n', { syntax: 'plain' })
    expect(text).toBe('```\nabcd\n')
  })
})

describe('a fence that the cut would leave open', () => {
  const text = '```\nabcd\nefgh\n```\n'

  it.each([
    [18, text],
    [17, '```\nabcd\nefgh\n```'],
    [16, '```\nabcd\nefg\n```'],
    [14, '```\nabcd\ne\n```'],
    [13, '```\nabcd\n```'],
    [12, '```\nabcd\n```'],
    [11, '```\nabc\n```'],
    [10, '```\nab\n```'],
    [9, '```\na\n```'],
    [8, '```\n```'],
    [7, '```\n```'],
  ])('is closed within %i bytes', async (maxBytes, expected) => {
    expect((await apply(maxBytes, text)).text).toBe(expected)
  })

  it.each([
    ['intro\n\n```ts\ncode code code\n```\n', 'a plain fence'],
    ['````md\n```\ninner\n```\n````\n', 'a fence in a fence'],
    ['- item\n\n  ~~~\n  code code\n  ~~~\n', 'a fence in a list'],
    ['> ```\n> quoted\n> ```\n\nafter\n', 'a fence in a quote'],
    ['```\r\ncode\r\nmore\r\n```\r\nafter\r\n', 'CRLF'],
    ['```a\n😀😀😀\n```\n\n~~~~~~\n漢字漢字\n~~~~~~\n', 'wide characters, two fences'],
    ['`````\nx\n`````\n```\ny\n```\n', 'fences next to each other'],
  ])('is closed within any limit: %j', async (given) => {
    const bytes = Buffer.byteLength(given)
    for (let maxBytes = 0; maxBytes <= bytes; maxBytes++) {
      const clipped = await apply(maxBytes, given)
      expect(Buffer.byteLength(clipped.text)).toBeLessThanOrEqual(maxBytes)
      expect([maxBytes, clipped.text, swallows(clipped.text)]).toEqual([maxBytes, clipped.text, false])
    }
  })

  it('is closed within any limit, whatever the text', async () => {
    const line = fc.constantFrom(
      '```',
      '````',
      '~~~',
      '```ts',
      '- a',
      '  b',
      '> c',
      '\ntext',
      '  ```',
      '- ```',
      '> ```',
      '',
      '    d',
    )
    await forAllAsync(5000, fc.array(line, { maxLength: 12 }), fc.nat(60), async (lines, maxBytes) => {
      const given = lines.join('\n')
      const clipped = await apply(maxBytes, given)
      expect(Buffer.byteLength(clipped.text)).toBeLessThanOrEqual(maxBytes)
      if (clipped.cut) expect([clipped.text, swallows(clipped.text)]).toEqual([clipped.text, false])
      else expect(clipped.text).toBe(given)
    })
  })
})

/** Whether what comes after the text is taken for code. */
function swallows(text: string): boolean {
  return blocksOf(`${text}\n# after\n`).at(-1)?.title !== 'after'
}
