import { describe, expect, it } from 'vitest'
import { open, project } from '../../../support/workspace.ts'
import { elementsOf } from '../../renderers/xml-scanner.ts'

/** The files of a text, as an XML parser reads them; the frame's two newlines taken off. */
function parsed(text: string): { filename: string; content: string }[] {
  return elementsOf(text).map(({ name, attributes, text: content }) => {
    expect([name, attributes.length, attributes[0]?.[0]]).toEqual(['context', 1, 'filename'])
    expect(content.startsWith('\n') && content.endsWith('\n')).toBe(true)
    return { filename: attributes[0]?.[1] ?? '', content: content.slice(1, -1) }
  })
}

async function shown(shape: Record<string, string | Uint8Array>, touched: readonly string[] = []) {
  using planted = project(shape)
  const workspace = await open(planted, { touched, options: { filenames: 'relative' } })
  return { elements: parsed((await workspace.prompt()).text), contexts: await workspace.relevantContexts() }
}

describe('no file leaves its frame', () => {
  it.each([
    ['a quote', 'a"b'],
    ['a line end', 'a\nb'],
    ['an apostrophe', "a'b"],
    ['a hash and a question mark', 'a#b?c'],
    ['an accent in two ways', 'é e\u0301'],
  ])('by a directory whose name has %s, and the name is read back', async (_, name) => {
    const { elements, contexts } = await shown({ [`${name}/AGENTS.md`]: 'x' }, [`${name}/y`])
    expect(elements).toEqual([{ filename: `${name}/AGENTS.md`, content: 'x' }])
    expect(contexts[0]?.path.endsWith(`/${name}/AGENTS.md`)).toBe(true)
  })

  it('by control characters, which become U+FFFD', async () => {
    const { elements, contexts } = await shown({ 'AGENTS.md': 'a\u0001b\u001b[2Jc\ufffed' })
    expect(elements[0]?.content).toBe('a\ufffdb\ufffd[2Jc\ufffdd')
    expect(contexts[0]?.content).toBe('a\u0001b\u001b[2Jc\ufffed')
  })
})
