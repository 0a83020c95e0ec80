import { Upload, X } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { sizeOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'

interface FileDropProps {
  readonly files: readonly File[]
  readonly onChange: (files: readonly File[]) => void
}

/** Files that are dropped, or chosen by a click or a key. */
export function FileDrop({ files, onChange }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  const add = (list: FileList | null) => onChange([...files, ...(list ?? [])])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add(event.dataTransfer.files)
  }
  return (
    <div className="stack gap-1">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same for the keyboard. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          'flex items-center gap-2 rounded-md border border-dashed border-line-strong px-3 py-3 text-sm text-ink-2 has-focus-visible:outline-2 has-focus-visible:outline-accent',
          isOver && 'border-accent bg-selected',
        )}
      >
        <Upload aria-hidden className="size-4 shrink-0" />
        <label htmlFor={id} className="cursor-pointer">
          Drop files here, or <span className="text-accent underline">choose them</span>
        </label>
        <input
          id={id}
          type="file"
          multiple
          className="sr-only"
          onChange={({ target }) => {
            add(target.files)
            target.value = ''
          }}
        />
      </div>
      {files.length > 0 && (
        <ul aria-label="Selected files" className="stack">
          {files.map((file, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be of one name.
            <li key={at} className="flex min-h-7 items-center gap-2 text-sm">
              <span className="min-w-0 wrap-anywhere">
                <PlainText text={file.name} />
              </span>
              <span className="text-xs text-ink-3 tabular-nums">{sizeOf(file.size)}</span>
              <IconButton
                label={`Remove ${file.name}`}
                onClick={() => onChange(files.filter((_, each) => each !== at))}
              >
                <X />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
