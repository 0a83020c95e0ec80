/** Parses chat requests, in the format that `useChat` of the AI SDK sends with its default transport. */

import type { Conversations } from '../../../agent/conversations.ts'
import type { PersonReply } from '../../../agent/remote-commands.ts'
import type { UserQuestion } from '../../../agent/talk.ts'
import { isFieldValue } from '../../../agent/tool.ts'
import { filesSent, type ShownPart } from '../../../agent/transcript.ts'
import { BOUNDS } from '../../../core/bounds.ts'
import { ContextError, invalidInput } from '../../../core/errors.ts'

/** A chat request: a question, a request for another answer, or decisions on calls that need approval. */
export interface ChatRequest {
  readonly id: string
  readonly place?: string
  readonly model?: string
  /** What the person sees, as lines. */
  readonly view?: string
  /** Whether the client can ask the person whether to trust an address. */
  readonly canAskTrust: boolean
  /** Whether the client can ask the person the questions of tool servers. */
  readonly canAskQuestions: boolean
  readonly trigger: 'submit-message' | 'regenerate-message'
  /** The message to replace by a new question, or to answer again. */
  readonly messageId?: string
  /** The last message of the person. */
  readonly question?: UserQuestion
  /** The person's decisions, by the id of the approval request; empty if the last message is a question. */
  readonly approvals: ReadonlyMap<string, boolean>
  /** Earlier messages of a conversation that is not stored here. */
  readonly earlier: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
}

/** Maximum number of earlier messages to read, the latest ones. Each exchange is stored as a row of the database. */
const MAX_EARLIER = 1000

/** Valid ids. Ids become parts of addresses and file names. */
const ID = /^[\w-]{8,128}$/

type Fields = Readonly<Record<string, unknown>>

/** @throws ContextError `invalid-input`. */
export function parseChatRequest(body: unknown): ChatRequest {
  const { id, messages, trigger = 'submit-message', messageId, place, model, view, trust, questions } = fieldsOf(body)
  if (typeof id !== 'string' || !ID.test(id)) throw invalidMessage('id', 'must be 8 to 128 letters, digits, - or _')
  if (!Array.isArray(messages)) throw invalidMessage('messages', 'must be a list')
  if (trigger !== 'submit-message' && trigger !== 'regenerate-message') {
    throw invalidMessage('trigger', 'must be submit-message or regenerate-message')
  }
  const messageFields = messages.map(fieldsOf)
  const last = messageFields.at(-1)
  const questionAt = messageFields.findLastIndex(({ role }) => role === 'user')
  const question = messageFields[questionAt]
  return {
    id,
    trigger,
    canAskTrust: trust === true,
    canAskQuestions: questions === true,
    ...readPlaceOrModel('place', place),
    ...readPlaceOrModel('model', model),
    ...(view !== undefined && view !== null && { view: readView(view) }),
    ...(messageId !== undefined && messageId !== null && { messageId: textOf(messageId) }),
    ...(question && { question: readQuestion(question) }),
    approvals: last?.role === 'assistant' && trigger === 'submit-message' ? readApprovals(last) : new Map(),
    earlier: messageFields.slice(0, Math.max(0, questionAt)).slice(-MAX_EARLIER).flatMap(readEarlier),
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw invalidInput('The body is not what a chat of the AI SDK sends.', BODY_HINT)
}

function readPlaceOrModel(name: 'place' | 'model', value: unknown): Partial<Pick<ChatRequest, 'place' | 'model'>> {
  if (value === undefined || value === null) return {}
  if (typeof value === 'string' && value !== '' && value.length <= BOUNDS.chatName) return { [name]: value }
  throw invalidMessage(name, `must be a text of 1 to ${BOUNDS.chatName} characters`)
}

/** The lines of a view such as `{ file: 'a.md', size: '8.1 kB' }`. */
function readView(view: unknown): string {
  const fields = Object.entries(fieldsOf(view))
  const isPlain = ([name, value]: readonly [string, unknown]) =>
    /^[\w -]{1,40}$/.test(name) && ['string', 'number', 'boolean'].includes(typeof value)
  const text = fields.every(isPlain) ? fields.map(([name, value]) => `${name}: ${value}`).join('\n') : undefined
  if (text !== undefined && fields.length <= BOUNDS.viewFields && text.length <= BOUNDS.view) return text
  const values = 'strings, numbers or booleans, with names of 1 to 40 letters, digits, spaces, - or _'
  const rule = `must have at most ${BOUNDS.viewFields} ${values}, and ${BOUNDS.view} characters together`
  throw invalidMessage('view', rule)
}

function readQuestion(message: Fields): UserQuestion {
  const { id } = message
  const text = joinTextParts(message)
  if (typeof id !== 'string' || !ID.test(id)) {
    throw invalidMessage('the id of a message', 'must be 8 to 128 letters, digits, - or _')
  }
  const files = readFiles(message)
  const subject = 'the last message'
  if (text.trim() === '') throw invalidMessage(subject, 'needs a text, even with files')
  if (text.length > BOUNDS.question) throw invalidMessage(subject, `must have at most ${BOUNDS.question} characters`)
  return { id, text, files }
}

/** The files of a message. Parts other than texts and files are refused, because they would be lost. */
function readFiles(message: Fields): NonNullable<UserQuestion['files']> {
  return partsIn(message).flatMap((part) => {
    if (part.type === 'file') return [readFile(part)]
    if (part.type === 'text' || textOf(part.type).startsWith('data-')) return []
    throw invalidMessage('a part of the last message', 'must be text or a file')
  })
}

/** A file whose bytes are in the message. Addresses are not fetched. */
function readFile({ url, filename, mediaType }: Fields) {
  const [, data] = /^data:[^,]{0,200};base64,([A-Za-z0-9+/]*={0,2})$/.exec(typeof url === 'string' ? url : '') ?? []
  if (data === undefined) throw invalidMessage('the url of a file', 'must be data: with base64; no address is fetched')
  if (data === '') throw invalidMessage('a file', 'must not be empty')
  const extension = /^(?:image|application|text)\/([a-z]{2,5})$/.exec(textOf(mediaType))?.[1] ?? 'txt'
  const name = typeof filename === 'string' && filename !== '' ? filename : `file.${extension}`
  return { name, bytes: Buffer.from(data, 'base64') }
}

function partsIn({ parts }: Fields): readonly Fields[] {
  return (Array.isArray(parts) ? parts : []).map(fieldsOf)
}

function joinTextParts(message: Fields): string {
  const texts = partsIn(message).filter(({ type }) => type === 'text')
  return texts.map(({ text }) => textOf(text)).join('\n')
}

/** A text, or `''` for any other value: its conversion could fail, as for `{ "toString": 1 }`. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readEarlier(message: Fields): ChatRequest['earlier'][number][] {
  const { role } = message
  const text = joinTextParts(message)
  return (role === 'user' || role === 'assistant') && text.trim() !== '' ? [{ role, text }] : []
}

function readApprovals(message: Fields): ReadonlyMap<string, boolean> {
  const responses = partsIn(message).filter(({ state }) => state === 'approval-responded')
  return new Map(
    responses.map(({ approval }) => {
      const { id, approved } = fieldsOf(approval)
      return [textOf(id), approved === true] as const
    }),
  )
}

/**
 * Reads the person's reply to a question of a tool server: the values of the form, or `false` if the person declines.
 *
 * @throws ContextError `conflict` if the question is not pending; `invalid-input`.
 */
export function readReply(body: unknown, parts: readonly ShownPart[]): PersonReply {
  const { question, values } = fieldsOf(body)
  const part = parts.find((one) => one.type === 'data-question' && one.id === question && one.data.state === 'asked')
  if (part?.type !== 'data-question') throw notPending()
  if (values === undefined || values === null) return [part.id, false]
  const answers = fieldsOf(values)
  const entries = part.data.fields.flatMap((field) => {
    const value = Object.hasOwn(answers, field.name) ? answers[field.name] : undefined
    if (isFieldValue(field, value)) return [[field.name, value] as const]
    if (field.isRequired || value !== undefined) throw invalidInput(`"${field.about}" needs another value.`)
    return []
  })
  return [part.id, Object.fromEntries(entries)]
}

export function notPending(): ContextError {
  const hint = 'Read the conversation again: it has the result.'
  return new ContextError('conflict', 'The question or approval is no longer pending.', { hint })
}

const BODY_HINT = 'Send { id, messages, trigger, messageId }, and place, model and view if they are known.'

function invalidMessage(inputName: string, problem: string): ContextError {
  return invalidInput(`${inputName} ${problem}.`, BODY_HINT)
}

type Exchange = Parameters<Conversations['put']>[2]

export function storedQuestion({ id, question: text, messages }: Exchange): UserQuestion {
  const files = filesSent(messages, text).map(({ name, mediaType, data }) => {
    // Only the text of a document is stored.
    return { name, isText: mediaType === 'text/plain', bytes: Buffer.from(data, 'base64') }
  })
  return { id, text, files }
}

/** Stores the texts of earlier messages that a client sends. Other parts cannot be verified. */
export async function importMessages(conversations: Conversations, request: ChatRequest, model: string): Promise<void> {
  const placeAndModel = { place: request.place ?? '.', model }
  const exchanges = exchangesOf(request.earlier, placeAndModel)
  const [first] = exchanges
  if (!first) return
  await conversations.begin(first.question, { id: request.id, ...placeAndModel })
  for (const [at, exchange] of exchanges.entries()) await conversations.put(request.id, at, exchange)
}

function exchangesOf(earlier: ChatRequest['earlier'], placeAndModel: Pick<Exchange, 'place' | 'model'>): Exchange[] {
  return earlier.flatMap(({ role, text }, at) => {
    if (role !== 'user') return []
    const next = earlier[at + 1]
    const parts = next?.role === 'assistant' ? [{ type: 'text', text: next.text }] : []
    return {
      ...placeAndModel,
      id: `before-${at}`,
      question: text,
      askedAt: new Date().toISOString(),
      end: 'done',
      shown: { parts: parts.map((part) => ({ ...part, state: 'done' })), facts: DONE_FACTS },
      messages: [{ role: 'user', text }, ...(parts.length > 0 ? [{ role: 'assistant', parts }] : [])],
      isWhole: false,
      state: null,
    }
  })
}

const DONE_FACTS = { end: { reason: 'done' } }
