import { useQuery } from '@tanstack/react-query'
import { CornerLeftUp, Folder } from 'lucide-react'
import { steadyQuery } from '../../api/client.ts'
import { useDebounced } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'

interface FolderPickerProps {
  /** The typed or chosen place. */
  readonly place: string
  readonly onChoose: (path: string) => void
}

/** Milliseconds after the last letter. */
const PAUSE = 200

/** The folders of a folder, within those that the server may read. What is typed and not there leaves the list as it was. */
export function FolderPicker({ place, onChoose }: FolderPickerProps) {
  const later = useDebounced(place.trim(), PAUSE)
  const { data, error } = useQuery({ ...steadyQuery('browse', { disk: later === '' ? '.' : later }), retry: false })
  if (!data) return error ? null : <div className="h-40" />
  const { path, parent = null, directories = [] } = data
  return (
    <fieldset className="stack rounded-md border border-line">
      <legend className="ml-2 px-1 font-mono text-xs wrap-anywhere text-ink-3">
        <Name text={path} />
      </legend>
      <ul aria-label={`Folders in ${path}`} className="max-h-40 min-h-8 overflow-y-auto py-1">
        {parent !== null && (
          <li>
            <button type="button" className={ROW} onClick={() => onChoose(parent)}>
              <CornerLeftUp aria-hidden className="size-4 shrink-0 text-ink-3" />
              Up to {parent.slice(parent.lastIndexOf('/') + 1) || '/'}
            </button>
          </li>
        )}
        {directories.map((directory) => (
          <li key={directory.path}>
            <button type="button" className={ROW} onClick={() => onChoose(directory.path)}>
              <Folder aria-hidden className="size-4 shrink-0 text-accent" />
              <Name text={directory.name} className="min-w-0 flex-1 basis-40 wrap-anywhere" />
              {directory.collection !== undefined && (
                <span className="min-w-0 text-xs wrap-anywhere text-ink-3">added as {directory.collection}</span>
              )}
            </button>
          </li>
        ))}
        {directories.length === 0 && <li className="px-3 py-1 text-xs text-ink-3">No folders in here.</li>}
      </ul>
    </fieldset>
  )
}

const ROW = 'flex min-h-7 w-full flex-wrap items-center gap-x-2 px-3 py-0.5 text-left hover:bg-raised'
