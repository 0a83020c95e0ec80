import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Flow, Sequence } from '../../web/src/ui/diagram/drawn.ts'
import { statementsOf } from '../../web/src/ui/diagram/lines.ts'
import { placeFlow } from '../../web/src/ui/diagram/place-flow.ts'
import { placeSequence } from '../../web/src/ui/diagram/place-sequence.ts'
import { readFlow } from '../../web/src/ui/diagram/read-flow.ts'
import { readSequence } from '../../web/src/ui/diagram/read-sequence.ts'
import { readStates } from '../../web/src/ui/diagram/read-states.ts'

const measure = (line: string) => line.length * 7

const flow = (text: string) => readFlow(statementsOf(text) ?? [])
const states = (text: string) => readStates(statementsOf(text) ?? [])
const talk = (text: string) => readSequence(statementsOf(text) ?? [])

/** The lines of a diagram, as words. */
const lines = (found: Flow | undefined) =>
  found?.edges.map(({ from, to, label, look, start, end }) =>
    [from, { none: '', arrow: '<', cross: 'x', dot: 'o' }[start], look, end, to, label].filter(Boolean).join(' '),
  )

/** The boxes of a diagram, as words. */
const boxes = (found: Flow | undefined) =>
  found?.nodes.map(
    ({ id, label, shape, group }) => `${id} ${shape} ${label}${group === undefined ? '' : ` in ${group}`}`,
  )

describe('a flowchart', () => {
  it.each<readonly [string, readonly string[]]>([
    ['A --> B', ['A solid arrow B']],
    ['A-->B', ['A solid arrow B']],
    ['A---B', ['A solid none B']],
    ['A-.->B', ['A dotted arrow B']],
    ['A ==> B', ['A thick arrow B']],
    ['A ----> B', ['A solid arrow B']],
    ['A --x B', ['A solid cross B']],
    ['A <--> B', ['A < solid arrow B']],
    ['A ~~~ B', ['A hidden none B']],
    ['A -->|yes, "it" is| B', ['A solid arrow B yes, "it" is']],
    ['A -- why not --> B', ['A solid arrow B why not']],
    ['A -. later .-> B', ['A dotted arrow B later']],
    ['A == now ==> B', ['A thick arrow B now']],
    ['A --> B --> C', ['A solid arrow B', 'B solid arrow C']],
    ['A & B --> C & D', ['A solid arrow C', 'A solid arrow D', 'B solid arrow C', 'B solid arrow D']],
    ['A[one] --> B(two)', ['A solid arrow B']],
    ['my-app --> other.app', ['my-app solid arrow other.app']],
    ['A:::red --> B', ['A solid arrow B']],
    ['A --> A', ['A solid arrow A']],
  ])('has the lines of %j', (text, expected) => {
    expect(lines(flow(`graph TD\n${text}`))).toEqual(expected)
    expect(lines(flow(`flowchart LR; ${text}`))).toEqual(expected)
  })

  it.each<readonly [string, readonly string[]]>([
    ['A', ['A box A']],
    ['A[one two]', ['A box one two']],
    ['A("round (and more)")', ['A round round (and more)']],
    ['A([stadium])', ['A stadium stadium']],
    ['A[(data)]', ['A cylinder data']],
    ['A((x))', ['A circle x']],
    ['A{is it?}', ['A diamond is it?']],
    ['A{{six}}', ['A hexagon six']],
    ['A["first<br/>second"]', ['A box first\nsecond']],
    ['A["<b>bold</b> #quot;and#quot; &amp; #35;"]', ['A box bold "and" & #']],
    ['A["<script>alert(1)</script>"]', ['A box <script>alert(1)</script>']],
    ['A --> B\nA[later]', ['A box later', 'B box B']],
    ['subgraph one [The first]\nA --> B\nend\nB --> C', ['A box A in one', 'B box B in one', 'C box C']],
    ['%% a comment\nA\nclassDef x fill:red\nclass A x\nclick A "javascript:alert(1)"', ['A box A']],
  ])('has the boxes of %j', (text, expected) => {
    expect(boxes(flow(`graph TD\n${text}`))).toEqual(expected)
  })

  it.each([
    '',
    'graph TD',
    'pie title Pets',
    'graph TD\nA[open',
    'graph TD\nA[one] --> ',
    'graph TD\nA@{ shape: circle }',
    'graph TD\nA e1@--> B',
    'graph TD\nA---oB',
    'graph TD\nsubgraph one\nA',
    'graph TD\nA\nend',
    'graph TD\nwhat is this',
    `graph TD\n${'A --> B\n'.repeat(400)}`,
    `graph TD\nA[${'x'.repeat(600)}]`,
  ])('is not %j, which is shown as text', (text) => {
    expect(flow(text)).toBeUndefined()
  })

  it('is read whatever stands before it', () => {
    const text = '---\ntitle: T\n---\n%%{init: {"theme": "dark"}}%%\ngraph RL\nA-->B'
    expect(flow(text)).toMatchObject({ isAcross: true, isBackwards: true, nodes: [{ id: 'A' }, { id: 'B' }] })
  })
})

describe('states', () => {
  it('have a beginning, an end, and states within states', () => {
    const text = `stateDiagram-v2
      [*] --> Still
      Still --> Moving : go
      state "On the way" as Moving {
        [*] --> Fast
      }
      state fork <<fork>>
      Moving --> [*]`
    const found = states(text)
    expect(boxes(found)).toEqual([
      'start of  start ',
      'Still round Still',
      'start of Moving start  in Moving',
      'Fast round Fast in Moving',
      'fork bar ',
      'end of  end ',
    ])
    expect(lines(found)).toEqual([
      'start of  solid arrow Still',
      'Still solid arrow Moving go',
      'start of Moving solid arrow Fast',
      'Moving solid arrow end of ',
    ])
    expect(found?.groups).toEqual([{ id: 'Moving', title: 'On the way' }])
  })

  it.each([
    'stateDiagram',
    'stateDiagram\nA --> B\nnote right of A : x',
    'stateDiagram\nA\n--\nB',
    'stateDiagram\nstate A {',
  ])('are not %j, which is shown as text', (text) => {
    expect(states(text)).toBeUndefined()
  })
})

describe('a sequence', () => {
  const said = (found: Sequence | undefined) =>
    found?.steps.map((step) =>
      step.type === 'message'
        ? `${step.from} ${step.isDotted ? '..' : '--'} ${step.end} ${step.to} ${step.text}`
        : step.type,
    )

  it.each<readonly [string, readonly string[]]>([
    ['A->>B: Hello', ['0 -- arrow 1 Hello']],
    ['A-->>B: Hello', ['0 .. arrow 1 Hello']],
    ['A->>+B: Hello\nB-->>-A: Well', ['0 -- arrow 1 Hello', '1 .. arrow 0 Well']],
    ['A-xB: lost', ['0 -- cross 1 lost']],
    ['participant A as Alice\nA->B: one: two', ['0 -- none 1 one: two']],
    ['autonumber\nA->>A: think', ['0 -- arrow 0 1. think']],
    ['loop each\nA->>B: x\nend\nNote over A,B: n', ['open', '0 -- arrow 1 x', 'close', 'note']],
    ['alt yes\nA->>B: x\nelse no\nA->>B: y\nend', ['open', '0 -- arrow 1 x', 'next', '0 -- arrow 1 y', 'close']],
  ])('has the steps of %j', (text, expected) => {
    expect(said(talk(`sequenceDiagram\n${text}`))).toEqual(expected)
  })

  it.each([
    'sequenceDiagram',
    'sequenceDiagram\nA->>B',
    'sequenceDiagram\nloop x\nA->>B: y',
    'sequenceDiagram\nbox a\nend',
    'sequenceDiagram\nA<<->>B: both',
  ])('is not %j, which is shown as text', (text) => {
    expect(talk(text)).toBeUndefined()
  })
})

describe('a drawing', () => {
  const name = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G')
  const edge = fc.record({ from: name, to: name, label: fc.constantFrom('', 'word', 'two words') })

  it('keeps boxes apart and within the sheet, whatever leads where', () => {
    const layout = fc.record({
      edges: fc.array(edge, { minLength: 1, maxLength: 14 }),
      way: fc.constantFrom('TB', 'LR', 'BT', 'RL'),
    })
    fc.assert(
      fc.property(layout, ({ edges, way }) => {
        const text = edges.map(({ from, to, label }) => `${from} -->${label && `|${label}|`} ${to}`).join('\n')
        const found = flow(`graph ${way}\n${text}`)
        const placed = found && placeFlow(found, measure)
        // What would be drawn under a box is not drawn.
        if (!placed) return
        for (const { x, y, width, height } of placed.nodes) {
          expect(Math.min(x - width / 2, y - height / 2)).toBeGreaterThan(-1)
          expect(x + width / 2).toBeLessThan(placed.width + 1)
          expect(y + height / 2).toBeLessThan(placed.height + 1)
        }
        for (const [at, one] of placed.nodes.entries()) {
          for (const other of placed.nodes.slice(at + 1)) {
            const isBeside = Math.abs(one.x - other.x) >= (one.width + other.width) / 2
            expect(isBeside || Math.abs(one.y - other.y) >= (one.height + other.height) / 2).toBe(true)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  it('has groups about what lies in them', () => {
    const found = flow('graph LR\nsubgraph out\nsubgraph in\nA --> B\nend\nC --> A\nend\nD --> C')
    const placed = found && placeFlow(found, measure)
    const box = (id: string) => [...(placed?.nodes ?? [])].find(({ node }) => node.id === id)
    const frame = (id: string) => placed?.groups.find(({ group }) => group.id === id)
    for (const [inner, outer] of [
      [box('A'), frame('in')],
      [box('B'), frame('in')],
      [box('C'), frame('out')],
      [frame('in'), frame('out')],
    ]) {
      if (!inner || !outer) throw new Error('It is not drawn.')
      expect(Math.abs(inner.x - outer.x)).toBeLessThanOrEqual((outer.width - inner.width) / 2)
      expect(Math.abs(inner.y - outer.y)).toBeLessThanOrEqual((outer.height - inner.height) / 2)
    }
  })

  it('has those who speak as far from each other as their words need', () => {
    const found = talk('sequenceDiagram\nA->>B: a sentence that is longer than any name\nB->>C: ok')
    const [a, b, c] = (found && placeSequence(found, measure).people) ?? []
    expect((b?.x ?? 0) - (a?.x ?? 0)).toBeGreaterThan(290)
    expect((c?.x ?? 0) - (b?.x ?? 0)).toBeLessThan(150)
  })
})
