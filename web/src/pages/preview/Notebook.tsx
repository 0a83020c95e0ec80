import { type ReactNode, useCallback, useRef, useState } from 'react'
import type { Place } from '../../api/place.ts'
import { TextButton } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { countOf, numberOf } from '../../ui/format.ts'
import { useIsNear } from '../../ui/hooks.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { Rendered } from '../../ui/markdown/Rendered.tsx'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { Skeleton } from '../../ui/State.tsx'
import { DataTree, useTree } from './DataTree.tsx'
import { type NotebookCell, type NotebookOutput, readNotebook } from './data/notebook.ts'
import { useLinkRenderers } from './links.tsx'
import { Markdown } from './Markdown.tsx'

/** A Jupyter notebook: its cells with their outputs. A file that is not a notebook is shown as JSON. */
export function Notebook({ text, place }: { readonly text: string; readonly place: Place }) {
  const parsed = useTree(text, 'json')
  if (!parsed) return <Skeleton rows={10} />
  const notebook = readNotebook(parsed.value)
  if (!notebook) return <DataTree text={text} place={place} language="json" />
  const { cells, language, left } = notebook
  return (
    <div className="stack gap-3 p-4" data-notebook>
      <p className="text-xs text-ink-3">
        {countOf(cells.length + left, 'cell')}
        {language !== '' && <PlainText as="span" text={` · ${language}`} />}
        {left > 0 && `, of which the first ${numberOf(cells.length)} are shown`}
      </p>
      {cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other key.
        <LazyCell key={at} lines={estimatedLines(cell)} isFirst={at < FIRST}>
          <Cell cell={cell} place={place} language={language} />
        </LazyCell>
      ))}
    </div>
  )
}

/** Number of cells that are rendered at once. The others wait until they are near the visible area. */
const FIRST = 8

/** Height of a line in pixels, to estimate the height of a cell that is not rendered yet. */
const LINE = 18

function estimatedLines({ source, outputs }: NotebookCell): number {
  return source.split('\n').length + 2 + outputs.length * 6
}

interface LazyCellProps {
  readonly lines: number
  readonly isFirst: boolean
  readonly children: ReactNode
}

/** A cell that is rendered when it is near the visible area. */
function LazyCell({ lines, isFirst, children }: LazyCellProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(ref, isFirst)
  return isNear ? children : <div ref={ref} data-unseen style={{ height: lines * LINE }} />
}

interface CellProps {
  readonly cell: NotebookCell
  readonly place: Place
  readonly language: string
}

function Cell({ cell: { type, source, count, outputs }, place, language }: CellProps) {
  if (type === 'markdown') {
    return (
      <section aria-label="Text" className="-mx-4 -my-2 min-w-0">
        <Markdown text={source} place={place} />
      </section>
    )
  }
  return (
    <section aria-label={count === undefined ? 'Code' : `Code ${count}`} className="stack gap-1">
      {source !== '' && (
        <div className="prose max-w-none">
          <CodeBlock text={source} language={type === 'code' ? language : ''} />
        </div>
      )}
      {count !== undefined && <p className="font-mono text-xs text-ink-3">[{count}]</p>}
      {outputs.map((output, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no other key.
        <Output key={at} output={output} place={place} />
      ))}
    </section>
  )
}

const IMAGE = 'max-w-full justify-self-start rounded-sm bg-[white]'

function Output({ output, place }: { readonly output: NotebookOutput; readonly place: Place }) {
  switch (output.type) {
    case 'image':
      return <img src={output.url} alt="Output" loading="lazy" className={IMAGE} />
    case 'markdown':
      return (
        <div className="-mx-4 min-w-0">
          <Markdown text={output.text} place={place} />
        </div>
      )
    case 'json':
      return <JsonValue value={output.value} />
    case 'html':
      return <HtmlOutput output={output} place={place} />
    case 'error':
    case 'text':
      return <TextOutput text={output.text} isError={output.type === 'error'} />
    case 'left':
      return <p className="text-xs text-ink-3">{output.text}</p>
  }
}

/** Maximum characters of an output before the button that shows all. */
const MAX_CHARACTERS = 20_000

function TextOutput({ text, isError }: { readonly text: string; readonly isError: boolean }) {
  const [most, setMost] = useState(MAX_CHARACTERS)
  return (
    <>
      <Scroll
        role="group"
        label={isError ? 'Error' : 'Output'}
        className={`max-h-120 overflow-auto border-l-2 pl-3 ${isError ? 'border-bad' : 'border-line'}`}
      >
        <PlainText as="pre" className="font-mono text-xs leading-4.5" text={text.slice(0, most)} />
      </Scroll>
      {text.length > most && (
        <TextButton className="justify-self-start text-xs" onClick={() => setMost(most * 10)}>
          {numberOf(text.length - most)} more characters
        </TextButton>
      )}
    </>
  )
}

interface HtmlOutputProps {
  readonly output: Extract<NotebookOutput, { readonly type: 'html' }>
  readonly place: Place
}

/** HTML of a notebook: its words, lists, tables and images, without its styles and scripts. */
export function HtmlOutput({ output: { tree, isWhole }, place }: HtmlOutputProps) {
  const read = useCallback(() => tree, [tree])
  const linkRenderers = useLinkRenderers(place)
  return (
    <div className="prose max-w-none text-sm" data-html>
      <Rendered read={read} {...linkRenderers} text="" />
      {!isWhole && <p className="text-xs text-ink-3">The rest of this output is not shown.</p>}
    </div>
  )
}
