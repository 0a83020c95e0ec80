import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { CodeLine, useColours } from '../../ui/CodeLine.tsx'
import { cn } from '../../ui/cn.ts'
import { Scroll } from '../../ui/Scroll.tsx'
import { linesOf } from '../../ui/text-places.ts'

/** Height of a line, in pixels. */
const LINE = 20

interface CodeProps {
  readonly text: string
  readonly language: string
  /** Lines to mark and scroll to: `10` or `10-20`. */
  readonly lines?: string | undefined
}

/** Code with line numbers. Only visible lines of long code are in the page. */
export function Code({ text, language, lines }: CodeProps) {
  const plainLines = useMemo(() => text.replace(/\n$/, '').split(/\r?\n/), [text])
  const coloured = useColours(text, language)
  const { from, to } = linesOf(lines) ?? { from: 0, to: 0 }
  const ref = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: plainLines.length,
    getScrollElement: () => ref.current?.closest<HTMLElement>('.overflow-auto, .overflow-y-auto') ?? null,
    estimateSize: () => LINE,
    overscan: 12,
    initialRect: { width: 800, height: 800 },
  })
  useEffect(() => {
    if (from > 0) rows.scrollToIndex(from - 1, { align: 'center' })
  }, [from, rows])
  const digits = String(plainLines.length).length
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
            <CodeLine text={plainLines[index] ?? ''} pieces={coloured?.[index]} />
          </div>
        ))}
      </div>
    </Scroll>
  )
}
