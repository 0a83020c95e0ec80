import type { RunEvent, Session } from '../../api/sessions.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'

interface DigestPaneProps {
  readonly session: Session
  readonly events: readonly RunEvent[]
}

/** What the run is given of the files at this moment. It is there only where the server is asked to show it. */
export function DigestPane({ session, events }: DigestPaneProps) {
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

const SHOWN: Readonly<Record<string, 'parsing' | 'slice' | 'report'>> = {
  context_binding_parsing_started: 'parsing',
  context_binding_parsing_file_completed: 'parsing',
  context_for_node_ready: 'slice',
  report_context_attached: 'report',
}
