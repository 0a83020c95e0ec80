/** The conversation of this tab. The server stores it; this is only the view. */

import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { useSyncExternalStore } from 'react'
import { Failure, fetchOrThrow } from '../api/call.ts'
import { fetchConversation, refreshConversations } from '../api/chat.ts'
import type { Citations } from './source-places.ts'

/** Stream URLs whose last request found no answer in progress. */
const addressesWithoutAnswer = new Set<string>()

/** Conversations that the server has not stored yet. Their next request sends all messages. */
const unsavedIds = new Set<string>()

function addressOf(id: string): string {
  return `/api/chat/${encodeURIComponent(id)}/stream`
}

/** Sends only the last message, because the server has the earlier messages of a saved conversation. */
const transport = new DefaultChatTransport<Message>({
  prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => {
    const last = trigger === 'regenerate-message' ? messages.findLast(({ role }) => role === 'user') : messages.at(-1)
    return { body: { ...body, id, messages: unsavedIds.has(id) ? messages : last ? [last] : [], trigger, messageId } }
  },
  fetch: async (address, init) => {
    const response = await fetchOrThrow(new Request(address, init))
    if (response.status === 204) addressesWithoutAnswer.add(String(address))
    else addressesWithoutAnswer.delete(String(address))
    return response
  },
})

/** Metadata of an answer, as the server sends it. */
export interface AnswerMetadata {
  readonly place?: string
  readonly model?: string
  readonly context?: { readonly place: string; readonly parts: number; readonly tokens: number }
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number; readonly cost?: number }
  readonly compacted?: { readonly before: number; readonly after: number }
  readonly citations?: Citations
  readonly checked?: {
    readonly text: string
    readonly doubts: readonly { readonly text: string; readonly why: string }[]
  }
  readonly end?: { readonly reason: string; readonly message?: string; readonly hint?: string }
}

/** A question of a tool server to the person. */
export interface ServerQuestion {
  readonly server: string
  readonly message: string
  /** An address to open if the person agrees. */
  readonly url?: string
  readonly fields: readonly QuestionField[]
  readonly state: 'asked' | 'answered' | 'declined'
}

export interface QuestionField {
  readonly name: string
  readonly about: string
  readonly type: 'text' | 'number' | 'integer' | 'yes-no' | 'list'
  readonly choices?: readonly string[]
  readonly isRequired: boolean
}

export type Message = UIMessage<
  AnswerMetadata,
  { navigate: { place: string }; waiting: { ms: number; attempt: number }; question: ServerQuestion }
>

export interface Session {
  readonly id: string
  readonly chat: Chat<Message>
  /** Absent before the first question. */
  readonly title?: string
  /** Why the conversation cannot be shown. */
  readonly error?: unknown
  /** Milliseconds until the next attempt, while the model is busy. */
  readonly waiting?: number
}

const KEY = 'ambit-conversation'
const listeners = new Set<() => void>()
let current: Session | undefined
/** Navigates to a place, in the tab that asked. */
let navigate: (place: string) => void = () => {}

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets the function that navigates when the assistant asks for it. */
export function onNavigate(go: (place: string) => void): void {
  navigate = go
}

function change(next: Session): void {
  current = next
  // The server stores a conversation with its first question.
  if (next.title !== undefined) sessionStorage.setItem(KEY, next.id)
  else if (!next.error) sessionStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

let firstQuestion: string | undefined

/** Starts a conversation with a random id of 128 bits. The server stores it with the first question. */
export function startConversation(question?: string): void {
  const id = newId()
  firstQuestion = question
  change({ id, chat: chatOf(id, []) })
}

/** Returns the question with which the conversation was started; undefined at the second call. */
export function takeFirstQuestion(): string | undefined {
  const question = firstQuestion
  firstQuestion = undefined
  return question
}

/** Starts a conversation from a copy of this one, up to an answer. Its first request sends the copied messages. */
export function branchConversation(answer: string): void {
  const messages = current?.chat.messages ?? []
  const end = messages.findIndex(({ id }) => id === answer)
  if (end === -1) return
  const id = newId()
  unsavedIds.add(id)
  change({ id, chat: chatOf(id, messages.slice(0, end + 1)) })
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')
}

/** Uses the first question as the title until the server sends a title. */
export function setTitle(question: string): void {
  if (current && current.title === undefined) change({ ...current, title: question })
}

/** Restores the conversation of this tab after a reload; without one, starts a new one. */
export function restoreConversation(): void {
  if (current) return
  const id = sessionStorage.getItem(KEY)
  if (id === null) startConversation()
  else openConversation(id)
}

/** Opens a conversation, and follows an answer in progress. */
export async function openConversation(id: string): Promise<void> {
  try {
    const { title, messages } = await fetchConversation(id)
    const chat = chatOf(id, messages as unknown as Message[])
    change({ id, chat, title })
    await chat.resumeStream()
    // No run waits for these approvals any more.
    if (addressesWithoutAnswer.has(addressOf(id))) chat.messages = chat.messages.map(withoutOpenApprovals)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not-found') startConversation()
    else change({ id, chat: chatOf(id, []), error })
  }
}

function withoutOpenApprovals(message: Message): Message {
  const parts = message.parts.map((part) => {
    if (part.type !== 'dynamic-tool' || part.state !== 'approval-requested') return part
    const { type, toolCallId, toolName, input } = part
    return { type, toolCallId, toolName, input, state: 'input-available' } as const
  })
  return { ...message, parts }
}

/** Reads messages that another tab has added. */
export async function refreshConversation(): Promise<void> {
  const session = current
  if (session?.title === undefined || session.chat.status === 'streaming' || session.chat.status === 'submitted') return
  const stored = await fetchConversation(session.id).catch(() => undefined)
  const isSame =
    JSON.stringify(stored?.messages.map(comparableMessage)) ===
    JSON.stringify(session.chat.messages.map(comparableMessage))
  if (stored && !isSame && current === session) await openConversation(session.id)
}

function comparableMessage({ id, parts, metadata }: { id: string; parts: readonly unknown[]; metadata?: unknown }) {
  return [id, parts.length, Object(metadata).end]
}

/** Conversations where this tab asked. When the assistant navigates, only the tab that asked follows. */
const askedHere = new WeakSet<Chat<Message>>()

export function markAsking(chat: Chat<Message>): void {
  askedHere.add(chat)
}

/** Counts down the seconds until a busy model is asked again. */
function countDown(chat: Chat<Message>, ms: number): void {
  if (current?.chat !== chat) return
  const { waiting: _, ...rest } = current
  change({ ...rest, ...(ms > 0 && { waiting: ms }) })
  if (ms > 0) setTimeout(() => countDown(chat, ms - 1_000), Math.min(ms, 1_000))
}

function chatOf(id: string, messages: Message[]): Chat<Message> {
  const chat: Chat<Message> = new Chat<Message>({
    id,
    messages,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onData: (part) => {
      if (part.type === 'data-navigate' && askedHere.has(chat)) navigate(part.data.place)
      if (part.type === 'data-waiting') countDown(chat, part.data.ms)
    },
    onFinish: ({ isError }) => {
      if (!isError) unsavedIds.delete(id)
      refreshConversations()
    },
  })
  return chat
}
