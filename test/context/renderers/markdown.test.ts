import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdown } from '../../../src/context/renderers/renderers.ts'
import { fragment, left, selectionOf } from '../../core/fragments.ts'
import { framedAsMarkdown } from './framed.ts'

const render = markdown({ heading: 'Project Context' })

function sourced(title: string, source: string, text: string) {
  return fragment('a', text, { title, origin: { uri: 'file:///a', labels: { source } } })
}

describe('markdown', () => {
  it('is nothing for an empty selection', () => {
    expect(render(selectionOf([], [left('x')]))).toBe('')
  })

  it('is a heading, then a section for each fragment: title, source right after, the text as it is', () => {
    const kept = [
      sourced('Constitution', '.context/CONSTITUTION.md', '# Rules\n\n- Never.\n'),
      sourced('Current Tasks', '.context/TASKS.md', '- [ ] one'),
      sourced('Glossary', '.context/GLOSSARY.md', ''),
    ]
    expect(render(selectionOf(kept))).toBe(`# Project Context

## Constitution
Source: .context/CONSTITUTION.md

# Rules

- Never.

## Current Tasks
Source: .context/TASKS.md

- [ ] one

## Glossary
Source: .context/GLOSSARY.md
`)
  })

  it('names the uri where no source is labelled', () => {
    expect(render(selectionOf([fragment('a', 'x')]))).toBe('# Project Context\n\n## a\nSource: file:///a\n\nx\n')
  })

  it.each([
    ['x', 'x\n'],
    ['x\n', 'x\n'],
    ['x\n\n', 'x\n\n'],
    ['x\r\n', 'x\r\n'],
    ['x\r', 'x\r'],
    ['\n', '\n'],
    ['\ufeff# x\r\ny', '\ufeff# x\r\ny\n'],
    ['```\nopen', '```\nopen\n'],
    ['a\0b\x1b[31m', 'a\0b\x1b[31m\n'],
  ])('prints %j as it is, and ends it with a line end', (text, printed) => {
    expect(render(selectionOf([sourced('a', 'a.md', text)]))).toBe(
      `# Project Context\n\n## a\nSource: a.md\n\n${printed}`,
    )
  })

  it.each([
    ['two\nlines.md', 'two\\nlines.md'],
    ['cr\rlf\r\n.md', 'cr\\rlf\\r\\n.md'],
    ['tab\t.md', 'tab\\t.md'],
    ['tick`s.md', 'tick`s.md'],
    ['\x1b[2Jclear.md', '\\u{1b}[2Jclear.md'],
    ['right\u202eleft.md', 'right\\u{202e}left.md'],
    ['line\u2028line\u0085.md', 'line\\u{2028}line\\u{85}.md'],
    ['## heading.md', '## heading.md'],
  ])('keeps the odd name %j on one line, as a title and as a source', (name, printed) => {
    const text = render(selectionOf([sourced(name, name, 'x')]))
    expect(text).toBe(`# Project Context\n\n## ${printed}\nSource: ${printed}\n\nx\n`)
  })

  it('keeps each name and source on its line, and each text whole: 10,000 generated ones', () => {
    fc.assert(framedAsMarkdown, { numRuns: 10_000 })
  })
})
