import { CircleAlert, CircleCheck, FileText } from 'lucide-react'
import type { Session, SessionFile } from '../../api/sessions.ts'
import { counted, sizeOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'

/** The files of a session, and how far they are. */
export function Files({ session: { files, context_processing } }: { readonly session: Session }) {
  const { files_total, files_ready, files_error, status } = context_processing
  return (
    <section aria-labelledby="files" className="stack gap-1 p-4">
      <h2 id="files" className="flex items-baseline gap-2 text-base font-semibold">
        Files
        {status === 'parsing' && (
          <span role="status" className="text-xs font-normal text-ink-3 tabular-nums">
            {files_ready + files_error} of {files_total} read
          </span>
        )}
      </h2>
      {files.length === 0 && <p className="text-sm text-ink-3">No files.</p>}
      <ul className="stack">
        {files.map((file) => (
          <Row key={file.id} file={file} />
        ))}
      </ul>
    </section>
  )
}

function Row({ file: { name, alias, size, status, reason, items_count } }: { readonly file: SessionFile }) {
  return (
    <li className="flex items-start gap-2 py-1 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {status === 'ready' && <CircleCheck role="img" aria-label="read" className="text-good" />}
      {status === 'error' && <CircleAlert role="img" aria-label="could not be read" className="text-bad" />}
      {status === 'uploaded' && <FileText role="img" aria-label="uploaded" className="text-ink-3" />}
      <span className="min-w-0 flex-1">
        <span className="block wrap-anywhere" title={name}>
          <PlainText text={alias} />
        </span>
        {reason !== undefined && (
          <span className="block text-xs text-bad wrap-anywhere">
            <PlainText text={reason} />
          </span>
        )}
      </span>
      <span className="shrink-0 text-xs leading-[18px] text-ink-3 tabular-nums">
        {items_count === undefined || status === 'error' ? sizeOf(size) : counted(items_count, 'item')}
      </span>
    </li>
  )
}
