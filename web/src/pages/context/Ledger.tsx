import { Check, ChevronRight, CircleX, Contrast, List, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo } from 'react'
import { cn } from '../../ui/cn.ts'
import { countOf, numberOf } from '../../ui/format.ts'
import { moveFocus } from '../../ui/hooks.ts'
import { KINDS } from '../../ui/kinds.ts'
import { Name, PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import type { Decision, Row } from '../descriptions/ledger-rows.ts'
import { type ShownLine, shownLines } from '../descriptions/shown-lines.ts'

interface LedgerProps {
  readonly rows: readonly Row[]
  readonly pointed: string | undefined
  readonly onPoint: (id: string | undefined) => void
  readonly opened: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}

const DECISIONS: Readonly<
  Record<Decision, { readonly name: string; readonly icon: LucideIcon; readonly look: string }>
> = {
  kept: { name: 'kept', icon: Check, look: 'text-good' },
  truncated: { name: 'cut', icon: Contrast, look: 'text-warn' },
  outline: { name: 'outline', icon: List, look: 'text-warn' },
  left: { name: 'left out', icon: CircleX, look: 'text-ink-3' },
}

const UNREADABLE = { name: 'cannot be read', icon: TriangleAlert, look: 'text-bad' } as const

const HEADS = [
  ['File', 'pl-4'],
  ['Tokens', 'px-2 text-right'],
  ['Why', 'pr-4 pl-2'],
] as const

/** The ledger (the decision on each file), the most important files first. Missing files are together at the end. */
export function Ledger({ rows, ...rest }: LedgerProps) {
  const present = rows.filter(({ isMissing }) => !isMissing)
  const absent = rows.filter(({ isMissing }) => isMissing)
  return (
    <>
      <table className="w-full border-separate border-spacing-0 text-sm" onKeyDown={moveInRows}>
        <caption className="sr-only">Decision for each file</caption>
        <thead className="max-md:sr-only">
          <tr className="text-left text-xs text-ink-3 [&_th]:h-7 [&_th]:border-b [&_th]:border-line [&_th]:font-medium">
            {HEADS.map(([name, look]) => (
              <th key={name} scope="col" className={look}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {present.map((row) => (
          <LedgerRow key={row.id} row={row} {...rest} />
        ))}
      </table>
      {absent.length > 0 && (
        <details className="px-4 py-2 text-xs text-ink-3">
          <summary>{countOf(absent.length, 'file')} looked for and not found</summary>
          <ul className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 font-mono">
            {absent.map(({ id, name }) => (
              <li key={id}>
                <Name text={name} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Arrow keys move from row to row. */
function moveInRows(event: KeyboardEvent<HTMLTableElement>): void {
  moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>('button[aria-expanded]:not(:disabled)')])
}

interface LedgerRowProps extends Omit<LedgerProps, 'rows'> {
  readonly row: Row
}

const CELL = 'border-b border-line align-top py-1.5'
const CHEVRON = 'mt-px size-4 shrink-0 text-ink-3 transition-transform'
const NAME = 'w-2/5 pl-2 text-left font-normal max-md:block max-md:w-full max-md:border-b-0 max-md:pb-0'
const WHY = 'pr-4 pl-2 text-xs leading-4.5 text-ink-2 wrap-anywhere max-md:block max-md:pt-0 max-md:pl-14'

function LedgerRow({ row, pointed, onPoint, opened, onToggle }: LedgerRowProps) {
  const id = useId()
  const isOpen = opened.has(row.id)
  const hasText = row.content !== undefined || row.shown !== undefined
  const isPointed = pointed === row.id
  const isLeft = row.decision === 'left'
  return (
    <tbody
      onPointerEnter={() => onPoint(row.id)}
      onPointerLeave={() => onPoint(undefined)}
      data-row={row.name}
      data-pointed={isPointed || undefined}
    >
      <tr className={cn(isPointed ? 'bg-raised' : isOpen && 'bg-surface')}>
        <th scope="row" className={cn(CELL, NAME)}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            disabled={!hasText}
            onFocus={() => onPoint(row.id)}
            onBlur={() => onPoint(undefined)}
            onClick={() => onToggle(row.id)}
            className="flex w-full items-start gap-1.5 rounded-sm text-left"
          >
            <ChevronRight aria-hidden className={cn(CHEVRON, isOpen && 'rotate-90', !hasText && 'invisible')} />
            <Sign row={row} />
            <bdi className={cn('min-w-0 font-mono text-xs leading-4.5 wrap-anywhere', isLeft && 'text-ink-2')}>
              {row.name}
            </bdi>
          </button>
        </th>
        <td className={cn(CELL, 'px-2 text-right text-xs leading-4.5 whitespace-nowrap tabular-nums max-md:hidden')}>
          <Tokens row={row} />
        </td>
        <td className={cn(CELL, WHY)}>
          <span className="tabular-nums md:hidden">
            <Tokens row={row} /> ·{' '}
          </span>
          {row.reason}
        </td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={3} className="border-b border-line bg-surface p-0 max-md:block">
            <FileText row={row} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** Icons of the decision about a file, and of the file's kind. */
function Sign({ row: { decision, kind, isUnreadable } }: { readonly row: Row }) {
  const { name, icon: Icon, look } = isUnreadable ? UNREADABLE : DECISIONS[decision]
  return (
    <>
      <Icon aria-label={name} role="img" className={cn('mt-px size-4 shrink-0', look)} />
      <span
        role="img"
        aria-label={KINDS[kind].name}
        title={KINDS[kind].name}
        className={cn('mt-1 size-2.5 shrink-0 rounded-[2px]', KINDS[kind].sign, decision === 'left' && 'opacity-50')}
      />
    </>
  )
}

function Tokens({ row: { decision, before, after } }: { readonly row: Row }) {
  if (decision === 'left') return <span className="text-ink-3">{before > 0 ? `0 of ${numberOf(before)}` : '–'}</span>
  if (decision === 'kept') return numberOf(after)
  return (
    <>
      {numberOf(after)} <span className="text-ink-3">of {numberOf(before)}</span>
    </>
  )
}

const CUT = 'border-line-strong bg-raised/60 text-ink-3'

/** Maximum number of lines to show. */
const MAX_LINES = 4_000

/** A file with its cut part in grey. */
function FileText({ row: { content, shown = '', name } }: { readonly row: Row }) {
  const lines = useMemo(() => (content === undefined ? asShown(shown) : shownLines(content, shown)), [content, shown])
  const groups = useMemo(() => groupsOf(lines.slice(0, MAX_LINES)), [lines])
  return (
    <Scroll label={`Text of ${name}`} className="max-h-120 overflow-auto py-2 font-mono text-xs leading-5">
      {groups.map(({ key, isCut, lines }) => (
        <div key={key} className={cn('border-l-2 px-4', isCut ? CUT : 'border-transparent')}>
          {isCut && <p className="font-sans text-ink-3 select-none">cut: {countOf(lines.length, 'line')}</p>}
          {lines.map(({ at, line }) => (
            <p key={at} className="min-h-5 whitespace-pre-wrap wrap-anywhere">
              <Line line={line} />
            </p>
          ))}
        </div>
      ))}
      {lines.length > MAX_LINES && (
        <p className="px-4 pt-2 font-sans text-ink-3">
          {countOf(lines.length - MAX_LINES, 'more line')} are not shown.
        </p>
      )}
    </Scroll>
  )
}

function Line({ line: { text, rest, is } }: { readonly line: ShownLine }) {
  if (is === 'marker') return <span className="rounded-sm bg-mark px-1">{text}</span>
  return (
    <>
      <PlainText text={text} />
      {rest !== undefined && <PlainText as="span" className="bg-raised text-ink-3" text={rest} />}
    </>
  )
}

function asShown(shown: string): ShownLine[] {
  return shown.split('\n').map((text) => ({ text, is: 'shown' }))
}

/** Consecutive lines that are all shown or all cut. */
function groupsOf(lines: readonly ShownLine[]) {
  const groups: { key: number; isCut: boolean; lines: { at: number; line: ShownLine }[] }[] = []
  for (const [at, line] of lines.entries()) {
    const isCut = line.is === 'cut'
    const last = groups.at(-1)
    if (last?.isCut === isCut) last.lines.push({ at, line })
    else groups.push({ key: at, isCut, lines: [{ at, line }] })
  }
  return groups
}
