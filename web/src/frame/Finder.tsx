import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronRight, FileText, FolderTree, type LucideIcon, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { operationQuery, steadyQuery } from '../api/client.ts'
import { browseAt } from '../api/place.ts'
import { searchQuery } from '../api/search.ts'
import { cn } from '../ui/cn.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { useDebounced } from '../ui/hooks.ts'
import { Name } from '../ui/PlainText.tsx'
import type { Shortcut } from './keys.ts'
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
  /** The commands that the finder lists. */
  readonly commands: readonly Shortcut[]
}

/** Finds files, collections, pages and commands by name, and documents by their text. */
export function Finder({ isOpen, onClose, commands }: FinderProps) {
  return (
    <Dialog title="Find" isOpen={isOpen} onClose={onClose} isBare className="mt-[10vh] w-[640px]">
      <FinderBody onClose={onClose} commands={commands} />
    </Dialog>
  )
}

function FinderBody({ onClose, commands }: Omit<FinderProps, 'isOpen'>) {
  const [query, setQuery] = useState('')
  const [position, setPosition] = useState(0)
  const targets = useTargets(query, commands)
  const id = useId()
  const current = targets[Math.min(position, targets.length - 1)]
  const go = (target: Target | undefined) => {
    onClose()
    target?.go()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setPosition((before) => (before + step + targets.length) % Math.max(1, targets.length))
    }
    if (event.key === 'Enter') go(current)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at the top.
  useEffect(() => setPosition(0), [query])
  useEffect(() => {
    document.getElementById(`${id}-${current?.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current])
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search aria-hidden className="size-4 text-ink-3" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog exists for this field.
          autoFocus
          role="combobox"
          aria-label="Find a file, a page or a command"
          aria-expanded={targets.length > 0}
          aria-controls={id}
          aria-activedescendant={current && `${id}-${current.id}`}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={onKeyDown}
          placeholder="A file name, a page, a command, or any words"
          className="h-11 min-w-0 flex-1 bg-transparent text-lg outline-none md:text-base placeholder:text-ink-3"
        />
      </div>
      <div role="listbox" id={id} aria-label="Results" className="h-[min(416px,60vh)] overflow-y-auto p-1">
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
      title={`${target.name}\n${target.where}`}
      className={cn('flex h-8 cursor-default items-center gap-2.5 rounded-sm px-2', isCurrent && 'bg-selected')}
    >
      <target.icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <Name className="min-w-0 flex-1 truncate" text={target.name} />
      <Name className="max-w-2/5 shrink-0 truncate font-mono text-xs text-ink-3" text={target.where} />
    </div>
  )
}

/** Maximum number of files, and of documents. */
const MAX_RESULTS = 12

/** Files by name first, then pages and commands, then documents that contain the words. */
function useTargets(query: string, commands: readonly Shortcut[]): Target[] {
  const words = useDebounced(query.trim(), 120)
  const named = useNames(query.trim(), commands)
  const files = useFiles(words)
  const seen = new Set(files.map(({ id }) => id))
  const documents = useDocuments(words).filter(({ id }) => !seen.has(id))
  return [...files, ...named, ...documents, ...useSearchFor(query.trim())]
}

/** Collections, pages and commands whose names contain all the words. */
function useNames(query: string, commands: readonly Shortcut[]): Target[] {
  const navigate = useNavigate()
  const toPlace = usePlaceOpener()
  const { data } = useQuery(operationQuery('collections.list', {}))
  const words = query.toLowerCase().split(/\s+/)
  const isNamed = (name: string) => words.every((word) => name.toLowerCase().includes(word))
  const targets: readonly Target[] = [
    ...SECTIONS.map(({ name, icon, to }) => ({
      ...{ id: `section-${name}`, name, icon, where: 'page' },
      go: () => navigate({ to }),
    })),
    ...(data?.collections ?? []).map(({ name }) => ({
      ...{ id: `collection-${name}`, name, icon: FolderTree, where: 'collection' },
      go: toPlace(name, ''),
    })),
    ...commands.map(({ does, run, keys }) => ({
      ...{ id: `command-${keys}`, name: does, icon: ChevronRight, where: 'command' },
      // Runs after the closed dialog has given the focus back, because a command may move the focus.
      go: () => requestAnimationFrame(run),
    })),
  ]
  return targets.filter(({ name }) => isNamed(name)).slice(0, 2 * MAX_RESULTS)
}

/** A link to the search page with the same query. */
function useSearchFor(query: string): Target[] {
  const navigate = useNavigate()
  if (query === '') return []
  const go = () => navigate({ to: '/search', search: { q: query } as never })
  return [{ id: 'search', name: `Search for “${query}”`, icon: Search, where: 'in all documents', go }]
}

function useFiles(letters: string): Target[] {
  const toPlace = usePlaceOpener()
  const { data } = useQuery({ ...steadyQuery('ls', { match: letters, limit: MAX_RESULTS }), enabled: letters !== '' })
  if (letters === '') return []
  return (data?.documents ?? []).map(({ uri, path }) => {
    const collection = decodeURIComponent(uri.split('/')[2] ?? '')
    const name = path.slice(path.lastIndexOf('/') + 1)
    return { id: uri, name, icon: FileText, where: `${collection}/${path}`, go: toPlace(collection, path) }
  })
}

function useDocuments(words: string): Target[] {
  const toPlace = usePlaceOpener()
  const { data } = useQuery({ ...searchQuery({ query: words, limit: MAX_RESULTS }), enabled: words !== '' })
  if (words === '') return []
  return (data?.results ?? []).map(({ uri, title, collection, path }) => ({
    ...{ id: uri, name: title, icon: FileText, where: `${collection}/${path}` },
    go: toPlace(collection, path),
  }))
}

function usePlaceOpener() {
  const navigate = useNavigate()
  return (collection: string, path: string) => () => navigate(browseAt(collection, path))
}
