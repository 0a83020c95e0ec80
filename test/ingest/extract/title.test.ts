import { describe, expect, it } from 'vitest'
import { firstHeading } from '../../../src/ingest/extract/text.ts'

describe('the first heading', () => {
  it.each([
    ['an H2', 'Text.\n\n## Two\n\n# One\n', 'Two'],
    ['lone CR', 'Text\r# One\rText', 'One'],
    ['an underline over two lines', 'One\nmore\n===\n', 'One more'],
    ['an indented heading in a list', '- a\n\n  # In the list\n\n# One\n', 'One'],
    ['a heading in a quote', '> # Quoted\n\n# One\n', 'One'],
    ['an empty heading', '#\n\n# One\n', 'One'],
    ['a heading of marks', '# ##\n\n# One\n', 'One'],
    ['a badge', '# Ambit [![state](https://example.org/x.svg)](https://example.org)', 'Ambit'],
    ['only a badge', '# ![state](https://example.org/x.svg)\n\n## One', 'One'],
    ['U+2028, which ends no line', 'a\u2028# Text\n\n# One', 'One'],
  ])('is found with %s', (_, text, title) => {
    expect(firstHeading(text)).toBe(title)
  })

  it.each([
    ['nothing', ''],
    ['text', 'Some text.\n'],
    ['only a rule', 'Text\n\n---\n\nText'],
    ['more than 64 KiB before it', `${'Text.\n'.repeat(11_000)}\n# Too late\n`],
  ])('is missing with %s', (_, text) => {
    expect(firstHeading(text)).toBeUndefined()
  })
})
