import { describe, expect, it } from 'vitest'
import { type SessionEntry, sessionAfter } from '../../src/context/reach/session-log.ts'
import { compareTexts, filterUnsent } from '../../src/context/session.ts'
import type { Fragment, Selection } from '../../src/core/flow.ts'
import { fc, forAll } from '../support/property.ts'

const begin = (cwd = '/r', implied?: true): SessionEntry => {
  return { type: 'begin', cwd, via: 'claude', at: 1, ...(implied && { implied }) }
}
const has = (uri: string, digest: string, from = 'p'): SessionEntry => {
  return { type: 'has', uri, digest, from, parts: [], name: uri, by: [] }
}
const item = (uri: string, digest: string) => ({ uri, digest, parts: [], name: uri, by: [] })

describe('a session', () => {
  it('holds what was sent since it began', () => {
    const last = has('b', '1')
    const { held, began, effective } = sessionAfter([has('z', '0'), begin('/a'), has('a', '1'), begin('/b'), last])
    expect([[...held.keys()], [...effective]]).toEqual([['b'], [last]])
    expect(began?.cwd).toBe('/b')
  })

  it('does not begin anew where it is only implied that it begins', () => {
    const { held, began } = sessionAfter([begin('/a'), has('a', '1'), begin('/b', true)])
    expect([...held.keys()]).toEqual(['a'])
    expect(began?.cwd).toBe('/a')
  })

  it('has not begun when what is seen was cut, until something begins it', () => {
    const cut: SessionEntry[] = [begin('/a'), has('a', '1'), { type: 'end' }]
    expect(sessionAfter(cut).began).toBeUndefined()
    expect(sessionAfter([...cut, begin('/a', true)]).held.size).toBe(0)
  })

  it('loses what is gone', () => {
    expect(sessionAfter([begin(), has('a', '1'), { type: 'gone', uri: 'a', from: 'p' }]).held.size).toBe(0)
  })

  it('lets the first of two processes tell', () => {
    const entries = [begin(), has('a', '1', 'p'), has('a', '1', 'q'), has('b', '1', 'q'), has('b', '2', 'p')]
    expect([...sessionAfter(entries).effective]).toEqual([entries[1], entries[3], entries[4]])
  })
})

describe('what is new', () => {
  it('is what the reader lacks, and what changed; not a text that it has by another name', () => {
    const state = sessionAfter([begin(), has('a', '1'), has('b', '2')])
    const items = [item('a', '1'), item('b', '9'), item('c', '1'), item('d', '4'), item('e', '4')]
    const { added, changed } = compareTexts(items, state)
    expect(added.map(({ uri }) => uri)).toEqual(['d'])
    expect(changed.map((one) => [one.item.uri, one.before.digest])).toEqual([['b', '2']])
  })

  const uri = fc.constantFrom('a', 'b', 'c', 'd')
  const digest = fc.constantFrom('1', '2', '3')
  const entry = fc.oneof(
    fc.tuple(uri, digest, fc.constantFrom('p', 'q')).map(([u, d, f]) => has(u, d, f)),
    uri.map((u): SessionEntry => ({ type: 'gone', uri: u, from: 'p' })),
    fc.constant(begin()),
    fc.constant(begin('/r', true)),
    fc.constant<SessionEntry>({ type: 'end' }),
  )

  it('is nothing once it was told, whatever came before', () =>
    forAll(
      fc.array(entry, { maxLength: 20 }),
      fc.uniqueArray(fc.tuple(uri, digest), { selector: ([u]) => u }),
      (before, now) => {
        const items = now.map(([u, d]) => item(u, d))
        const entries = [begin('/r', true), ...before, begin('/r', true)]
        const { added, changed } = compareTexts(items, sessionAfter(entries))
        const told = [...added, ...changed.map((one) => one.item)].map(({ uri: u, digest: d }) => has(u, d, 'me'))
        const again = compareTexts(items, sessionAfter([...entries, ...told]))
        expect([...again.added, ...again.changed]).toEqual([])
      },
    ))

  it('is told by exactly one of two processes that look at once', () =>
    forAll(fc.array(entry, { maxLength: 12 }), fc.array(fc.tuple(uri, digest), { maxLength: 4 }), (before, now) => {
      const entries = [...before, begin('/r', true)]
      const claims = (from: string) => now.map(([u, d]) => has(u, d, from))
      const { effective } = sessionAfter([...entries, ...claims('one'), ...claims('two')])
      const [one, two] = ['one', 'two'].map((from) =>
        [...effective].filter((each) => 'from' in each && each.from === from),
      )
      const alone = [...sessionAfter([...entries, ...claims('one')]).effective].filter(
        (each) => 'from' in each && each.from === 'one',
      )
      expect(one).toEqual(alone)
      // The second changes back what it finds changed, and nothing that is as it wants it.
      if (new Set(now.map(([u]) => u)).size === now.length) expect(two).toEqual([])
    }))
})

const fragment = (uri: string, text: string): Fragment => ({ origin: { uri }, kind: 'context', title: uri, text })
const selectionOf = (...kept: readonly Fragment[]): Selection => ({ kept, left: [], warnings: [] })
const A = fragment('file:///a', 'one')
const B = fragment('file:///b', 'two')

async function pass(known: readonly string[], selection: Selection) {
  const unsent = filterUnsent(known)
  const after = await unsent.pass(selection, {} as never)
  return { after, sent: unsent.listSent(after), unsent }
}

describe('a request that names what the reader has', () => {
  it('is left, and what is new stays', async () => {
    const first = await pass([], selectionOf(A))
    expect(first.sent.map(({ uri }) => uri)).toEqual(['file:///a'])
    const digests = first.sent.map(({ digest }) => digest)
    const second = await pass(digests, selectionOf(A, B))
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
    const { sent } = await pass([], selectionOf(A))
    const { after } = await pass(
      sent.map(({ digest }) => digest),
      selectionOf(changed),
    )
    expect(after.kept).toEqual([changed])
  })

  it('is told by the text before a cut, unless only its outline was given', async () => {
    const { unsent, sent } = await pass([], selectionOf(A, B))
    const cut = (to: 'part' | 'outline', text: string) => ({ ...A, text, cut: { to, why: 'over-budget' as const } })
    expect(unsent.listSent(selectionOf(cut('part', 'o')))).toEqual([sent[0]])
    expect(unsent.listSent(selectionOf(cut('outline', '')))).toEqual([])
  })
})
