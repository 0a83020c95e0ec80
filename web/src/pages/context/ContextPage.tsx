import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { steadyQuery } from '../../api/client.ts'
import { choicesOf, Segments } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { numberOf } from '../../ui/format.ts'
import { useTitle } from '../../ui/hooks.ts'
import { KINDS } from '../../ui/kinds.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { ContextFrame } from '../descriptions/ContextFrame.tsx'
import { type LoadAnswer, type Row, rowsOf } from '../descriptions/ledger-rows.ts'
import { Controls } from './Controls.tsx'
import { Ledger } from './Ledger.tsx'
import { Warnings, WhyNot } from './Problems.tsx'
import { useAbsolutePaths, useLoadRequest } from './useLoadRequest.ts'

/** The context that an agent gets at a place: shown, cut and omitted files, with the reasons. */
export function ContextPage() {
  const { request, shape, change } = useLoadRequest()
  const absolute = useAbsolutePaths(request)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...steadyQuery('load', absolute ?? request),
    enabled: absolute !== undefined,
  })
  const format = shape ?? (data?.text.startsWith('<') ? 'xml' : 'markdown')
  useTitle(request.place === undefined || request.place === '.' ? 'Context' : `Context of ${request.place}`)
  return (
    <ContextFrame
      current="/context"
      text={data ? (format === 'json' ? JSON.stringify(data, null, 2) : data.text) : ''}
      isOld={isPlaceholderData}
      format={
        <Segments label="Format" value={format} values={FORMATS} onChange={(chosen) => change({ format: chosen })} />
      }
      about={
        <>
          <p className="min-w-0 flex-1 wrap-anywhere text-xs text-ink-3 max-md:order-last max-md:basis-full">
            {data ? <Name className="font-mono" text={data.place} /> : 'What an agent sees, and why'}
          </p>
          <span className="md:hidden flex-1" />
          <CopyButton text={() => location.href} label="Share link" />
        </>
      }
    >
      <Controls request={request} answer={data} change={change} />
      {data === undefined && (error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={10} />)}
      {data && <LoadedContext answer={data} isOld={isPlaceholderData} request={absolute ?? request} />}
    </ContextFrame>
  )
}

const FORMATS = choicesOf({ markdown: 'Markdown', xml: 'XML', json: 'JSON' })

interface LoadedContextProps {
  readonly answer: LoadAnswer
  /** Whether a newer answer is loading. */
  readonly isOld: boolean
  readonly request: ReturnType<typeof useLoadRequest>['request']
}

function LoadedContext({ answer, isOld, request }: LoadedContextProps) {
  const rows = useMemo(() => rowsOf(answer), [answer])
  const [pointed, point] = useState<string>()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setOpened((before) => before.symmetricDifference(new Set([id])))
  const isBare = rows.every(({ decision }) => decision === 'left')
  return (
    <div aria-busy={isOld} className={cn('transition-opacity delay-150 duration-100', isOld && 'opacity-75')}>
      {answer.choice !== undefined && <p className="px-4 pt-3 text-xs text-ink-2 wrap-anywhere">{answer.choice}</p>}
      <BudgetBar answer={answer} rows={rows} pointed={pointed} onPoint={point} onOpen={toggle} />
      {isBare && NOTHING_HERE}
      {!isBare && <Ledger rows={rows} pointed={pointed} onPoint={point} opened={opened} onToggle={toggle} />}
      <Warnings answer={answer} />
      <WhyNot request={request} />
    </div>
  )
}

const NOTHING_HERE = (
  <Empty title="No context here yet">
    <p>
      Ambit looks for instruction files such as AGENTS.md, here and in the folders above up to the project's root, and
      for a context directory. Write the first ones with <code className="font-mono text-sm">ambit init</code>.
    </p>
  </Empty>
)

interface BudgetBarProps {
  readonly answer: LoadAnswer
  readonly rows: readonly Row[]
  /** The row that the pointer is on, in the bar or in the table. */
  readonly pointed: string | undefined
  readonly onPoint: (id: string | undefined) => void
  readonly onOpen: (id: string) => void
}

const SEGMENT =
  'flex min-w-0.5 shrink cursor-pointer items-center overflow-hidden border-r border-canvas text-xs whitespace-nowrap text-canvas underline-offset-2 transition-[width,opacity] duration-100'
const LABEL = 'truncate px-1.5'

/** The budget as a bar: a segment for each file, a segment for the text around files, and the free tokens. */
function BudgetBar({ answer, rows, pointed, onPoint, onOpen }: BudgetBarProps) {
  const { tokenCount, frameTokens, overBudget, budget } = answer
  const scale = Math.max(tokenCount, budget ?? 0, 1)
  const shown = rows.filter(({ after }) => after > 0)
  return (
    <section aria-label="Budget" className="stack gap-1.5 px-4 pt-3 pb-2">
      <p className="flex items-baseline gap-2 text-xs text-ink-3 tabular-nums">
        <span>{budget === null ? 'no budget' : `${numberOf(budget)} budget`}</span>
        <span className="flex-1" />
        <span className={cn('text-base font-semibold text-ink', overBudget && 'text-bad')}>{numberOf(tokenCount)}</span>
        <span>{overBudget ? 'used, over the budget' : 'used'}</span>
      </p>
      <div
        role="img"
        aria-label={`${numberOf(tokenCount)} of ${numberOf(scale)} tokens used by ${shown.length} files`}
        className="relative flex h-8 overflow-hidden rounded-sm bg-raised"
        onPointerLeave={() => onPoint(undefined)}
      >
        {shown.map(({ id, name, kind, after }) => {
          const isFaint = pointed !== undefined && pointed !== id
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the bar is a picture; keys open rows in the table.
            // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
            <span
              key={id}
              data-segment={name}
              className={cn(SEGMENT, KINDS[kind].sign, isFaint ? 'opacity-45' : pointed === id && 'underline')}
              style={{ width: `${(after / scale) * 100}%` }}
              title={`${name} · ${numberOf(after)} tokens`}
              onPointerEnter={() => onPoint(id)}
              onClick={() => onOpen(id)}
            >
              {after > 0.06 * scale && !isFaint && (
                <Name text={name.slice(name.lastIndexOf('/') + 1)} className={LABEL} />
              )}
            </span>
          )
        })}
        {frameTokens > 0 && (
          <span
            className="shrink-0 bg-line-strong"
            style={{ width: `${(frameTokens / scale) * 100}%` }}
            title={`Headings and frames · ${numberOf(frameTokens)} tokens`}
          />
        )}
      </div>
      <Legend rows={shown} frameTokens={frameTokens} free={budget === null ? 0 : budget - tokenCount} />
    </section>
  )
}

interface LegendProps {
  readonly rows: readonly Row[]
  readonly frameTokens: number
  readonly free: number
}

function Legend({ rows, frameTokens, free }: LegendProps) {
  const kinds = Map.groupBy(rows, ({ kind }) => kind)
  const sumOf = (all: readonly Row[]) => all.reduce((sum, { after }) => sum + after, 0)
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2 tabular-nums">
      {[...kinds].map(([kind, all]) => (
        <Sum key={kind} {...KINDS[kind]} tokens={sumOf(all)} />
      ))}
      <Sum sign="bg-line-strong" name="Headings and frames" tokens={frameTokens} />
      {free > 0 && <Sum sign="border border-line-strong bg-raised" name="Free" tokens={free} />}
    </ul>
  )
}

function Sum({ sign, name, tokens }: { readonly sign: string; readonly name: string; readonly tokens: number }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden className={cn('size-2.5 rounded-[2px]', sign)} />
      {name} <span className="text-ink-3">{numberOf(tokens)}</span>
    </li>
  )
}
