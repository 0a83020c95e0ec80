/** A server whose assistant has a model on loopback, and clients as the AI SDK makes them. */

import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  type FileUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import type { Config } from '../../../src/engine/config.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openWith } from '../../../src/open.ts'
import { type AnyOperation, operations } from '../../../src/operations/index.ts'
import type { HttpParts } from '../../../src/surfaces/http/http-parts.ts'
import { FILES } from '../../agent/assistant/standing.ts'
import { type LanguageServer, languageServer, type Script } from '../../support/language-server.ts'
import { type Project, project } from '../../support/workspace.ts'
import { listening, rootsOf, TOKEN } from './support.ts'

/** A server, as clients reach it. */
interface Asking {
  readonly url: string
  /** A client of this conversation, which may be there already. */
  client(id: string, before?: UIMessage[], body?: object): Client
  get(path: string, init?: RequestInit): Promise<Response>
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>
}

export interface Chatting extends Asking {
  readonly engine: Engine
  readonly model: LanguageServer
  readonly planted: Project
  /** Events that are no errors of ours, but were logged as such. */
  readonly logged: readonly unknown[]
  /** Another server over the same store, as of another process. */
  beside(): Promise<Asking>
}

export interface ChattingOptions {
  readonly parts?: Partial<HttpParts>
  readonly operations?: readonly AnyOperation[]
  /** Default: in memory, where nobody else comes to. */
  readonly store?: Pick<Config, 'db' | 'database'>
  /** Whether the model looks at pictures. Default: no. */
  readonly canSee?: boolean
  readonly mcpServers?: Config['mcpServers']
}

export const HEADERS = { authorization: `Bearer ${TOKEN}` }

type Work = (chatting: Chatting) => Promise<void>

export async function chatting(script: Script, ...given: [Work] | [ChattingOptions, Work]): Promise<void> {
  const [options, work] = given.length === 1 ? [{}, given[0]] : given
  const { parts, operations: all = operations, canSee = false, mcpServers = {} }: ChattingOptions = options
  const { store = { db: ':memory:' } } = options
  using planted = project(FILES)
  await using model = await languageServer('chat', script)
  const set = { provider: 'openai-compatible', model: 'm', url: model.url, canSee } as const
  const logged: unknown[] = []
  const log = (error: unknown) => logged.push(error)
  const config = { ...store, mcpServers, home: planted.home, model: set, file: undefined, unknown: [] }
  await using stack = new AsyncDisposableStack()
  const opened = async () => {
    const engine = openWith(config)
    stack.defer(() => engine.close())
    const serving = { engine, operations: all, roots: rootsOf(planted.root), logBug: log, ...parts }
    return { engine, listen: async () => askingAt(stack.use(await listening(serving)).url) }
  }
  const { engine, listen } = await opened()
  const { collections } = await engine.library()
  await collections.add({ name: 'docs', root: planted.file('docs') })
  await collections.index({})
  const beside = async () => (await opened()).listen()
  await work({ ...(await listen()), engine, model, planted, logged, beside })
}

export function askingAt(url: string, headers: Readonly<Record<string, string>> = HEADERS): Asking {
  const asked = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init.headers } })
  return {
    url,
    client: (id, before = [], body = { place: '.' }) => new Client(url, { id, before, body, headers }),
    get: asked,
    post: (path, body, init) => {
      const json = { 'content-type': 'application/json', ...init?.headers }
      return asked(path, { ...init, method: 'POST', headers: json, body: JSON.stringify(body) })
    },
  }
}

/** The messages of a client as plain data, of which each change is heard. */
class State implements ChatState<UIMessage> {
  status: ChatState<UIMessage>['status'] = 'ready'
  error: Error | undefined
  messages: UIMessage[]
  readonly #heard: () => void

  constructor(messages: UIMessage[], heard: () => void) {
    this.messages = messages
    this.#heard = heard
  }

  pushMessage = (message: UIMessage) => {
    this.messages = [...this.messages, structuredClone(message)]
    this.#heard()
  }
  popMessage = () => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (at: number, message: UIMessage) => {
    this.messages = this.messages.with(at, structuredClone(message))
    this.#heard()
  }
  snapshot = <Thing>(thing: Thing) => structuredClone(thing)
}

/** What `useChat` is without React. */
export class Client extends AbstractChat<UIMessage> {
  readonly data: unknown[]
  readonly #heard: Set<() => void>

  constructor(
    url: string,
    { id, before, body, headers }: { id: string; before: UIMessage[]; body: object; headers: Record<string, string> },
  ) {
    const heard = new Set<() => void>()
    const data: unknown[] = []
    super({
      id,
      state: new State(before, () => heard.forEach((each) => void each())),
      transport: new DefaultChatTransport({ api: `${url}/api/chat`, headers, body }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      onData: (part) => data.push(part),
    })
    this.data = data
    this.#heard = heard
  }

  /** Sends a message, and is itself when that is answered. */
  async say(text: string, more: { readonly files?: FileUIPart[] } = {}): Promise<this> {
    await this.sendMessage({ text, ...more })
    return this
  }

  /** The last message, in short: `[text]`, `tool state`. */
  get last(): string[] {
    return (this.messages.at(-1)?.parts ?? []).flatMap((part) => {
      if (part.type === 'text') return [part.text]
      return part.type === 'dynamic-tool' ? [`${part.toolName} ${part.state}`] : []
    })
  }

  /** The id of what the last message asks for; `''` where it asks for nothing. */
  get approval(): string {
    const part = this.messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')
    return part?.type === 'dynamic-tool' ? (part.approval?.id ?? '') : ''
  }

  get facts(): Record<string, unknown> {
    return Object(this.messages.at(-1)?.metadata)
  }

  /** When what is said of the last message holds. */
  async until(holds: (last: readonly string[]) => boolean): Promise<void> {
    if (holds(this.last)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const hear = () => holds(this.last) && resolve()
    this.#heard.add(hear)
    await promise
    this.#heard.delete(hear)
  }
}

/** An operation that waits until it is told to go on. */
export function gated(name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const all = operations.map((operation) =>
    operation.name === name
      ? {
          ...operation,
          run: async (...parts: Parameters<AnyOperation['run']>) => {
            await promise
            return operation.run(...parts)
          },
        }
      : operation,
  )
  return { operations: all, open: resolve }
}

export const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })

/** What a service sends first of a text. */
export function piece(content: string): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}
