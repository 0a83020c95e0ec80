import { ArrowLeft, ArrowRight, CircleMinus, CirclePlus, type LucideIcon, Pencil } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { type Change, packagePlace, useDiff } from '../../api/packages.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { numberOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import type { TableColumn } from '../../ui/Table.tsx'
import { VirtualTable } from '../../ui/VirtualTable.tsx'
import { entrySize, type PackagePlace, shortHash } from './usePackageAt.ts'

type Kind = Change['change']

const KINDS: Readonly<Record<Kind, { readonly icon: LucideIcon; readonly look: string }>> = {
  added: { icon: CirclePlus, look: 'text-good' },
  removed: { icon: CircleMinus, look: 'text-bad' },
  changed: { icon: Pencil, look: 'text-warn' },
}

const COLUMNS: readonly TableColumn<Change>[] = [
  {
    name: 'Change',
    className: 'w-28 max-md:w-18',
    cell: ({ change }) => {
      const { icon: Icon, look } = KINDS[change]
      return (
        <span className="flex items-center gap-1.5 text-xs">
          <Icon aria-hidden className={cn('size-4 shrink-0', look)} />
          <span className="max-md:sr-only">{change}</span>
        </span>
      )
    },
  },
  {
    name: 'Entry',
    className: 'truncate font-mono text-xs',
    title: ({ logicalKey }) => logicalKey,
    cell: ({ change, logicalKey }) => (
      <Name className={change === 'removed' ? 'line-through decoration-ink-3' : undefined} text={logicalKey} />
    ),
  },
  {
    name: 'Size',
    className: 'w-48 text-right text-xs whitespace-nowrap text-ink-2 tabular-nums max-md:w-28 max-md:pr-4',
    // An unchanged size is shown once.
    cell: ({ before, after }) =>
      [...new Set([before, after].flatMap((state) => (state ? [entrySize(state.size)] : [])))].join(' → '),
  },
  {
    name: 'What differs',
    className: 'w-36 truncate text-xs text-ink-3 max-md:hidden',
    title: ({ differences }) => differences?.join(', '),
    cell: ({ differences }) => differences?.join(', '),
  },
]

/** Changes between two revisions. */
export function Diff({ place: { at, go }, before }: { readonly place: PackagePlace; readonly before: string }) {
  const { data, error, refetch } = useDiff(packagePlace({ ...at, hash: before }), packagePlace(at))
  const [hidden, setHidden] = useState<ReadonlySet<Kind>>(new Set())
  const shown = useMemo(() => (data?.changes ?? []).filter(({ change }) => !hidden.has(change)), [data, hidden])
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />
  const toggle = (kind: Kind) => setHidden((old) => old.symmetricDifference(new Set([kind])))
  const unlisted = data.added + data.removed + data.changed - data.changes.length
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1">
        <Button icon={ArrowLeft} look="quiet" onClick={() => go({ before: undefined })}>
          Revisions
        </Button>
        <p className="flex items-center gap-1.5 font-mono text-xs">
          {shortHash(data.before.hash)} <ArrowRight aria-label="to" className="size-3.5 text-ink-3" />{' '}
          {shortHash(data.after.hash)}
        </p>
        <span className="flex-1" />
        {CHANGES.map((kind) => (
          <Filter key={kind} kind={kind} count={data[kind]} isOn={!hidden.has(kind)} onToggle={toggle} />
        ))}
        <span className="text-xs text-ink-3 tabular-nums">{numberOf(data.unchanged)} unchanged</span>
      </div>
      <Header header={data.header} message={data.message} />
      {data.changes.length === 0 ? (
        <Empty title="No entry differs" />
      ) : (
        <VirtualTable
          label="Changes"
          columns={COLUMNS}
          items={shown}
          keyOf={(one) => `${one.change} ${one.logicalKey}`}
        />
      )}
      {unlisted > 0 && (
        <p className="border-t border-line px-4 py-2 text-xs text-ink-3">{numberOf(unlisted)} more are not listed.</p>
      )}
    </>
  )
}

const CHANGES = Object.keys(KINDS) as readonly Kind[]
const FILTER = 'flex h-7 items-center gap-1.5 rounded-md px-1.5 text-xs tabular-nums hover:bg-raised'
const OFF = 'line-through opacity-60'

interface FilterProps {
  readonly kind: Kind
  readonly count: number
  readonly isOn: boolean
  readonly onToggle: (kind: Kind) => void
}

function Filter({ kind, count, isOn, onToggle }: FilterProps) {
  const { icon: Icon, look } = KINDS[kind]
  return (
    <button type="button" aria-pressed={isOn} onClick={() => onToggle(kind)} className={cn(FILTER, !isOn && OFF)}>
      <Icon aria-hidden className={cn('size-4', look)} />
      {numberOf(count)} {kind}
    </button>
  )
}

/** What differs besides the entries: the metadata, the workflow and the message. */
function Header({ header, message }: Pick<Answer<'packages.diff'>, 'header' | 'message'>) {
  const parts = header.map((part) => (part === 'userMeta' ? 'the metadata' : 'the workflow'))
  const isMessageChanged = message.before !== message.after
  if (parts.length === 0 && !isMessageChanged) return null
  return (
    <div className="stack gap-0.5 border-b border-line px-4 pb-2 text-xs text-ink-2">
      {parts.length > 0 && <p>Also different: {parts.join(' and ')}.</p>}
      {isMessageChanged && (
        <p className="wrap-anywhere">
          <del className="text-ink-3">{message.before ?? 'no message'}</del>{' '}
          <ins className="no-underline">{message.after ?? 'no message'}</ins>
        </p>
      )}
    </div>
  )
}
