import { Upload } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { Attachments } from '../../ui/Attachments.tsx'
import { cn } from '../../ui/cn.ts'
import { sizeOf } from '../../ui/format.ts'

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
      <Attachments
        label="Selected files"
        files={files.map(({ name, size }) => ({ name: `${name} · ${sizeOf(size)}` }))}
        onRemove={(at) => onChange(files.filter((_, each) => each !== at))}
      />
    </div>
  )
}
