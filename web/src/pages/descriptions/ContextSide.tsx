import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operationQuery } from '../../api/client.ts'
import { useStatus } from '../../api/collections.ts'
import { type Place, uriOf } from '../../api/place.ts'
import { SidePanel } from '../../frame/side.tsx'
import { cn } from '../../ui/cn.ts'
import { numberOf } from '../../ui/format.ts'
import { KINDS } from '../../ui/kinds.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { type Row, rowsOf } from './ledger-rows.ts'

/** A panel with a summary of the context at a place of a collection. */
export function ContextSide({ place }: { readonly place: Place }) {
  return (
    <SidePanel id="context" title="Context">
      <ContextSummary place={place} />
    </SidePanel>
  )
}

function ContextSummary({ place }: { readonly place: Place }) {
  const uri = uriOf(place)
  const folder = useDiskFolder(place)
  const input = { place: uri, withContextDir: true, full: false }
  const { data, error, refetch } = useQuery(operationQuery('load', input))
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={5} />
  const rows = rowsOf(data).filter(({ isMissing }) => !isMissing)
  return (
    <div className="stack gap-3 py-3">
      <p className="px-4 text-xs text-ink-2 tabular-nums">
        <span className="text-base font-semibold text-ink">{numberOf(data.tokenCount)}</span> tokens tell an agent about
        this place
      </p>
      {rows.length === 0 && (
        <p className="px-4 text-base text-ink-2">There is no description, README.md or AGENTS.md here.</p>
      )}
      <ul>
        {rows.map((row) => (
          <SourceRow key={row.id} row={row} />
        ))}
      </ul>
      <Link to="/context" search={{ place: uri, withContextDir: 'true' }} className={LINK}>
        See the whole context
      </Link>
      {folder !== undefined && (
        <Link to="/context" search={{ place: folder, profile: 'codex' }} className={LINK}>
          What Codex and other coding agents get here
        </Link>
      )}
    </div>
  )
}

const LINK = 'mx-4 justify-self-start text-accent underline underline-offset-2'

/** The folder of a place on disk; undefined in a bucket, and if the person may not see the root of the collection. */
function useDiskFolder({ collection, path, within }: Place): string | undefined {
  const { data } = useStatus()
  const root = data?.collections.find(({ name }) => name === collection)?.root
  if (within !== undefined || !root?.startsWith('/')) return undefined
  return path === '' ? root : `${root}/${path}`
}

interface SourceRowProps {
  readonly row: Row
  /** Whether the reason is shown. Otherwise it is the tooltip of the row. */
  readonly hasReason?: boolean
}

/** A source of context on one line: its kind, its name, and its tokens. */
export function SourceRow({ row: { name, kind, decision, before, after, reason }, hasReason = false }: SourceRowProps) {
  const isLeft = decision === 'left'
  const tokens = decision === 'kept' ? numberOf(after) : `${numberOf(after)} of ${numberOf(before)}`
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 px-4 py-1 text-xs" title={hasReason ? undefined : reason}>
      <span
        role="img"
        aria-label={KINDS[kind].name}
        className={cn('size-2.5 shrink-0 rounded-[2px]', KINDS[kind].sign, isLeft && 'opacity-50')}
      />
      <Name text={name} className={cn('min-w-0 font-mono wrap-anywhere', isLeft && 'text-ink-3 line-through')} />
      <span className="text-ink-2 tabular-nums">{isLeft ? '–' : tokens}</span>
      {hasReason && <span className="min-w-0 wrap-anywhere text-ink-3">{reason}</span>}
    </li>
  )
}
