import type { DynamicToolUIPart } from 'ai'
import {
  BookOpen,
  Bot,
  Check,
  ChevronRight,
  CircleSlash,
  CircleUser,
  Compass,
  Eye,
  FileDiff,
  FolderTree,
  Layers,
  LoaderCircle,
  type LucideIcon,
  Package,
  PackageOpen,
  PencilLine,
  Search,
  ShieldCheck,
  TriangleAlert,
  Wrench,
} from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { cn } from '../ui/cn.ts'
import { PlainText } from '../ui/PlainText.tsx'
import { Scroll } from '../ui/Scroll.tsx'

interface ToolRowProps {
  readonly call: DynamicToolUIPart
  /** Whether the answer that it is of is still on its way. */
  readonly isRunning: boolean
  readonly onApprove: (id: string, approved: boolean) => void
}

interface Mark {
  readonly icon: LucideIcon
  readonly name: string
  readonly look: string
}

const RUNNING: Mark = { icon: LoaderCircle, name: 'Running', look: 'animate-spin text-ink-3' }
const ASKING: Mark = { icon: CircleUser, name: 'Waits for you', look: 'text-warn' }
const CUT: Mark = { icon: CircleSlash, name: 'Cut off', look: 'text-ink-3' }
const MARKS: Readonly<Record<string, Mark>> = {
  'output-available': { icon: Check, name: 'Done', look: 'text-good' },
  'output-error': { icon: TriangleAlert, name: 'Failed', look: 'text-warn' },
  'output-denied': { icon: CircleSlash, name: 'Refused', look: 'text-ink-3' },
  'approval-requested': ASKING,
}

/** One call of a tool: a faint line, and behind it all that went in and came out. */
export function ToolRow({ call, isRunning, onApprove }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { icon: Icon, name } = toolOf(call.toolName)
  const isUnderWay = call.state === 'output-available' && call.preliminary === true
  const mark = (isUnderWay ? undefined : MARKS[call.state]) ?? (isRunning ? RUNNING : CUT)
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
        <ChevronRight aria-hidden className={cn('size-3.5 shrink-0', isOpen && 'rotate-90')} />
      </button>
      {call.state === 'approval-requested' && <Approval call={call} onApprove={onApprove} />}
      {isOpen && (
        <div id={id} className="stack gap-1.5 px-2 pb-2">
          <Detail title="Input" text={JSON.stringify(call.input, null, 2)} />
          <Detail
            title={call.state === 'output-error' ? 'What went wrong' : isUnderWay ? 'So far' : 'Result'}
            text={resultOf(call)}
          />
        </div>
      )}
    </li>
  )
}

function resultOf({ state, output, errorText }: DynamicToolUIPart): string {
  if (state === 'output-error') return errorText ?? ''
  if (state === 'output-denied') return 'You refused it: nothing was done.'
  return typeof output === 'string'
    ? output
    : state === 'output-available'
      ? JSON.stringify(output, null, 2)
      : 'None yet.'
}

function Detail({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="stack gap-0.5">
      <p className="font-medium text-ink-2">{title}</p>
      <Scroll label={title} className="max-h-72 overflow-auto rounded-sm border border-line bg-canvas p-1.5">
        <PlainText
          as="pre"
          className="font-mono text-xs leading-4.5 wrap-anywhere whitespace-pre-wrap text-ink-2"
          text={text}
        />
      </Scroll>
    </div>
  )
}

/** What a person is asked, and their answers. */
const QUESTIONS = {
  write: ['May the assistant do this?', 'Allow once', 'Refuse'],
  trust: ['Follow these files, and later ones?', 'Always', 'Never'],
} as const

/** Asks whether the assistant may write, or whom to trust, and shows what. */
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
            <PlainText
              as="dd"
              className="wrap-anywhere whitespace-pre-wrap"
              text={typeof value === 'string' ? value : JSON.stringify(value)}
            />
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

interface Tool {
  readonly icon: LucideIcon
  /** Its action, in a word or two. */
  readonly name: string
}

const TOOLS: Readonly<Record<string, Tool>> = {
  search: { icon: Search, name: 'Search' },
  read: { icon: BookOpen, name: 'Read' },
  list: { icon: FolderTree, name: 'List' },
  context_for: { icon: Layers, name: 'Context' },
  path_contexts: { icon: Layers, name: 'Descriptions' },
  packages: { icon: Package, name: 'Packages' },
  package_entries: { icon: PackageOpen, name: 'Entries' },
  package_diff: { icon: FileDiff, name: 'Compare' },
  preview: { icon: Eye, name: 'Look' },
  navigate: { icon: Compass, name: 'Go to' },
  set_path_context: { icon: PencilLine, name: 'Write' },
  delegate: { icon: Bot, name: 'Delegate' },
  trust: { icon: ShieldCheck, name: 'Trust' },
}

/** Those of other servers keep their names. */
function toolOf(name: string): Tool {
  return (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined) ?? { icon: Wrench, name }
}

/** Query of a call, in a line. */
function wordsOf(input: unknown): string {
  const values = Object.values(Object(input)).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return values.join(' · ').replace(/\s+/g, ' ')
}
