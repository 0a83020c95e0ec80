import { useRouterState } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Place } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { numberOf } from '../../ui/format.ts'
import { findId, TEXT } from '../../ui/markdown/ids.ts'
import { Rendered } from '../../ui/markdown/Rendered.tsx'
import { readMarkdown } from '../../ui/markdown/tree.ts'
import { type Lines, linesOf, withoutFrontMatter } from '../../ui/text-places.ts'
import { useMath } from '../../ui/useMath.ts'
import { useLinkRenderers } from './links.tsx'

/** Number of characters that are rendered at first, and then at each step. */
const FIRST = 6_000
const PART = 60_000

interface MarkdownProps {
  readonly text: string
  /** The place of the text, to which links and images are relative. */
  readonly place: Place
  /** Lines whose blocks are marked and scrolled to: `10` or `10-20`. */
  readonly lines?: string | undefined
}

/** Markdown as elements. HTML in it is sanitised by GitHub's list, and no image of another site is loaded. */
export function Markdown({ text, place, lines }: MarkdownProps) {
  const [parts, setParts] = useState(1)
  const { front, body } = useMemo(() => withoutFrontMatter(text), [text])
  const drawn = useDeferredValue(parts * PART, FIRST)
  const isDrawn = drawn === parts * PART
  const end = endOf(body, drawn)
  const shown = useMemo(() => partOf(body, end), [body, end])
  const math = useMath(shown)
  const marked = useMemo(() => bodyLines(text, body, lines), [text, body, lines])
  const read = useCallback(
    () => readMarkdown(shown, { prefix: TEXT, math, marked, hasWikiLinks: true }),
    [shown, math, marked],
  )
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const ref = useRef<HTMLDivElement>(null)
  const isWhole = end >= body.length
  // Scrolls after rendering, because the heading or the lines in the URL may be in a part that is not shown yet.
  useEffect(() => {
    if (marked) {
      const hit = ref.current?.querySelector('[data-hit]')
      if (hit) hit.scrollIntoView({ block: 'center' })
      else if (isDrawn && !isWhole) setParts(Number.POSITIVE_INFINITY)
      return
    }
    if (hash === '') return
    const marks = [...(ref.current?.querySelectorAll('[id]') ?? [])]
    const id = findId(
      marks.map((mark) => mark.id),
      hash,
    )
    if (id !== undefined) marks.find((mark) => mark.id === id)?.scrollIntoView()
    else if (isDrawn && !isWhole) setParts(Number.POSITIVE_INFINITY)
  }, [marked, hash, isDrawn, isWhole])
  const linkRenderers = useLinkRenderers(place)
  return (
    <div className="prose px-4 py-4" ref={ref}>
      {front !== '' && (
        <details className="mb-4 rounded-md border border-line">
          <summary className="px-3 py-1.5 text-xs text-ink-3">Front matter</summary>
          <CodeBlock text={front} language="yaml" isBare />
        </details>
      )}
      <Rendered read={read} {...linkRenderers} text={shown} />
      {isDrawn && !isWhole && (
        <Button size="md" onClick={() => setParts(parts + 1)}>
          Show more ({numberOf(body.length - end)} characters)
        </Button>
      )}
    </div>
  )
}

/** Converts lines of the file to lines of its text after the front matter. */
function bodyLines(text: string, body: string, lines: string | undefined): Lines | undefined {
  const range = linesOf(lines)
  if (!range) return undefined
  const before = text.slice(0, text.length - body.length).split('\n').length - 1
  return { from: range.from - before, to: range.to - before }
}

/** Matches definitions of links and footnotes. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[^\n]*/gm

/** The text up to `end`, then the definitions of the text after `end`. */
function partOf(text: string, end: number): string {
  if (end >= text.length) return text
  return `${text.slice(0, end)}\n\n${text.slice(end).match(DEFINITION)?.join('\n') ?? ''}`
}

/** Where to cut a text: at the last end of a paragraph before `most`, if that is past the half; else at `most`. */
function endOf(text: string, most: number): number {
  if (text.length <= most) return text.length
  const paragraph = text.lastIndexOf('\n\n', most)
  return paragraph > most / 2 ? paragraph : most
}
