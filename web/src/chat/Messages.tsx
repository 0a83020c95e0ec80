import { Brain, GitBranch, Pencil, RotateCcw } from 'lucide-react'
import { Fragment, useRef, useState } from 'react'
import { isBuiltIn, modelName } from '../api/chat.ts'
import { SetModelButton } from '../frame/ServiceDialog.tsx'
import { Attachments } from '../ui/Attachments.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Copy } from '../ui/Copy.tsx'
import { legible } from '../ui/controls.ts'
import { Form, Textarea } from '../ui/Field.tsx'
import { numberOf } from '../ui/format.ts'
import { PlainText } from '../ui/PlainText.tsx'
import { richText } from '../ui/rich-text.ts'
import { AnswerText, SourceCard } from './AnswerText.tsx'
import { attachmentOf, type QuestionInput } from './Composer.tsx'
import { ServerQuestionForm } from './ServerQuestionForm.tsx'
import type { AnswerMetadata, Message } from './session.ts'
import { placeOfCitation, splitAtPlaces } from './source-places.ts'
import { ToolRow } from './ToolRow.tsx'

const NO_CITATIONS: NonNullable<AnswerMetadata['citations']> = []

export function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

interface QuestionProps {
  readonly message: Message
  readonly isBusy: boolean
  readonly onEdit: (given: QuestionInput) => void
}

/** The person's question, in a light block. */
export function Question({ message, isBusy, onEdit }: QuestionProps) {
  const [draft, setDraft] = useState<string>()
  const text = textOf(message)
  const files = message.parts.filter((part) => part.type === 'file')
  const attachments = files.map(attachmentOf)
  if (draft !== undefined) {
    const send = () => {
      setDraft(undefined)
      if (draft.trim() !== '') onEdit({ text: draft, files })
    }
    return (
      <Form className="stack gap-2 rounded-md bg-raised p-2" onSubmit={send}>
        <Textarea
          aria-label="The question"
          autoFocus
          value={draft}
          onText={setDraft}
          onKeyDown={({ key }) => key === 'Escape' && setDraft(undefined)}
        />
        <Attachments files={attachments} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => setDraft(undefined)}>Cancel</Button>
          <Button look="main" type="submit">
            Ask again
          </Button>
        </div>
      </Form>
    )
  }
  return (
    <article aria-label="You asked" className="group relative rounded-md bg-raised px-3 py-2">
      <p className="text-base wrap-anywhere whitespace-pre-wrap">{legible(text)}</p>
      <div className="pt-2 empty:hidden">
        <Attachments files={attachments} />
      </div>
      <div className="absolute top-1 right-1 flex rounded-md bg-raised opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:static pointer-coarse:-mb-1 pointer-coarse:justify-end pointer-coarse:opacity-100">
        <Copy text={text} label="Copy the question" />
        <IconButton icon={Pencil} label="Edit the question" disabled={isBusy} onClick={() => setDraft(text)} />
      </div>
    </article>
  )
}

interface AnswerProps {
  readonly message: Message
  readonly isRunning: boolean
  readonly isBusy: boolean
  readonly onRetry: () => void
  readonly onApprove: (id: string, approved: boolean) => void
  /** Starts a new conversation from a copy of this one, up to this answer. */
  readonly onBranch: () => void
}

/** An answer: its prose, tool calls and sources. */
export function Answer({ message, isRunning, isBusy, onRetry, onApprove, onBranch }: AnswerProps) {
  const { citations = NO_CITATIONS, usage, model, end, compacted, checked } = message.metadata ?? {}
  const content = useRef<HTMLDivElement>(null)
  const text = textOf(message)
  // An answer that is only an error gets no buttons: the error says what to do.
  const isOnlyError = text === '' && end?.message !== undefined
  const endText = isRunning ? undefined : findEndText(end, message)
  // A source with a card in the text is not listed again.
  const inText = new Set(splitAtPlaces(text, citations).map((part) => (typeof part === 'string' ? 0 : part.number)))
  const unshownSources = citations.filter(({ number }) => !inText.has(number))
  return (
    <article aria-label="The assistant answered" aria-busy={isRunning} className="stack gap-2">
      {compacted && (
        <p className="text-xs text-ink-3 tabular-nums">
          Earlier messages were summarised: {numberOf(compacted.before)} tokens became {numberOf(compacted.after)}.
        </p>
      )}
      <div ref={content} className="stack gap-2">
        <Parts message={message} citations={citations} isRunning={isRunning} onApprove={onApprove} />
        {unshownSources.length > 0 && (
          <ol aria-label="Sources" className="stack gap-1.5">
            {unshownSources.map((cited) => (
              <li key={cited.number}>
                <SourceCard {...placeOfCitation(cited)} />
              </li>
            ))}
          </ol>
        )}
        {checked && <Doubts of={checked.doubts} />}
      </div>
      {endText !== undefined && <p className="text-sm text-ink-2">{endText}</p>}
      {!isRunning && !awaitsApproval(message) && !isOnlyError && (
        <div className="-mt-1 -ml-1.5 flex flex-wrap items-center text-ink-3">
          <Copy text={text} html={() => (content.current ? richText(content.current) : '')} label="Copy the answer" />
          <IconButton icon={RotateCcw} label="Answer again" disabled={isBusy} onClick={onRetry} />
          <IconButton icon={GitBranch} label="Branch from this answer" disabled={isBusy} onClick={onBranch} />
          <span className="min-w-0 flex-1 wrap-anywhere pl-1 text-xs tabular-nums">{usageText(model, usage)}</span>
          {isBuiltIn(model) && <SetModelButton />}
        </div>
      )}
    </article>
  )
}

/** Statements that their sources do not support, with the reasons. */
function Doubts({ of }: { readonly of: NonNullable<AnswerMetadata['checked']>['doubts'] }) {
  return (
    <details className="text-sm text-ink-2">
      <summary className="w-fit rounded-sm leading-7 hover:bg-raised">
        {of.length === 1 ? '1 statement is' : `${of.length} statements are`} not supported by the source
      </summary>
      <ul className="stack gap-1">
        {of.map(({ text, why }) => (
          <li key={text}>
            <PlainText text={`${text} ${why}`} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Maximum number of steps to show unfolded. */
const FEW_STEPS = 3

interface PartsProps extends Pick<AnswerProps, 'message' | 'isRunning' | 'onApprove'> {
  readonly citations: typeof NO_CITATIONS
}

function Parts({ message, citations, isRunning, onApprove }: PartsProps) {
  return groupsOf(message).map((group, at) => {
    if (typeof group === 'string') {
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added.
      return <AnswerText key={at} text={group} citations={citations} />
    }
    if ('data' in group)
      return <ServerQuestionForm key={group.id} id={group.id ?? ''} question={group.data} isRunning={isRunning} />
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added.
    if (!Array.isArray(group)) return <Thought key={at} text={group.thought} />
    const steps = (
      <ul aria-label="Steps" className="stack gap-0.5">
        {group.map((call, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: some models give two calls one id.
          <ToolRow key={row} call={call} isRunning={isRunning} onApprove={onApprove} />
        ))}
      </ul>
    )
    // Many steps are folded when the answer is complete.
    const isFolded = !isRunning && group.length > FEW_STEPS && !awaitsApproval(message)
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added.
    if (!isFolded) return <Fragment key={at}>{steps}</Fragment>
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added.
      <details key={at} className="text-xs text-ink-3">
        <summary className="w-fit rounded-sm px-1.5 leading-7 hover:bg-raised">{group.length} steps</summary>
        {steps}
      </details>
    )
  })
}

type ToolCall = Extract<Message['parts'][number], { readonly type: 'dynamic-tool' }>
type QuestionPart = Extract<Message['parts'][number], { readonly type: 'data-question' }>

const THOUGHT_CLASS = 'max-h-72 overflow-y-auto px-2 pb-2 wrap-anywhere whitespace-pre-wrap text-ink-2'

/** Reasoning of the model, folded. */
function Thought({ text }: { readonly text: string }) {
  return (
    <details className="rounded-sm bg-surface text-xs text-ink-3">
      <summary className="flex h-7 cursor-default items-center gap-1.5 rounded-sm px-1.5 hover:bg-raised">
        <Brain aria-hidden className="size-3.5" />
        <span className="font-medium">Thinking</span>
      </summary>
      <PlainText as="p" className={THOUGHT_CLASS} text={text} />
    </details>
  )
}

/** What an answer shows, in order: texts, thoughts, questions of tool servers, and groups of consecutive tool calls. */
function groupsOf({ parts, metadata }: Message) {
  const lastText = parts.findLastIndex(({ type }) => type === 'text')
  const groups: (string | { thought: string } | QuestionPart | ToolCall[])[] = []
  for (const [at, part] of parts.entries()) {
    const before = groups.at(-1)
    if (part.type === 'text' && part.text.trim() !== '')
      groups.push(at === lastText ? (metadata?.checked?.text ?? part.text) : part.text)
    if (part.type === 'reasoning' && part.text.trim() !== '') groups.push({ thought: part.text })
    if (part.type === 'data-question') groups.push(part)
    if (part.type !== 'dynamic-tool') continue
    if (Array.isArray(before)) before.push(part)
    else groups.push([part])
  }
  return groups
}

const END_REASONS: Readonly<Record<string, string>> = {
  'step-limit': 'Stopped: the limit of steps was reached.',
  'token-limit': 'The answer is incomplete: the token limit was reached.',
  'cost-limit': 'The answer is incomplete: the cost limit was reached.',
  'time-limit': 'The answer is incomplete: the time limit was reached.',
  loop: 'Stopped: the model repeated the same calls.',
  cancelled: 'You stopped the answer.',
}

/** The text that says why an answer ended. `AnswerError` shows errors. */
function findEndText(end: AnswerMetadata['end'], message: Message): string | undefined {
  if (end) return END_REASONS[end.reason]
  return awaitsApproval(message) ? undefined : 'The answer was cut off. “Answer again” starts it again.'
}

/** Whether an answer waits for the person's approval. */
export function awaitsApproval({ parts, metadata }: Message): boolean {
  const isOpen = parts.some((part) => part.type === 'dynamic-tool' && part.state === 'approval-requested')
  return isOpen && metadata?.end === undefined
}

function usageText(model: string | undefined, usage: AnswerMetadata['usage']): string {
  const tokens = usage && usage.input + usage.output > 0 ? `${numberOf(usage.input + usage.output)} tokens` : ''
  const cost = usage?.cost ? `$${usage.cost.toFixed(4)}` : ''
  return [modelName(model), tokens, cost].filter(Boolean).join(' · ')
}
