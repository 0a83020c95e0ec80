import { describe, expect, it } from 'vitest'
import { firstHeading } from '../../../src/ingest/extract/text.ts'

describe('the first heading', () => {
  it.each([
    ['an H1', '# One\n\n# Two\n', 'One'],
    ['an H2', 'Text.\n\n## Two\n\n# One\n', 'Two'],
    ['closing marks', '# One ##\n', 'One'],
    ['marks that close nothing', '# C#\n', 'C#'],
    ['a heading after a paragraph', 'Text\n# One', 'One'],
    ['a tab', '#\tOne', 'One'],
    ['CRLF', 'Text\r\n# One\r\nText', 'One'],
    ['lone CR', 'Text\r# One\rText', 'One'],
    ['an underline', 'One\n===\n\n# Two\n', 'One'],
    ['an underline of dashes', 'One\n---\n\n# Two\n', 'One'],
    ['an underline over two lines', 'One\nmore\n===\n', 'One more'],
    ['a rule, which underlines nothing', '---\n\n# One\n', 'One'],
    ['an indented heading', '   # One\n\n# Two', 'One'],
    ['indented code', '    # Code\n\n# One', 'One'],
    ['an indented heading in a list', '- a\n\n  # In the list\n\n# One\n', 'One'],
    ['a heading in a quote', '> # Quoted\n\n# One\n', 'One'],
    ['a fence', '```sh\n# comment\n```\n# One\n', 'One'],
    ['a fence of tildes', '~~~\n# comment\n~~~\n# One\n', 'One'],
    ['a fence in a list', '- a\n  ```\n# One\n', 'One'],
    ['a comment', '<!--\n# Hidden\n-->\n# One\n', 'One'],
    ['an element', '<div>\n# Hidden\n</div>\n\n# One\n', 'One'],
    ['an empty heading', '#\n\n# One\n', 'One'],
    ['a heading of marks', '# ##\n\n# One\n', 'One'],
    ['no heading, but a tag', '#One\n\n# Two\n', 'Two'],
    ['seven marks', '####### Seven\n\n# One\n', 'One'],
    ['emphasis and code', '# The **`run`** command', 'The run command'],
    ['a link', '# The [guide](https://example.org/a "b")', 'The guide'],
    ['a badge', '# Ambit [![state](https://example.org/x.svg)](https://example.org)', 'Ambit'],
    ['only a badge', '# ![state](https://example.org/x.svg)\n\n## One', 'One'],
    ['a snake', '# The snake_case_name', 'The snake_case_name'],
    ['the head of a table, which is none', '# a | b\n---|---\n\n# One', 'One'],
    ['U+2028, which ends no line', 'a\u2028# Text\n\n# One', 'One'],
  ])('is found with %s', (_, text, title) => {
    expect(firstHeading(text)).toBe(title)
  })

  it.each([
    ['nothing', ''],
    ['text', 'Some text.\n'],
    ['only a comment', '<!-- # Hidden -->\n'],
    ['an unclosed fence', '```\n# comment\n'],
    ['an unclosed comment', '<!--\n# Hidden\n'],
    ['only a rule', 'Text\n\n---\n\nText'],
    ['more than 64 KiB before it', `${'Text.\n'.repeat(11_000)}\n# Too late\n`],
  ])('is missing with %s', (_, text) => {
    expect(firstHeading(text)).toBeUndefined()
  })
})
