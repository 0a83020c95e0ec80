import { describe, expect, it } from 'vitest'
import { fencedSections } from '../../../src/context/renderers/renderers.ts'
import { fc, forAll } from '../../support/property.ts'

const render = fencedSections({ heading: ['filename', 'update'] })
const fragment = (text: string, labels: Record<string, string> = { filename: '/a.md' }) => {
  return { origin: { uri: 'u', labels }, kind: 'context', title: 't', text }
}

describe('fenced Markdown', () => {
  it('is a heading, and the text in a fence', () => {
    const kept = [fragment('a\n'), fragment('b', { filename: '/b\n# x', update: 'new' })]
    expect(render({ kept, left: [], warnings: [] })).toBe(
      '## /a.md\n\n```markdown\na\n```\n## /b\\n# x – new\n\n```markdown\nb\n```\n',
    )
  })

  it('lets no text close its fence', () =>
    forAll(fc.array(fc.constantFrom('`', '``', '```', '````', '\n', 'x', '~~~')), (parts) => {
      const text = parts.join('')
      const lines = render({ kept: [fragment(text)], left: [], warnings: [] }).split('\n')
      const opening = /^`+/.exec(lines[2] ?? '')?.[0] ?? ''
      const closing = lines.slice(3).findIndex((line) => new RegExp(`^ {0,3}${opening}\`*\\s*$`).test(line))
      expect(closing).toBe(lines.length - 5)
    }))
})
