import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { steadyQuery } from '../../api/client.ts'
import { Segments } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { useTitle } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { AgentText } from '../descriptions/AgentText.tsx'
import { ContextTabs } from '../descriptions/ContextTabs.tsx'
import { type LoadAnswer, rowsOf } from '../descriptions/ledger-rows.ts'
import { BudgetBar } from './BudgetBar.tsx'
import { Controls } from './Controls.tsx'
import { Ledger } from './Ledger.tsx'
import { Warnings, WhyNot } from './Problems.tsx'
import { useAbsolutePaths, useLoadRequest } from './useLoadRequest.ts'

/** What an agent would see at a place: what was kept, what was cut and left, and why. */
export function ContextPage() {
  const { asking, shape, change } = useLoadRequest()
  const rooted = useAbsolutePaths(asking)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...steadyQuery('load', rooted ?? asking),
    enabled: rooted !== undefined,
  })
  const format = shape ?? (data?.text.startsWith('<') ? 'xml' : 'markdown')
  useTitle(asking.place === undefined || asking.place === '.' ? 'Context' : `Context of ${asking.place}`)
  return (
    <div className="flex h-full flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="min-w-0 shrink-0 lg:flex-[11] lg:overflow-y-auto">
        <header className="flex min-h-12 flex-wrap items-center gap-x-3 px-4 pt-2">
          <h1 className="text-lg font-semibold">Context</h1>
          <ContextTabs current="/context" />
          <p className="min-w-0 flex-1 wrap-anywhere text-xs text-ink-3 max-md:order-last max-md:basis-full">
            {data ? <Name className="font-mono" text={data.place} /> : 'What an agent sees, and why'}
          </p>
          <span className="md:hidden flex-1" />
          <CopyButton text={() => location.href} label="Share link" />
        </header>
        <Controls asking={asking} answer={data} change={change} />
        {data === undefined && (error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={10} />)}
        {data && <Inspected answer={data} isOld={isPlaceholderData} asking={rooted ?? asking} />}
      </div>
      <AgentText
        text={data ? (format === 'json' ? JSON.stringify(data, null, 2) : data.text) : ''}
        isOld={isPlaceholderData}
        className="lg:flex-[9]"
      >
        <Segments label="Format" value={format} values={FORMATS} onChange={(chosen) => change({ format: chosen })} />
      </AgentText>
    </div>
  )
}

const FORMATS = [
  { value: 'markdown', name: 'Markdown' },
  { value: 'xml', name: 'XML' },
  { value: 'json', name: 'JSON' },
] as const

interface InspectedProps {
  readonly answer: LoadAnswer
  /** A newer answer is on its way. */
  readonly isOld: boolean
  readonly asking: ReturnType<typeof useLoadRequest>['asking']
}

function Inspected({ answer, isOld, asking }: InspectedProps) {
  const rows = useMemo(() => rowsOf(answer), [answer])
  const [pointed, point] = useState<string>()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setOpened((before) => before.symmetricDifference(new Set([id])))
  const isBare = rows.every(({ decision }) => decision === 'left')
  return (
    <div aria-busy={isOld} className={cn('transition-opacity delay-150 duration-100', isOld && 'opacity-75')}>
      {answer.choice !== undefined && <p className="px-4 pt-3 text-xs text-ink-2 wrap-anywhere">{answer.choice}</p>}
      <BudgetBar answer={answer} rows={rows} pointed={pointed} onPoint={point} onOpen={toggle} />
      {isBare ? (
        <NothingHere />
      ) : (
        <Ledger rows={rows} pointed={pointed} onPoint={point} opened={opened} onToggle={toggle} />
      )}
      <Warnings answer={answer} />
      <WhyNot asking={asking} />
    </div>
  )
}

function NothingHere() {
  return (
    <Empty title="No context here yet">
      <p>
        Ambit looks for instruction files such as AGENTS.md, here and in the folders above up to the project's root, and
        for a context directory. Write the first ones with
      </p>
      <p className="mt-2">
        <code className="font-mono text-sm">ambit init</code>
      </p>
    </Empty>
  )
}
