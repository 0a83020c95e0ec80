import { type ReactNode, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { Input } from '../../ui/Field.tsx'
import { numberOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { isNarrowed, type SearchRequest } from './search-request.ts'

type Counts = NonNullable<Answer<'search'>['facets']>
type Count = Counts['types'][number]

interface FacetsProps {
  readonly request: SearchRequest
  /** Absent until the answer arrives. */
  readonly counts: Counts | undefined
  /** Number of found documents. A choice that keeps all of them is not offered. */
  readonly total: number
  readonly onAsk: (next: Partial<SearchRequest>) => void
}

/** Filters of a search, with the number of documents for each choice. */
export function Facets({ request, counts, total, onAsk }: FacetsProps) {
  const narrowing = (list: readonly Count[] = [], chosen: readonly string[] = []) =>
    list.filter(({ value, count }) => count < total || chosen.includes(value))
  const toggle = (list: 'c' | 'type') => (value: string) =>
    onAsk({ [list]: [...new Set(request[list]).symmetricDifference(new Set([value]))] })
  const toggleOne = (name: 'path' | 'after') => (value: string) =>
    onAsk({ [name]: request[name] === value ? '' : value })
  const types = counts?.types.map(({ value, count }) => ({ value: value === '' ? 'none' : value, count }))
  return (
    <div className="stack gap-4">
      {isNarrowed(request) && (
        <Button className="justify-self-start" onClick={() => onAsk({ c: [], type: [], path: '', after: '' })}>
          Clear filters
        </Button>
      )}
      <Facet
        title="Collection"
        counts={narrowing(counts?.collections, request.c)}
        chosen={request.c}
        onToggle={toggle('c')}
      />
      <Facet
        title="Type"
        counts={narrowing(types, request.type)}
        chosen={request.type}
        onToggle={toggle('type')}
        nameOf={(type) => (type === 'none' ? 'no extension' : `.${type}`)}
      />
      <Facet
        title="Folder"
        counts={narrowing(counts?.folders, [request.path])}
        chosen={request.path === '' ? [] : [request.path]}
        onToggle={toggleOne('path')}
        nameOf={(glob) => glob.replace(/\/\*\*$/, '/')}
      >
        <Input
          key={request.path === '' ? 'none' : 'some'}
          aria-label="Path"
          defaultValue={request.path}
          placeholder="api/**"
          onText={(path) => onAsk({ path })}
          isCode
          className="h-7"
        />
      </Facet>
      <Facet
        title="Changed"
        counts={withoutRepeats(narrowing(counts?.changed, [request.after]))}
        chosen={request.after === '' ? [] : [request.after]}
        onToggle={toggleOne('after')}
        nameOf={sinceDay}
      >
        <label htmlFor="after" className="flex items-center gap-1.5 text-xs text-ink-2">
          since
          <Input
            id="after"
            type="date"
            value={request.after}
            onText={(after) => onAsk({ after })}
            className="h-7 min-w-0 md:text-xs"
          />
        </label>
      </Facet>
    </div>
  )
}

/** Leaves out time spans that match no more documents than the shorter span before them. */
function withoutRepeats(spans: readonly Count[]): readonly Count[] {
  return spans.filter(({ count }, at) => count !== spans[at - 1]?.count)
}

const DAY_MS = 86_400_000
const SPANS: Readonly<Record<number, string>> = { 1: 'past day', 7: 'past week', 30: 'past month', 365: 'past year' }

function sinceDay(day: string): string {
  return SPANS[Math.floor((Date.now() - Date.parse(day)) / DAY_MS)] ?? `since ${day}`
}

/** Maximum number of values before the button that shows all. */
const MAX_VALUES = 6

interface FacetProps {
  readonly title: string
  readonly counts: readonly Count[]
  readonly chosen: readonly string[]
  readonly onToggle: (value: string) => void
  readonly nameOf?: (value: string) => string
  readonly children?: ReactNode
}

function Facet({ title, counts, chosen, onToggle, nameOf = (value) => value, children }: FacetProps) {
  const [isAll, setAll] = useState(false)
  // A chosen filter stays in the list even if nothing matches it, so that a person can remove it.
  const absent = chosen.filter((value) => !counts.some((one) => one.value === value))
  const all = [...counts, ...absent.map((value) => ({ value, count: 0 }))]
  if (all.length === 0 && children === undefined) return null
  const shown = isAll ? all : all.filter(({ value }, at) => at < MAX_VALUES || chosen.includes(value))
  return (
    <fieldset className="stack gap-0.5">
      <legend className="pb-1 text-xs font-medium text-ink-3">{title}</legend>
      {shown.map(({ value, count }) => (
        <label
          key={value}
          className={cn(
            'flex min-h-6 items-start gap-2 rounded-sm px-1 py-0.5 text-ink-2 select-none hover:bg-raised hover:text-ink',
            chosen.includes(value) && 'font-medium text-ink',
          )}
        >
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => onToggle(value)}
            className="mt-0.5 size-3.5 shrink-0 accent-accent"
          />
          <Name className="min-w-0 flex-1 wrap-anywhere" text={nameOf(value)} />
          <span className="text-xs leading-4.5 text-ink-3 tabular-nums">{numberOf(count)}</span>
        </label>
      ))}
      {all.length > shown.length && (
        <Button look="quiet" className="justify-self-start px-1" onClick={() => setAll(true)}>
          {numberOf(all.length - shown.length)} more
        </Button>
      )}
      {children}
    </fieldset>
  )
}
