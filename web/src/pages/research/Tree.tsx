import { Pin } from 'lucide-react'
import type { Finding, SessionNode } from '../../api/sessions.ts'
import { cn } from '../../ui/cn.ts'
import { countOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Status } from './Status.tsx'

const EVIDENCE = [
  { kind: 'context', name: 'files', colour: 'bg-kind-digest' },
  { kind: 'collections', name: 'collections', colour: 'bg-kind-path' },
  { kind: 'web', name: 'the web', colour: 'bg-accent' },
  { kind: 'earlier', name: 'earlier research', colour: 'bg-kind-instruction' },
] as const

/** The name of a kind of evidence, as in "3 from the web". */
export function evidenceName(kind: string): string {
  return EVIDENCE.find((each) => each.kind === kind)?.name ?? kind
}

interface TreeProps {
  readonly nodes: readonly SessionNode[]
  readonly chosen: string | undefined
  /** Whether the run has ended or waits for the person. */
  readonly isHalted: boolean
  readonly onChoose: (id: string) => void
}

/** The questions of a run as a tree. */
export function Tree({ nodes, chosen, isHalted, onChoose }: TreeProps) {
  return (
    <ul aria-label="Questions" className="stack py-1">
      {nodes.map((node) => (
        <li key={node.id} style={{ paddingLeft: `${(node.depth - 1) * 16}px` }}>
          <button
            type="button"
            aria-current={node.id === chosen ? 'true' : undefined}
            onClick={() => onChoose(node.id)}
            className="flex w-full items-start gap-2 px-3 py-1.5 text-left text-sm hover:bg-surface aria-[current]:bg-selected"
          >
            <Status status={node.status} isHalted={isHalted} isBare />
            <span className="min-w-8 shrink-0 font-mono text-xs leading-[18px] text-ink-3">{node.id}</span>
            <span className="min-w-0 flex-1">
              <PlainText as="span" className="line-clamp-3 wrap-anywhere" text={node.question} />
              <span className="mt-0.5 flex min-h-4 items-center gap-2 text-xs text-ink-3 tabular-nums">
                <EvidenceBars findings={node.findings} />
                {node.slice && <span>{countOf(node.slice.selected_items_count, 'item')}</span>}
                {node.pinned && <Pin role="img" aria-label="pinned" className="size-3" />}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The number of findings from each kind of evidence. */
function EvidenceBars({ findings }: { readonly findings: readonly Finding[] }) {
  const counts = EVIDENCE.map((each) => ({ ...each, count: findings.filter(({ kind }) => kind === each.kind).length }))
  const bars = counts.filter(({ count }) => count > 0)
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const label = bars.map(({ count, name }) => `${count} from ${name}`).join(', ')
  if (bars.length === 0) return null
  return (
    <span role="img" aria-label={`Evidence: ${label}`} title={label} className="flex h-3 items-end gap-px">
      {bars.map(({ kind, colour, count }) => (
        <span key={kind} className={cn('w-1.5 rounded-[1px]', colour)} style={{ height: `${(100 * count) / most}%` }} />
      ))}
    </span>
  )
}
