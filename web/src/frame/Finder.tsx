import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileText, FolderTree, type LucideIcon, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { asked } from '../api/client.ts'
import { searched } from '../api/search.ts'
import { cn } from '../ui/cn.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { useLater } from '../ui/useLater.ts'
import { SECTIONS } from './sections.ts'

interface Target {
  readonly id: string
  readonly icon: LucideIcon
  readonly name: string
  readonly where: string
  readonly go: () => void
}

interface FinderProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Finds a document by what is in it, and goes to collections and sections by name. */
export function Finder({ isOpen, onClose }: FinderProps) {
  return (
    <Dialog title="Find" isOpen={isOpen} onClose={onClose} isBare className="mt-[10vh] w-[640px]">
      <Found onClose={onClose} />
    </Dialog>
  )
}

function Found({ onClose }: Pick<FinderProps, 'onClose'>) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const targets = useTargets(query)
  const id = useId()
  const current = targets[Math.min(at, targets.length - 1)]
  const go = (target: Target | undefined) => {
    onClose()
    target?.go()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((before) => (before + step + targets.length) % Math.max(1, targets.length))
    }
    if (event.key === 'Enter') go(current)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at the top.
  useEffect(() => setAt(0), [query])
  useEffect(() => {
    document.getElementById(`${id}-${current?.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current])
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search aria-hidden className="size-4 text-ink-3" />
        <input
          // biome-ignore lint/a11y/noAutofocus: it is what the dialog is for.
          autoFocus
          role="combobox"
          aria-label="Find a document, a collection or a page"
          aria-expanded={targets.length > 0}
          aria-controls={id}
          aria-activedescendant={current && `${id}-${current.id}`}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={onKeyDown}
          placeholder="Find…"
          className="h-11 min-w-0 flex-1 bg-transparent text-lg outline-none md:text-base placeholder:text-ink-3"
        />
      </div>
      <div role="listbox" id={id} aria-label="Found" className="h-[min(416px,60vh)] overflow-y-auto p-1">
        {targets.map((target) => (
          <Row key={target.id} id={`${id}-${target.id}`} target={target} isCurrent={target === current} onPick={go} />
        ))}
        {targets.length === 0 && <p className="px-3 py-6 text-ink-2">Nothing was found.</p>}
      </div>
    </>
  )
}

interface RowProps {
  readonly id: string
  readonly target: Target
  readonly isCurrent: boolean
  readonly onPick: (target: Target) => void
}

function Row({ id, target, isCurrent, onPick }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the field.
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the row.
    <div
      role="option"
      id={id}
      aria-selected={isCurrent}
      onClick={() => onPick(target)}
      className={cn('flex h-8 cursor-default items-center gap-2.5 rounded-sm px-2', isCurrent && 'bg-selected')}
    >
      <target.icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <bdi className="truncate">{target.name}</bdi>
      <bdi className="min-w-0 flex-1 truncate text-right font-mono text-xs text-ink-3">{target.where}</bdi>
    </div>
  )
}

/** Hits that are shown. */
const HITS = 12

function useTargets(query: string): Target[] {
  const navigate = useNavigate()
  const words = useLater(query.trim(), 120)
  const { data: all } = useQuery(asked('collections.list', {}))
  const { data: hits } = useQuery({ ...searched({ query: words, limit: HITS }), enabled: words !== '' })
  const isNamed = (name: string) => name.toLowerCase().includes(query.trim().toLowerCase())
  const toPlace = (collection: string, path: string) => () =>
    navigate({ to: '/browse/$collection/$', params: { collection, _splat: path } })
  return [
    ...SECTIONS.filter(({ name }) => isNamed(name)).map(({ name, icon, to }) => ({
      ...{ id: `section-${name}`, name, icon, where: '' },
      go: () => navigate({ to }),
    })),
    ...(all?.collections ?? [])
      .filter(({ name }) => isNamed(name))
      .slice(0, HITS)
      .map(({ name }) => ({
        ...{ id: `collection-${name}`, name, icon: FolderTree, where: 'collection' },
        go: toPlace(name, ''),
      })),
    ...(words === '' ? [] : (hits?.results ?? [])).map(({ uri, title, collection, path }) => ({
      ...{ id: uri, name: title, icon: FileText, where: `${collection}/${path}` },
      go: toPlace(collection, path),
    })),
  ]
}
