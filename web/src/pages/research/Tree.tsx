import { Pin } from 'lucide-react'
import type { SessionNode } from '../../api/sessions.ts'
import { cn } from '../../ui/cn.ts'
import { counted } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { mixOf } from './evidence.ts'
import { Status } from './Status.tsx'

interface TreeProps {
  readonly nodes: readonly SessionNode[]
  readonly chosen: string | undefined
  /** Nothing happens in the run now. */
  readonly isHalted: boolean
  readonly onChoose: (id: string) => void
}

/** The questions of a run, each under the one that it is part of. */
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
              <span className="line-clamp-3 wrap-anywhere">
                <PlainText text={node.question} />
              </span>
              <Facts node={node} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Facts({ node: { findings, slice, pinned } }: { readonly node: SessionNode }) {
  const mix = mixOf(findings)
  const most = Math.max(1, ...mix.map(({ count }) => count))
  return (
    <span className="mt-0.5 flex min-h-4 items-center gap-2 text-xs text-ink-3 tabular-nums">
      {mix.length > 0 && (
        <span
          role="img"
          aria-label={`Evidence: ${mix.map(({ count, name }) => `${count} from ${name}`).join(', ')}`}
          title={mix.map(({ count, name }) => `${count} from ${name}`).join(', ')}
          className="flex h-3 items-end gap-px"
        >
          {mix.map(({ kind, colour, count }) => (
            <span
              key={kind}
              className={cn('w-1.5 rounded-[1px]', colour)}
              style={{ height: `${(100 * count) / most}%` }}
            />
          ))}
        </span>
      )}
      {slice && <span>{counted(slice.selected_items_count, 'item')}</span>}
      {pinned && <Pin role="img" aria-label="pinned" className="size-3" />}
    </span>
  )
}
