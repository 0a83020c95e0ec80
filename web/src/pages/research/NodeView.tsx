import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SessionNode } from '../../api/sessions.ts'
import { IconButton } from '../../ui/Button.tsx'
import { countOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Status } from './Status.tsx'
import { evidenceName } from './Tree.tsx'

interface NodeViewProps {
  readonly node: SessionNode
  /** Whether the run has ended or waits for the person. */
  readonly isHalted: boolean
  onClose(): void
}

/** A question of a run: its findings, its slice (the items of the files that it got as evidence), and its gaps. */
export function NodeView({ node, isHalted, onClose }: NodeViewProps) {
  const { id, question, status, findings, gaps, reasoning, queries } = node
  return (
    <section aria-label={`Question ${id}`} className="stack gap-4 p-4 text-sm wrap-anywhere">
      <header className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 text-base font-semibold">
          <span className="mr-2 font-mono text-xs font-normal text-ink-3">{id}</span>
          <PlainText text={question} />
        </h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      <Status status={status} isHalted={isHalted} />
      <PlainText as="p" className="text-ink-2" text={reasoning} />
      <Part title={countOf(findings.length, 'finding')}>
        {findings.map(({ text, ref, kind }) => (
          <li key={`${ref} ${text}`} className="border-l-2 border-line-strong pl-3">
            <PlainText text={text} />
            <p className="text-xs text-ink-3">
              from {evidenceName(kind)}: <PlainText text={ref} />
            </p>
          </li>
        ))}
      </Part>
      <SliceView node={node} />
      <Part title="Open questions">{gaps.map(lineOf)}</Part>
      <Part title="Searched for">{queries.map(lineOf)}</Part>
    </section>
  )
}

function lineOf(text: string): ReactNode {
  return <PlainText as="li" key={text} text={text} />
}

/** A list under its title; nothing if the list is empty. */
function Part({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section className="stack gap-1.5">
      <h3 className="text-xs font-medium text-ink-3">{title}</h3>
      <ul className="stack gap-2">{children}</ul>
    </section>
  )
}

const MODES: Readonly<Record<string, string>> = {
  root: 'all of them',
  routed: 'chosen for this question',
  fallback: 'chosen by words, because the model failed',
  passthrough: 'the same as for the question above',
  none: 'none available',
}

function SliceView({ node: { slice, orphans } }: { readonly node: SessionNode }) {
  if (!slice) return null
  const { mode, selection_reason, coverage_note, selected_items_count, dropped_items_count: dropped } = slice
  const facts = [
    `${countOf(selected_items_count, 'item')}, ${MODES[mode] ?? mode}`,
    ...(dropped > 0 ? [`${countOf(dropped, 'item')} of the question above left out`] : []),
    ...(orphans.length > 0 ? [`${countOf(orphans.length, 'item')} not used by any part of the question`] : []),
  ]
  return (
    <section className="stack gap-1.5">
      <h3 className="text-xs font-medium text-ink-3">Evidence from your files</h3>
      <p className="tabular-nums">{facts.join('; ')}</p>
      <PlainText as="p" className="text-ink-2" text={`${selection_reason} ${coverage_note}`.trim()} />
      <ul className="stack gap-1">
        {slice.selected_items?.map(({ id, kind, text }) => (
          <li key={id}>
            <span className="mr-2 font-mono text-xs text-ink-3">
              {id} {kind}
            </span>
            <PlainText text={text} />
          </li>
        ))}
      </ul>
    </section>
  )
}
