import { useMemo } from 'react'
import { cn } from '../../ui/cn.ts'
import { counted } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import type { Row } from '../descriptions/ledger-rows.ts'
import { type ShownLine, shownLines } from '../descriptions/shown-lines.ts'

/** Lines that are drawn at most. */
const MOST = 4_000

/** A file of which the cut part is grey. */
export function FileText({ row: { content, shown = '', name } }: { readonly row: Row }) {
  const lines = useMemo(() => (content === undefined ? wholeOf(shown) : shownLines(content, shown)), [content, shown])
  const groups = useMemo(() => groupsOf(lines.slice(0, MOST)), [lines])
  return (
    <section
      aria-label={`Text of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
      tabIndex={0}
      className="max-h-120 overflow-auto py-2 font-mono text-xs leading-5"
    >
      {groups.map(({ key, isCut, lines }) => (
        <div
          key={key}
          className={cn(
            'border-l-2 pr-4 pl-4',
            isCut ? 'border-line-strong bg-raised/60 text-ink-3' : 'border-transparent',
          )}
        >
          {isCut && <p className="font-sans text-ink-3 select-none">cut: {counted(lines.length, 'line')}</p>}
          {lines.map(({ at, line }) => (
            <p key={at} className="min-h-5 whitespace-pre-wrap wrap-anywhere">
              <Line line={line} />
            </p>
          ))}
        </div>
      ))}
      {lines.length > MOST && (
        <p className="px-4 pt-2 font-sans text-ink-3">{counted(lines.length - MOST, 'more line')} are not drawn.</p>
      )}
    </section>
  )
}

function Line({ line: { text, rest, is } }: { readonly line: ShownLine }) {
  if (is === 'marker') return <span className="rounded-sm bg-mark px-1">{text}</span>
  return (
    <>
      <PlainText text={text} />
      {rest !== undefined && (
        <span className="bg-raised text-ink-3">
          <PlainText text={rest} />
        </span>
      )}
    </>
  )
}

function wholeOf(shown: string): ShownLine[] {
  return shown.split('\n').map((text) => ({ text, is: 'shown' }))
}

interface Group {
  readonly key: number
  readonly isCut: boolean
  readonly lines: { readonly at: number; readonly line: ShownLine }[]
}

/** Lines in a row that share their lot. */
function groupsOf(lines: readonly ShownLine[]): Group[] {
  const groups: Group[] = []
  for (const [at, line] of lines.entries()) {
    const isCut = line.is === 'cut'
    const last = groups.at(-1)
    if (last?.isCut === isCut) last.lines.push({ at, line })
    else groups.push({ key: at, isCut, lines: [{ at, line }] })
  }
  return groups
}
