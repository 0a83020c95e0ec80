import { useMemo } from 'react'
import { CodeBlock } from '../CodeBlock.tsx'
import { legible } from '../controls.ts'
import { counted } from '../format.ts'
import { Scroll } from '../Scroll.tsx'
import type { Drawn } from './drawn.ts'
import { FlowDrawing } from './FlowDrawing.tsx'
import { statementsOf } from './lines.ts'
import { type Measure, placeFlow } from './place-flow.ts'
import { placeSequence } from './place-sequence.ts'
import { readFlow } from './read-flow.ts'
import { readSequence } from './read-sequence.ts'
import { readStates } from './read-states.ts'
import { SequenceDrawing } from './SequenceDrawing.tsx'

/**
 * A diagram of Mermaid as elements of SVG, which need no style and no script. What is not wholly understood is shown as text: a
 * drawing that leaves something out would be wrong.
 */
export function Diagram({ text }: { readonly text: string }) {
  const drawing = useMemo(() => drawingOf(legible(text)), [text])
  if (!drawing) {
    return (
      <>
        <p className="mb-1! text-xs text-ink-3">Mermaid diagram, shown as text</p>
        <CodeBlock text={text} language="mermaid" />
      </>
    )
  }
  return (
    <figure className="mb-3 rounded-md border border-line">
      <Scroll role="group" label="Diagram" className="overflow-x-auto p-2">
        {drawing}
      </Scroll>
      <details className="border-t border-line px-2 py-1">
        <summary className="text-xs text-ink-3">Source</summary>
        <CodeBlock text={text} language="mermaid" isBare />
      </details>
    </figure>
  )
}

/** The diagram of these lines; undefined for what is not understood. */
export function readDiagram(text: string): Drawn | undefined {
  const statements = statementsOf(text)
  return statements && (readFlow(statements) ?? readStates(statements) ?? readSequence(statements))
}

function drawingOf(text: string) {
  const drawn = readDiagram(text)
  if (!drawn) return undefined
  const measure = measureText()
  if (drawn.kind === 'sequence') {
    const { people, steps } = drawn
    const messages = steps.filter(({ type }) => type === 'message').length
    const label = `Sequence diagram: ${people.map((each) => each.label).join(', ')}; ${counted(messages, 'message')}`
    return <SequenceDrawing placed={placeSequence(drawn, measure)} label={label} />
  }
  const placed = placeFlow(drawn, measure)
  const names = drawn.nodes.flatMap(({ label }) => label || []).join(', ')
  return placed && <FlowDrawing placed={placed} label={`Diagram: ${names}; ${counted(drawn.edges.length, 'line')}`} />
}

/** As the browser writes 13 px of the font of the page. */
function measureText(): Measure {
  const pen = document.createElement('canvas').getContext('2d')
  if (pen) pen.font = `13px ${getComputedStyle(document.body).fontFamily}`
  return (line) => pen?.measureText(line).width ?? line.length * 8
}
