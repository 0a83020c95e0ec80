import type { DynamicToolUIPart } from 'ai'
import * as Icons from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { cn } from '../ui/cn.ts'
import { PlainText } from '../ui/PlainText.tsx'
import { Scroll } from '../ui/Scroll.tsx'

interface ToolRowProps {
  readonly call: DynamicToolUIPart
  /** Whether the answer that contains the call is in progress. */
  readonly isRunning: boolean
  readonly onApprove: (id: string, approved: boolean) => void
}

interface Mark {
  readonly icon: Icons.LucideIcon
  readonly name: string
  readonly look: string
}

const RUNNING: Mark = { icon: Icons.LoaderCircle, name: 'Running', look: 'animate-spin text-ink-3' }
const CUT: Mark = { icon: Icons.CircleSlash, name: 'Cut off', look: 'text-ink-3' }
const MARKS: Readonly<Record<string, Mark>> = {
  'output-available': { icon: Icons.Check, name: 'Done', look: 'text-good' },
  'output-error': { icon: Icons.TriangleAlert, name: 'Failed', look: 'text-warn' },
  'output-denied': { icon: Icons.CircleSlash, name: 'Refused', look: 'text-ink-3' },
  'approval-requested': { icon: Icons.CircleUser, name: 'Waits for you', look: 'text-warn' },
}

/** A call of a tool: a faint line that unfolds to its input and output. */
export function ToolRow({ call, isRunning, onApprove }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { icon: Icon, name } = toolOf(call.toolName)
  const isUnderWay = call.state === 'output-available' && call.preliminary === true
  const mark = (isUnderWay ? undefined : MARKS[call.state]) ?? (isRunning ? RUNNING : CUT)
  const resultTitle = isUnderWay ? 'So far' : 'Result'
  const words = wordsOf(call.input)
  return (
    <li className="rounded-sm bg-surface text-xs text-ink-3">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex h-7 w-full items-center gap-1.5 rounded-sm px-1.5 text-left hover:bg-raised hover:text-ink-2"
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="font-medium">{name}</span>
        <PlainText as="span" title={words} className="min-w-0 flex-1 truncate" text={words} />
        <mark.icon role="img" aria-label={mark.name} className={cn('size-3.5 shrink-0', mark.look)} />
        <Icons.ChevronRight aria-hidden className={cn('size-3.5 shrink-0', isOpen && 'rotate-90')} />
      </button>
      {call.state === 'approval-requested' && <Approval call={call} onApprove={onApprove} />}
      {isOpen && (
        <div id={id} className="stack gap-1.5 px-2 pb-2">
          <Detail title="Input" text={JSON.stringify(call.input, null, 2)} />
          <Detail title={call.state === 'output-error' ? 'What went wrong' : resultTitle} text={resultOf(call)} />
        </div>
      )}
    </li>
  )
}

function resultOf({ state, output, errorText }: DynamicToolUIPart): string {
  if (state === 'output-error') return errorText ?? ''
  if (state === 'output-denied') return 'You refused it: nothing was done.'
  if (typeof output === 'string') return output
  return state === 'output-available' ? JSON.stringify(output, null, 2) : 'None yet.'
}

const DETAIL = 'font-mono text-xs leading-4.5 wrap-anywhere whitespace-pre-wrap text-ink-2'

function Detail({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="stack gap-0.5">
      <p className="font-medium text-ink-2">{title}</p>
      <Scroll label={title} className="max-h-72 overflow-auto rounded-sm border border-line bg-canvas p-1.5">
        <PlainText as="pre" className={DETAIL} text={text} />
      </Scroll>
    </div>
  )
}

/** The question of an approval, and the labels of its buttons. */
const QUESTIONS = {
  write: ['May the assistant do this?', 'Allow once', 'Refuse'],
  trust: ['Follow these files, and later ones?', 'Always', 'Never'],
} as const

/** Asks whether the assistant may write, or whether to trust an address, and shows the details. */
function Approval({ call, onApprove }: Omit<ToolRowProps, 'isRunning'>) {
  const { id = '' } = call.approval ?? {}
  const [question, yes, no] = QUESTIONS[call.toolName === 'trust' ? 'trust' : 'write']
  return (
    <fieldset className="m-1.5 stack gap-2 rounded-md border border-line-strong bg-canvas p-2 text-sm text-ink">
      <legend className="px-1 font-medium">{question}</legend>
      <dl className="stack gap-1">
        {Object.entries(Object(call.input)).map(([name, value]) => (
          <div key={name}>
            <PlainText as="dt" className="text-xs text-ink-3" text={name} />
            <PlainText as="dd" className="wrap-anywhere whitespace-pre-wrap" text={textOf(value)} />
          </div>
        ))}
      </dl>
      <div className="flex gap-2">
        <Button look="main" onClick={() => onApprove(id, true)}>
          {yes}
        </Button>
        <Button onClick={() => onApprove(id, false)}>{no}</Button>
      </div>
    </fieldset>
  )
}

/** Label of each tool. */
const TOOLS: Readonly<Record<string, Pick<Mark, 'icon' | 'name'>>> = {
  search: { icon: Icons.Search, name: 'Search' },
  read: { icon: Icons.BookOpen, name: 'Read' },
  list: { icon: Icons.FolderTree, name: 'List' },
  context_for: { icon: Icons.Layers, name: 'Context' },
  path_contexts: { icon: Icons.Layers, name: 'Descriptions' },
  packages: { icon: Icons.Package, name: 'Packages' },
  package_entries: { icon: Icons.PackageOpen, name: 'Entries' },
  package_diff: { icon: Icons.FileDiff, name: 'Compare' },
  preview: { icon: Icons.Eye, name: 'Preview' },
  navigate: { icon: Icons.Compass, name: 'Go to' },
  set_path_context: { icon: Icons.PencilLine, name: 'Write' },
  delegate: { icon: Icons.Bot, name: 'Delegate' },
  trust: { icon: Icons.ShieldCheck, name: 'Trust' },
}

/** The label of a tool. Tools of other servers keep their names. */
function toolOf(name: string) {
  return (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined) ?? { icon: Icons.Wrench, name }
}

/** The input of a call, on one line. */
function wordsOf(input: unknown): string {
  return Object.values(Object(input)).map(textOf).join(' · ').replace(/\s+/g, ' ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
