import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operationQuery } from '../../api/client.ts'
import { type Place, uriOf } from '../../api/place.ts'
import { SidePanel } from '../../frame/side.tsx'
import { cn } from '../../ui/cn.ts'
import { numberOf } from '../../ui/format.ts'
import { KINDS } from '../../ui/kinds.ts'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { type Row, rowsOf } from './ledger-rows.ts'

/** A panel with what an agent would see at a place of a collection, in short. */
export function ContextSide({ place }: { readonly place: Place }) {
  return (
    <SidePanel id="context" title="Context">
      <ContextSummary uri={uriOf(place)} />
    </SidePanel>
  )
}

function ContextSummary({ uri }: { readonly uri: string }) {
  const { data, error, refetch } = useQuery(operationQuery('load', { place: uri, withContextDir: true, full: false }))
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={5} />
  const rows = rowsOf(data).filter(({ isMissing }) => !isMissing)
  return (
    <div className="stack gap-3 py-3">
      <p className="px-4 text-xs text-ink-2 tabular-nums">
        <span className="text-base font-semibold text-ink">{numberOf(data.tokenCount)}</span> tokens of context for an
        agent working here
      </p>
      {rows.length === 0 ? (
        <p className="px-4 text-base text-ink-2">There is no description, README.md or AGENTS.md here.</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <Line key={row.id} row={row} />
          ))}
        </ul>
      )}
      <Link
        to="/context"
        search={{ place: uri, withContextDir: 'true' }}
        className="mx-4 justify-self-start text-accent underline underline-offset-2"
      >
        Open in the inspector
      </Link>
    </div>
  )
}

function Line({ row: { name, kind, after, decision, reason } }: { readonly row: Row }) {
  const isLeft = decision === 'left'
  return (
    <li className="flex items-start gap-2 border-b border-line px-4 py-1.5" title={reason}>
      <span
        role="img"
        aria-label={KINDS[kind].name}
        className={cn('mt-1 size-2.5 shrink-0 rounded-[2px]', KINDS[kind].sign, isLeft && 'opacity-50')}
      />
      <bdi
        className={cn(
          'min-w-0 flex-1 font-mono text-xs leading-4.5 wrap-anywhere',
          isLeft && 'text-ink-3 line-through',
        )}
      >
        {name}
      </bdi>
      <span className="text-xs leading-4.5 text-ink-2 tabular-nums">{isLeft ? '–' : numberOf(after)}</span>
    </li>
  )
}
