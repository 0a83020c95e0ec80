import { Paperclip, X } from 'lucide-react'
import { IconButton } from './Button.tsx'
import { Name } from './PlainText.tsx'

interface Attachment {
  readonly name: string
  /** The URL of an image to show. */
  readonly url?: string | undefined
}

interface AttachmentsProps {
  /** Default "Attachments". */
  readonly label?: string
  readonly files: readonly Attachment[]
  /** Absent for files that were already sent. */
  readonly onRemove?: (at: number) => void
}

/** Attached files, as a list. */
export function Attachments({ label = 'Attachments', files, onRemove }: AttachmentsProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {files.map(({ name, url }, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name.
          key={at}
          className="flex max-w-full min-w-0 items-center gap-1.5 rounded-md border border-line bg-canvas px-1.5 py-1 text-xs text-ink-2"
        >
          {url === undefined ? (
            <Paperclip aria-hidden className="size-3.5 shrink-0" />
          ) : (
            <img src={url} alt="" className="size-8 shrink-0 rounded-sm object-cover" />
          )}
          <Name className="min-w-0 wrap-anywhere" text={name} />
          {onRemove && <IconButton icon={X} label={`Remove ${name}`} onClick={() => onRemove(at)} className="size-6" />}
        </li>
      ))}
    </ul>
  )
}
