/** An answer as people see it, in the AI SDK's format for user interfaces, so that clients of that SDK can show it. */

import { omitUndefined } from '../core/omit-undefined.ts'
import { bytes4 } from '../core/tokens.ts'
import type { AssistantPart, Attachment, Message, Usage } from '../models/language.ts'
import type { Exchange } from '../stores/conversation-store.ts'
import { oneLine } from '../text/controls.ts'
import { elementsOf, type FramedElement } from '../text/elements.ts'
import { SYSTEM } from './assistant/system.ts'
import type { AgentEvent } from './events.ts'
import type { ServerQuestion } from './tool.ts'

/** A call of a tool with its input and output. */
export interface ShownTool {
  readonly type: 'dynamic-tool'
  readonly toolCallId: string
  readonly toolName: string
  readonly state:
    | 'input-available'
    | 'approval-requested'
    | 'approval-responded'
    | 'output-available'
    | 'output-error'
    | 'output-denied'
  readonly input: unknown
  readonly output?: string
  /** The output is progress, not the result. */
  readonly preliminary?: boolean
  readonly errorText?: string
  readonly approval?: { readonly id: string; readonly approved?: boolean }
}

/** A file that the person sent. */
export interface ShownFile {
  readonly type: 'file'
  readonly mediaType: string
  readonly filename: string
  /** A `data:` URL. */
  readonly url: string
}

/** A question of a tool server to the person. The answer is not stored. */
export interface ShownQuestion {
  readonly type: 'data-question'
  readonly id: string
  readonly data: ServerQuestion & { readonly state: 'asked' | 'answered' | 'declined' }
}

export type ShownPart =
  | { readonly type: 'step-start' }
  | { readonly type: 'text'; readonly text: string; readonly state: 'streaming' | 'done' }
  /** The reasoning of the model. */
  | { readonly type: 'reasoning'; readonly text: string; readonly state: 'done' }
  | ShownTool
  | ShownFile
  | ShownQuestion

/** A section of a source that an answer cites. */
interface CitedSection {
  /** From 1. */
  readonly line: number
  /** The heading above the line. */
  readonly heading?: string
}

/** Facts about an answer, besides its text. */
export interface AnswerFacts extends Partial<Pick<Exchange, 'place' | 'model' | 'askedAt'>> {
  /** The size of the contexts that the model received. `parts`: number of elements. */
  readonly context?: { readonly place: string; readonly parts: number; readonly tokens: number }
  readonly usage?: Usage
  /** Sizes of the conversation before and after compaction, in tokens. */
  readonly compacted?: { readonly before: number; readonly after: number }
  /** `sections`: the cited parts of a source if they are several. */
  readonly citations?: readonly (Readonly<{ number: number; place: string }> &
    Partial<CitedSection> & { readonly sections?: readonly CitedSection[] })[]
  /**
   * The answer with a mark after each statement that its source does not support, and the reasons. Absent without such
   * statements.
   */
  readonly checked?: Readonly<{ text: string; doubts: readonly Readonly<{ text: string; why: string }>[] }>
  /** Absent until the answer has ended, and if it was cut off. */
  readonly end?: { readonly reason: string; readonly message?: string; readonly hint?: string }
}

/** A stored answer. */
export interface ShownAnswer {
  readonly parts: readonly ShownPart[]
  readonly facts: AnswerFacts
}

/** The events of an answer: from the agent, and from the conversation. */
export type ShownEvent =
  | AgentEvent
  /** A call waits for the approval of the person. */
  | { readonly type: 'approval'; readonly id: string; readonly approvalId: string }
  | { readonly type: 'approved'; readonly id: string; readonly approvalId: string; readonly isApproved: boolean }
  | { readonly type: 'question'; readonly part: ShownQuestion }
  | { readonly type: 'facts'; readonly facts: AnswerFacts }
  /** Shows the person a place. Not stored. */
  | { readonly type: 'navigate'; readonly place: string }

type EventEffects = { readonly [Type in ShownEvent['type']]?: (event: Extract<ShownEvent, { type: Type }>) => void }

export class AnswerBuilder {
  parts: readonly ShownPart[] = []
  facts: AnswerFacts = {}

  /** The answer so far, with its last text as if it were complete. */
  get answer(): ShownAnswer {
    return { parts: this.parts.map(endPart), facts: this.facts }
  }

  apply(event: ShownEvent): void {
    const effect = this.#effects[event.type] as ((event: ShownEvent) => void) | undefined
    effect?.(event)
  }

  /** The effect of each type of event. Other types change nothing. */
  readonly #effects: EventEffects = {
    step: () => this.#add({ type: 'step-start' }),
    text: ({ text }) => this.#appendText(text),
    thought: ({ text }) => this.#add({ type: 'reasoning', text, state: 'done' }),
    'tool-started': ({ id: toolCallId, tool: toolName, input }) =>
      this.#add({ type: 'dynamic-tool', toolCallId, toolName, input, state: 'input-available' }),
    approval: ({ id, approvalId }) =>
      this.#changeCall(id, { state: 'approval-requested', approval: { id: approvalId } }),
    approved: ({ id, approvalId, isApproved: approved }) =>
      this.#changeCall(id, { state: 'approval-responded', approval: { id: approvalId, approved } }),
    question: ({ part }) => {
      const index = this.parts.findIndex((one) => one.type === part.type && one.id === part.id)
      if (index === -1) this.#add(part)
      else this.parts = this.parts.with(index, part)
    },
    'tool-finished': ({ id, result: output }) =>
      this.#changeCall(id, { state: 'output-available', output, ...this.#finalChange(id) }),
    'tool-failed': ({ id, result }) => this.#failCall(id, result),
    within: ({ id, event }) => this.#addProgress(id, event),
    compacted: ({ before, after }) => this.#addFacts({ compacted: { before, after } }),
    usage: ({ total: usage }) => this.#addFacts({ usage }),
    facts: ({ facts }) => this.#addFacts(facts),
    end: ({ reason, error }) => {
      this.parts = this.parts.map(endPart)
      this.#addFacts({ end: { reason, ...(error && omitUndefined({ message: error.message, hint: error.hint })) } })
    },
  }

  #addFacts(facts: AnswerFacts): void {
    this.facts = { ...this.facts, ...facts }
  }

  /** Adds a part, and completes the text before it. */
  #add(part: ShownPart): void {
    this.parts = [...this.parts.map(endPart), part]
  }

  #appendText(text: string): void {
    const last = this.parts.at(-1)
    if (last?.type === 'text' && last.state === 'streaming') {
      this.parts = [...this.parts.slice(0, -1), { ...last, text: last.text + text }]
    } else this.#add({ type: 'text', text, state: 'streaming' })
  }

  #changeCall(id: string, change: Partial<ShownTool>): void {
    const part = this.#findCall(id)
    if (part) this.parts = this.parts.with(this.parts.lastIndexOf(part), { ...part, ...change })
  }

  /** The last call of this id: some models restart their numbers at each step. */
  #findCall(id: string): ShownTool | undefined {
    return this.parts.findLast((part): part is ShownTool => part.type === 'dynamic-tool' && part.toolCallId === id)
  }

  /** Marks the output of a call as final, if it was progress. */
  #finalChange(id: string): Partial<ShownTool> {
    return this.#findCall(id)?.preliminary ? { preliminary: false } : {}
  }

  /** Adds a line about an action within a call. */
  #addProgress(id: string, event: AgentEvent): void {
    if (event.type !== 'tool-finished' && event.type !== 'tool-failed') return
    const part = this.#findCall(id)
    const earlier = part?.preliminary ? part.output : ''
    const line = `${event.type === 'tool-finished' ? '✓' : '✗'} ${event.tool} ${JSON.stringify(event.input)}\n`
    this.#changeCall(id, { state: 'output-available', preliminary: true, output: `${earlier}${line}` })
  }

  #failCall(id: string, errorText: string): void {
    const isDenied = this.#findCall(id)?.approval?.approved === false
    const failure = { state: 'output-error', errorText, ...this.#finalChange(id) } as const
    this.#changeCall(id, isDenied ? { state: 'output-denied' } : failure)
  }
}

function endPart(part: ShownPart): ShownPart {
  return part.type === 'text' && part.state === 'streaming' ? { ...part, state: 'done' } : part
}

/** The text files of a message, which an answer may cite. */
export function textFilesOf(message: Message): readonly Attachment[] {
  const files = message.role === 'user' ? (message.files ?? []) : []
  return files.filter(({ mediaType }) => mediaType === 'text/plain')
}

/** The files that were sent with a question, among the messages of its exchange. */
export function filesSent(messages: unknown, question: string): readonly Attachment[] {
  const stored = Array.isArray(messages) ? (messages as readonly Message[]) : []
  const sent = stored.findLast((message) => message.role === 'user' && message.text === question)
  return sent?.role === 'user' ? (sent.files ?? []) : []
}

export function shownFile({ name: filename, mediaType, data }: Attachment): ShownFile {
  return { type: 'file', mediaType, filename, url: `data:${mediaType};base64,${data}` }
}

export function answerIdOf(questionId: string): string {
  return `${questionId}-answer`
}

/** Tags of elements that are not context, but describe it. */
const DESCRIBING_TAGS = new Set(['sources', 'place', 'view', 'notice'])

/** The elements of context in a conversation, in order. */
export function contextElements(messages: readonly Message[]): FramedElement[] {
  return elementsOf(contextTextIn(messages)).filter(({ tag }) => !DESCRIBING_TAGS.has(tag))
}

/** The size of the contexts of a conversation. */
export function contextSizeIn(messages: readonly Message[]): { readonly parts: number; readonly tokens: number } {
  return { parts: contextElements(messages).length, tokens: bytes4(contextTextIn(messages)) }
}

/** The contexts of a conversation as text. */
export function contextTextIn(messages: readonly Message[]): string {
  return messages.flatMap((message) => (message.role === 'context' ? [message.text] : [])).join('')
}

/** The texts of a message that come from places and tools, not from the person or the model. */
export function givenTexts(message: Message): readonly string[] {
  if (message.role === 'context') return [message.text]
  return message.role === 'tool' ? message.results.map(({ text }) => text) : []
}

/** The conversation as a model gets it: a text for each message, without bytes of pictures. */
export function promptText(messages: readonly Message[]) {
  const all = [{ role: 'system', text: SYSTEM }, ...messages.map((one) => ({ role: one.role, text: messageText(one) }))]
  return { messages: all, tokens: all.reduce((sum, { text }) => sum + bytes4(text), 0) }
}

function messageText(message: Message): string {
  if (message.role === 'assistant') return message.parts.map(textOfPart).join('\n')
  if (message.role === 'tool') return message.results.map(({ text }) => text).join('\n')
  const { files = [] } = message.role === 'user' ? message : {}
  return `${files.map(({ name }) => `(${oneLine(name)} is sent with it)\n`).join('')}${message.text}`
}

function textOfPart(part: AssistantPart): string {
  return part.type === 'call' ? `${part.tool} ${JSON.stringify(part.input)}` : part.text
}
