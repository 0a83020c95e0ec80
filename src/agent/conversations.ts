import { randomBytes } from 'node:crypto'
import { ContextError, invalidInput } from '../core/errors.ts'
import type { ConversationHead, ConversationStore, Exchange } from '../stores/conversation-store.ts'
import { oneLine, stripControls } from '../text/controls.ts'
import type { ConversationExport, ConversationsAnswer, ShownConversation, ShownMessage } from './answers.ts'
import type { RemoteCommand } from './remote-commands.ts'
import { answerIdOf, filesSent, type ShownAnswer, type ShownPart, shownFile } from './transcript.ts'

/** Maximum characters of a title. */
const MAX_TITLE = 200
/** Maximum characters of a title that is made from a question. */
const MAX_QUESTION_TITLE = 80

export type Conversations = ReturnType<typeof openConversations>

/** The store of conversations, with operations on the messages that people see. */
export function openConversations(store: ConversationStore) {
  const find = async (id: string) => {
    const stored = await store.get(id)
    if (stored) return stored
    const hint = 'Run "ambit conversation list".'
    throw new ContextError('not-found', `There is no conversation ${oneLine(id.slice(0, 100))}.`, { hint })
  }
  /** @throws ContextError `not-found`. */
  const show = async (id: string): Promise<ShownConversation> => {
    const { head, exchanges } = await find(id)
    return { ...head, messages: exchanges.flatMap(messagesOf) }
  }
  return {
    ...store,
    show,
    /** `after`: the `next` of the previous page. @throws ContextError `invalid-input` for another `after`. */
    async list({ limit, after }: { readonly limit: number; readonly after?: string | undefined }) {
      const heads = await store.list(limit + 1, after === undefined ? undefined : parseCursor(after))
      const conversations = heads.slice(0, limit)
      const last = conversations.at(-1)
      const next = heads.length > limit && last ? { next: `${last.updatedAt}~${last.id}` } : {}
      return { conversations, ...next } satisfies ConversationsAnswer
    },
    /** @throws ContextError `not-found`; `invalid-input` for a title that is not valid. */
    async rename(id: string, title: string): Promise<ConversationHead> {
      const line = oneLine(title).trim()
      if (line === '' || line.length > MAX_TITLE)
        throw invalidInput(`A title cannot have ${line.length} characters.`, `Write 1 to ${MAX_TITLE} characters.`)
      await store.rename(id, line)
      return (await find(id)).head
    },
    /** @throws ContextError `not-found`. */
    async remove(id: string): Promise<ConversationHead> {
      const { head } = await find(id)
      await store.remove(id)
      return head
    },
    /** @throws ContextError `not-found`. */
    async export(id: string): Promise<ConversationExport> {
      const { title, messages } = await show(id)
      const text = `# ${title.replace(/\s+/g, ' ').trim()}\n\n${messages.flatMap(messageMarkdown).join('\n\n')}\n`
      return { id, title, markdown: stripControls(text) }
    },
    /** Begins a conversation. Its title is the first question. @throws ContextError `conflict` for an existing id. */
    async begin(question: string, about: { readonly id: string; readonly place: string; readonly model: string }) {
      await store.begin({ ...about, title: titleOf(question) })
    },
    /**
     * Runs `work`, which answers a question, if no other process is answering in this conversation.
     *
     * @throws ContextError `conflict` if another process is answering, or has taken over.
     */
    async runExclusively<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
      let hasBegun = false
      const startWork = () => {
        hasBegun = true
        return work()
      }
      return store.exclusively(id, startWork).catch((error: unknown) => {
        const isBusy = !hasBegun && error instanceof ContextError && error.code === 'conflict'
        if (!isBusy) throw error
        const hint = 'Wait for the answer, or stop it.'
        throw new ContextError('conflict', 'An answer is being given in this conversation.', { hint })
      })
    },
    /** Sends a command to the process that gives an answer. */
    sendCommand: (id: string, answerId: string, command: RemoteCommand): Promise<void> =>
      store.sendCommand(id, answerId, JSON.stringify(command)),
    /** Takes the commands for this process. @throws ContextError `conflict` after another process took over. */
    receiveCommands: async (id: string): Promise<readonly RemoteCommand[]> =>
      (await store.receiveCommands(id)).map((command) => JSON.parse(command)),
  }
}

/** A random id of 128 bits. It never begins with `-`, because a command line would take such an id for an option. */
export function newConversationId(): string {
  return randomBytes(16).toString('base64url').replace(/^-/, '_')
}

/** The first line of a question, cut at a word. */
function titleOf(question: string): string {
  const line = oneLine(question.trim().replace(/\n.*/s, '')).trim()
  if (line.length <= MAX_QUESTION_TITLE) return line || 'Conversation'
  const space = line.lastIndexOf(' ', MAX_QUESTION_TITLE)
  const cut = line.slice(0, space > 0 ? space : MAX_QUESTION_TITLE)
  return `${cut.toWellFormed()} …`
}

function parseCursor(after: string) {
  const [updatedAt = '', ...idParts] = after.split('~')
  const id = idParts.join('~')
  if (!Number.isNaN(Date.parse(updatedAt)) && id !== '') return { updatedAt, id }
  throw invalidInput('"after" is not the "next" of a page.', 'Leave it out.')
}

/** The messages of a question and of its answer, which may be incomplete. */
function messagesOf({ id, question, place, model, askedAt, shown, messages }: Exchange): ShownMessage[] {
  const { parts = [], facts = {} } = Object(shown) as Partial<ShownAnswer>
  const common = { place, askedAt }
  const files = filesSent(messages, question).map(shownFile)
  return [
    { id, role: 'user', parts: [...files, { type: 'text', text: question, state: 'done' }], metadata: common },
    { id: answerIdOf(id), role: 'assistant', parts, metadata: { ...common, model, ...facts } },
  ]
}

/** The end to show for an answer without a stored end: the process that answers has died, or still answers. */
const CUT_OFF = { reason: 'cut', message: 'The answer was cut off.' }

/** The blocks of a message in Markdown: texts, calls of tools and sources, without the results of tools. */
function messageMarkdown({ role, parts, metadata }: ShownMessage): string[] {
  const texts = parts.flatMap(partMarkdown)
  const { citations = [], end } = metadata
  const sources = citations.map(({ number, place }) => `- [${number}] ${codeSpan(place)}`)
  const { reason, message = `The answer ended: ${reason}.` } = end ?? CUT_OFF
  return [
    role === 'user' ? '## You' : '## Ambit',
    ...texts,
    ...(sources.length > 0 ? [sources.join('\n')] : []),
    ...(role === 'user' || reason === 'done' ? [] : [`*${message}*`]),
  ]
}

function partMarkdown(part: ShownPart): string[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [part.text.trim()]
  if (part.type === 'file') return [`- Sent: ${codeSpan(oneLine(part.filename))}`]
  if (part.type !== 'dynamic-tool') return []
  const outcome = part.state === 'output-available' ? '' : part.state === 'output-denied' ? ' (refused)' : ' (failed)'
  return [`- ${codeSpan(`${part.toolName} ${JSON.stringify(part.input)}`)}${outcome}`]
}

/** A code span with more backticks than any run in the text. */
function codeSpan(text: string): string {
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return longestRun === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}
