import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { numberOf } from '../../../ui/format.ts'
import { PlainText } from '../../../ui/PlainText.tsx'
import { Scroll } from '../../../ui/Scroll.tsx'
import type { Piece } from './highlight.ts'

/** Characters up to which code is coloured: it takes some milliseconds for each ten thousand. */
const COLOURED = 200_000

/** Characters of a line that are shown. */
const LONGEST = 20_000

/** Height of a line, in pixels. */
const LINE = 20

interface CodeProps {
  readonly text: string
  readonly language: string
  /** Marked, and brought into sight: `10` or `10-20`. */
  readonly lines?: string | undefined
}

/** Code with the numbers of its lines. Of a long one only those that are seen are in the page. */
export function Code({ text, language, lines }: CodeProps) {
  const plain = useMemo(() => text.replace(/\n$/, '').split(/\r?\n/), [text])
  const coloured = useColours(text, language)
  const { from, to } = rangeOf(lines)
  const ref = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: plain.length,
    getScrollElement: () => ref.current?.closest<HTMLElement>('.overflow-auto, .overflow-y-auto') ?? null,
    estimateSize: () => LINE,
    overscan: 30,
    initialRect: { width: 800, height: 800 },
  })
  useEffect(() => {
    if (from > 0) rows.scrollToIndex(from - 1, { align: 'center' })
  }, [from, rows])
  const digits = String(plain.length).length
  return (
    <Scroll ref={ref} label="Code" className="code min-w-0 overflow-x-auto py-2 font-mono text-xs">
      <div className="relative w-max min-w-full" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            className={cn(
              'absolute left-0 flex h-5 min-w-full leading-5 whitespace-pre',
              index + 1 >= from && index + 1 <= to && 'bg-mark',
            )}
            style={{ top: start }}
          >
            <span
              aria-hidden
              className="sticky left-0 shrink-0 bg-canvas pr-4 pl-4 text-right text-ink-3 select-none"
              style={{ width: `calc(${digits}ch + 32px)` }}
            >
              {index + 1}
            </span>
            <Line text={plain[index] ?? ''} pieces={coloured?.[index]} />
          </div>
        ))}
      </div>
    </Scroll>
  )
}

function rangeOf(lines = ''): { readonly from: number; readonly to: number } {
  const [from = 0, to = from] = lines.split('-').flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : []))
  return { from, to }
}

/** The colours come a moment later, from a part of the program that is loaded only then. */
export function useColours(text: string, language: string): Piece[][] | undefined {
  const [coloured, setColoured] = useState<{ readonly text: string; readonly lines: Piece[][] | undefined }>()
  useEffect(() => {
    if (text.length > COLOURED) return
    let isCurrent = true
    import('./highlight.ts').then(({ highlighted }) => {
      if (isCurrent) setColoured({ text, lines: highlighted(text.replaceAll('\r\n', '\n'), language) })
    })
    return () => {
      isCurrent = false
    }
  }, [text, language])
  return coloured?.text === text ? coloured.lines : undefined
}

interface LineProps {
  readonly text: string
  readonly pieces: readonly Piece[] | undefined
}

/** A line of code. Characters that are not seen and could deceive are written out. */
export function Line({ text, pieces }: LineProps) {
  if (text.length > LONGEST) {
    return (
      <span className="pr-4">
        <PlainText text={text.slice(0, LONGEST)} />
        <span className="text-ink-3"> … {numberOf(text.length - LONGEST)} characters more</span>
      </span>
    )
  }
  if (!pieces) {
    return (
      <span className="pr-4">
        <PlainText text={text} />
      </span>
    )
  }
  return (
    <span className="pr-4">
      {pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other.
        <span key={at} className={piece.className}>
          <PlainText text={piece.text} />
        </span>
      ))}
    </span>
  )
}
