import { CircleAlert, CircleCheck, FileText } from 'lucide-react'
import type { RunEvent, Session, SessionFile } from '../../api/sessions.ts'
import { counted, sizeOf } from '../../ui/format.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { PlainText } from '../../ui/PlainText.tsx'

/** The files of a session, and how far they are read. */
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
      <ul className="stack">
        {files.map((file) => (
          <Row key={file.id} file={file} />
        ))}
      </ul>
    </section>
  )
}

const SIGNS = {
  ready: <CircleCheck role="img" aria-label="read" className="text-good" />,
  error: <CircleAlert role="img" aria-label="could not be read" className="text-bad" />,
  uploaded: <FileText role="img" aria-label="uploaded" className="text-ink-3" />,
} as const

function Row({ file: { name, alias, size, status, reason, items_count } }: { readonly file: SessionFile }) {
  return (
    <li className="flex items-start gap-2 py-1 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {SIGNS[status]}
      <span className="min-w-0 flex-1 wrap-anywhere" title={name}>
        <PlainText text={alias} />
        {reason !== undefined && (
          <span className="block text-xs text-bad">
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

const SHOWN: Readonly<Record<string, 'parsing' | 'slice' | 'report'>> = {
  context_binding_parsing_started: 'parsing',
  context_binding_parsing_file_completed: 'parsing',
  context_for_node_ready: 'slice',
  report_context_attached: 'report',
}

/** What the run is given of the files at this moment; only where the server is started with it. */
export function DigestPane({ session, events }: { readonly session: Session; readonly events: readonly RunEvent[] }) {
  const { files_total, files_ready, files_error } = session.context_processing
  const last = events.findLast(({ type }) => type in SHOWN)
  const shown = SHOWN[last?.type ?? ''] ?? 'parsing'
  const node = session.nodes.find(({ id }) => id === last?.node_id)
  return (
    <section aria-label="Aggregate digest" className="stack min-w-0 gap-2 border-t border-line p-4">
      <h2 className="text-base font-semibold">
        Digest{shown === 'slice' && node && <span className="ml-2 font-mono text-xs text-ink-3">{node.id}</span>}
      </h2>
      {shown === 'report' && <p className="text-sm">Full context attached.</p>}
      {shown === 'parsing' && (
        <p className="text-sm tabular-nums">
          {files_ready + files_error} of {files_total} files parsed
          {files_error > 0 && `, ${files_error} of them could not be read`}.
        </p>
      )}
      {shown === 'slice' && node?.slice && <JsonValue value={node.slice} open={4} />}
    </section>
  )
}
