import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FlaskConical, Layers, MessagesSquare, Search } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { useSide } from '../../frame/side.tsx'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { Input } from '../../ui/Field.tsx'
import { counted, numberOf } from '../../ui/format.ts'
import { KINDS } from '../../ui/kinds.ts'
import { Name } from '../../ui/PlainText.tsx'
import { type LoadAnswer, type Row, rowsOf } from './ledger-rows.ts'

/** What an agent sees in the project that is served, and what one can do next. */
export function ProjectContext() {
  // As the inspector asks for it: there it is known already.
  const { data, isError } = useQuery({ ...operationQuery('load', { place: '.' }), retry: false, staleTime: 30_000 })
  // Who may see collections alone sees no project.
  if (isError) return <SearchField />
  return (
    <section aria-labelledby="project" className="border-b border-line pb-4">
      <SearchField />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3">
        <h2 id="project" className="text-base font-semibold">
          Context of this project
        </h2>
        {data && <Name text={data.root} className="min-w-0 flex-1 font-mono text-xs wrap-anywhere text-ink-3" />}
        <Actions />
      </div>
      {data ? <Budget answer={data} /> : <div className="h-24" />}
    </section>
  )
}

function SearchField() {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate({ to: '/search', search: { q: query } as never })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element is not known to all tools yet.
    <form role="search" onSubmit={submit} className="relative mx-4 mt-2 max-w-3xl">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-3" />
      <Input
        type="search"
        aria-label="Search all documents"
        placeholder="Search all documents"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        className="pl-8 md:text-base"
      />
    </form>
  )
}

function Actions() {
  const { show } = useSide()
  return (
    <div className="flex flex-wrap gap-2">
      <Link to="/context" className={buttonLook({ look: 'plain' })}>
        <Layers aria-hidden />
        Open the inspector
      </Link>
      <Button onClick={() => show('assistant')}>
        <MessagesSquare aria-hidden />
        Ask the assistant
      </Button>
      <Link to="/research" className={buttonLook({ look: 'plain' })}>
        <FlaskConical aria-hidden />
        Start research
      </Link>
    </div>
  )
}

/** Rows that are shown. */
const FEW = 5

/** The budget as a bar, and the most important files with what became of them. */
function Budget({ answer }: { readonly answer: LoadAnswer }) {
  const rows = useMemo(() => rowsOf(answer).filter(({ isMissing }) => !isMissing), [answer])
  const used = rows.filter(({ after }) => after > 0)
  const { tokenCount, budget } = answer
  if (used.length === 0) {
    return (
      <p className="px-4 pt-2 text-ink-2">
        No instruction files apply here yet. An AGENTS.md in this folder is given to every agent that works in it.
      </p>
    )
  }
  const scale = Math.max(tokenCount, budget ?? 0, 1)
  return (
    <>
      <p className="px-4 pt-2 text-xs text-ink-2 tabular-nums">
        An agent that works here gets <span className="text-base font-semibold text-ink">{numberOf(tokenCount)}</span>
        {budget !== null && ` of ${numberOf(budget)}`} tokens from {counted(used.length, 'source')}.
      </p>
      <div aria-hidden className="mx-4 mt-1.5 flex h-4 overflow-hidden rounded-sm bg-raised">
        {used.map(({ id, kind, after }) => (
          <span
            key={id}
            className={cn('border-r border-canvas', KINDS[kind].sign)}
            style={{ width: `${(after / scale) * 100}%` }}
          />
        ))}
      </div>
      <ul className="mt-2">
        {rows.slice(0, FEW).map((row) => (
          <Source key={row.id} row={row} />
        ))}
      </ul>
      {rows.length > FEW && (
        <Link to="/context" className="mx-4 text-xs text-accent underline underline-offset-2">
          {counted(rows.length - FEW, 'more source')} in the inspector
        </Link>
      )}
    </>
  )
}

function Source({ row: { name, kind, decision, before, after, reason } }: { readonly row: Row }) {
  const isLeft = decision === 'left'
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 px-4 py-1 text-xs">
      <span
        role="img"
        aria-label={KINDS[kind].name}
        className={cn('size-2.5 shrink-0 rounded-[2px]', KINDS[kind].sign, isLeft && 'opacity-50')}
      />
      <Name text={name} className={cn('font-mono wrap-anywhere', isLeft && 'text-ink-3 line-through')} />
      <span className="text-ink-2 tabular-nums">
        {numberOf(after)}
        {decision !== 'kept' && ` of ${numberOf(before)}`}
      </span>
      <span className="min-w-0 wrap-anywhere text-ink-3">{reason}</span>
    </li>
  )
}
