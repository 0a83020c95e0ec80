import { describe, expect, it } from 'vitest'
import { unsentOnly } from '../../../src/context/passes/unsent.ts'
import type { Fragment, Selection } from '../../../src/core/flow.ts'
import { digestFiles } from '../../../src/files/file-version.ts'

const fragment = (uri: string, text: string): Fragment => ({ origin: { uri }, kind: 'context', title: uri, text })
const of = (...kept: readonly Fragment[]): Selection => ({ kept, left: [], warnings: [] })
const A = fragment('file:///a', 'one')
const B = fragment('file:///b', 'two')

async function pass(known: readonly string[], selection: Selection) {
  const unsent = unsentOnly(known, digestFiles)
  const after = await unsent.pass(selection, {} as never)
  return { after, sent: unsent.sentIn(after), unsent }
}

describe('what a reader has', () => {
  it('is left, and what is new stays', async () => {
    const first = await pass([], of(A))
    expect(first.sent.map(({ uri }) => uri)).toEqual(['file:///a'])
    const digests = first.sent.map(({ digest }) => digest)
    const second = await pass(digests, of(A, B))
    expect(second.after.kept).toEqual([B])
    expect(second.after.left).toEqual([
      { origin: A.origin, title: A.title, why: 'irrelevant', detail: 'The reader already has it.' },
    ])
    expect(second.sent).toHaveLength(1)
  })

  it.each([
    ['another text', fragment('file:///a', 'ONE')],
    ['another place with the same text', fragment('file:///c', 'one')],
  ])('is not %s', async (_, changed) => {
    const { sent } = await pass([], of(A))
    const { after } = await pass(
      sent.map(({ digest }) => digest),
      of(changed),
    )
    expect(after.kept).toEqual([changed])
  })

  it('is told by the text before a cut, unless only its outline was given', async () => {
    const { unsent, sent } = await pass([], of(A, B))
    const cut = (to: 'part' | 'outline', text: string) => ({ ...A, text, cut: { to, why: 'over-budget' as const } })
    expect(unsent.sentIn(of(cut('part', 'o')))).toEqual([sent[0]])
    expect(unsent.sentIn(of(cut('outline', '')))).toEqual([])
  })
})
