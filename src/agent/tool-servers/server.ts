/** The connection to one MCP server: lists and calls its tools, and notices when the server ends. */

import {
  type CallToolResult,
  Client,
  type ElicitRequestParams,
  type ElicitResult,
  type RequestOptions,
  type Tool,
} from '@modelcontextprotocol/client'
import { ContextError, invalidInput, throwIfAborted } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { fileUri } from '../../text/citations.ts'
import { ServerFailure, type ToolOutput } from '../tool.ts'
import type { OAuthStore, PromptRequest, SigningPerson, ToolServer, ToolServerConfig } from '../tool-servers.ts'
import {
  type CallingPerson,
  findPrompt,
  listOffers,
  MAX_CALL_MS,
  offerTools,
  promptArguments,
  promptQuestion,
  resourceText,
  toolOutput,
} from './offers.ts'
import { callClock, questionOf } from './questions.ts'
import { signIn, signInProvider } from './sign-in.ts'
import {
  CONNECTION_TIMEOUTS,
  type ConnectionTimeouts,
  errorLine,
  isUnauthorized,
  openConnection,
  type ServerConnection,
  waitForConnection,
} from './transport.ts'

/** Default time limit of a call without progress, in milliseconds. */
const CALL_MS = 60_000

/** Maximum number of reconnections with a server that ended. */
const MAX_RECONNECTIONS = 3

const NO_OFFERS: Offers = { tools: [], left: [], prompts: [], resources: [] }

type Offers = Pick<ToolServer, 'tools' | 'left' | 'prompts' | 'resources'>

export interface ServerParts {
  readonly name: string
  readonly settings: ToolServerConfig
  /** The default working directory of programs. */
  readonly home: string
  /** Directories that servers are told to work in, unless their settings name others. Default: none. */
  readonly roots?: readonly string[]
  /** Stored sign-ins. Without them, signing in is not possible. */
  readonly signIns?: OAuthStore | undefined
  readonly timeouts?: ConnectionTimeouts
}

export class McpServer {
  readonly #parts: ServerParts
  #state: ToolServer['state'] = 'idle'
  #problem: string | undefined
  #offered = NO_OFFERS
  #client: Client | undefined
  #connecting: Promise<void> | undefined
  #hasBeenReady = false
  #reconnections = 0
  readonly #closing = new AbortController()
  /** The calls in progress. The signal of a call fires when the call is over. */
  readonly #calls = new Set<CallingPerson & { readonly clock: ReturnType<typeof callClock> }>()
  /** Declined questions of the server. Its next result reports them. */
  #declined: string[] = []

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  get description(): ToolServer {
    const offers = this.#state === 'ready' ? this.#offered : NO_OFFERS
    return { name: this.#parts.name, state: this.#state, ...offers, ...omitUndefined({ problem: this.#problem }) }
  }

  /** Connects at the first call, and again after the server ended. Resolves after success or failure; never rejects. */
  async settled(): Promise<void> {
    const canReconnect = this.#state === 'failed' && this.#hasBeenReady && this.#reconnections < MAX_RECONNECTIONS
    if (this.#closing.signal.aborted) return this.#connecting
    if (canReconnect) this.#reconnections++
    if (canReconnect || this.#state === 'idle') this.#connecting = this.#connect()
    await this.#connecting
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#client?.close().catch(() => {})
    await this.#connecting
  }

  async #connect(): Promise<void> {
    const { settings, home, timeouts = CONNECTION_TIMEOUTS } = this.#parts
    const { timeout = timeouts.connectMs } = settings
    this.#state = 'connecting'
    this.#problem = undefined
    if (settings.problem !== undefined) return this.#fail(settings.problem)
    let connection: ServerConnection | undefined
    let connected: Promise<void> | undefined
    try {
      const parts = this.#signInParts()
      const isSignedIn = parts?.signIns.read(parts.url)?.tokens !== undefined
      const authProvider = isSignedIn ? signInProvider(parts) : undefined
      connection = openConnection(settings, { home, authProvider })
      const { transport, stderrEnd } = connection
      const client = this.#newClient(timeouts.probeMs)
      this.#client = client
      const options = { timeout, maxTotalTimeout: timeout }
      const waitFor = <Value>(work: Promise<Value>) => waitForConnection(work, timeout, this.#closing.signal)
      connected = client.connect(transport, options)
      await waitFor(connected)
      const { tools } = await waitFor(client.listTools(undefined, options))
      const otherOffers = await waitFor(listOffers(client, options))
      client.onclose = () => {
        if (this.#client === client) this.#fail(`It ended.${stderrEnd()}`)
      }
      this.#offered = { ...this.#offered, ...otherOffers }
      this.#offerTools(tools)
      this.#state = 'ready'
      this.#hasBeenReady = true
    } catch (error) {
      const needsSignIn = isUnauthorized(error) && this.#signInParts() !== undefined
      const signInAdvice = `It wants you to sign in: run "ambit chat", and type "/sign-in ${this.#parts.name}".`
      this.#fail(`${needsSignIn ? signInAdvice : errorLine(error)}${connection?.stderrEnd() ?? ''}`)
      await this.#client?.close().catch(() => {})
      // While the client negotiates the protocol, it has no transport yet that it could close.
      await connection?.transport.close().catch(() => {})
      // The program may start after this failure: it is ended then.
      void connected?.finally(() => connection?.transport.close()).catch(() => {})
    }
  }

  #newClient(probeMs: number): Client {
    const client = new Client(
      // Does not tell the server which version of Ambit runs.
      { name: 'ambit', version: '0' },
      {
        // No sampling: the server must not use our model.
        capabilities: { elicitation: { form: {}, url: {} }, roots: {} },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
        listChanged: { tools: { onChanged: (_, all) => all && this.#client === client && this.#offerTools(all) } },
      },
    )
    client.setRequestHandler('elicitation/create', ({ params }) => this.#askPerson(params))
    client.setRequestHandler('roots/list', () => {
      const { settings, roots = [] } = this.#parts
      return { roots: (settings.roots ?? roots).map((root) => ({ uri: fileUri(root) })) }
    })
    return client
  }

  /** Asks the person through the running call. Without a person, the question is declined and reported. */
  async #askPerson(params: ElicitRequestParams): Promise<ElicitResult> {
    const { name } = this.#parts
    const question = questionOf(name, params)
    const call = [...this.#calls].at(-1)
    if (!question || !call?.answer) {
      this.#declined.push(question?.message ?? 'It asked a question that cannot be shown.')
      return { action: 'decline' }
    }
    const signal = AbortSignal.any([call.signal, this.#closing.signal])
    call.clock.pause()
    try {
      const values = await call.answer(question, signal)
      if (!values) return { action: signal.aborted ? 'cancel' : 'decline' }
      return { action: 'accept', ...(question.url === undefined && { content: { ...values } }) }
    } finally {
      if (!signal.aborted) call.clock.restart()
    }
  }

  /** What a sign-in needs; undefined for a program, if the settings have a token, or without a store. */
  #signInParts() {
    const { settings, signIns } = this.#parts
    const { url, headers = {}, oauth } = settings
    const hasToken = Object.keys(headers).some((header) => header.toLowerCase() === 'authorization')
    return url === undefined || hasToken || !signIns ? undefined : omitUndefined({ url, signIns, oauth })
  }

  /** @throws ContextError as `ToolServers.signIn`. */
  async signIn(person: SigningPerson, signal: AbortSignal): Promise<void> {
    const { name } = this.#parts
    const parts = this.#signInParts()
    if (!parts) throw invalidInput(`The MCP server ${name} needs no sign-in.`)
    try {
      await signIn(parts, person, signal)
    } catch (error) {
      if (error instanceof ContextError) throw error
      throw new ContextError('denied', `The MCP server ${name} did not sign you in: ${errorLine(error)}`)
    }
    await this.#connecting
    await this.#client?.close().catch(() => {})
    this.#state = 'idle'
    await this.settled()
    this.#assertReady()
  }

  #offerTools(tools: readonly Tool[]): void {
    const { name, settings } = this.#parts
    const offered = offerTools(name, tools, { settings, call: (...call) => this.#call(...call) })
    this.#offered = { ...this.#offered, ...offered }
  }

  #fail(problem: string): void {
    this.#state = 'failed'
    this.#problem = problem
  }

  /** @throws ContextError as `ToolServers.prompt`. */
  async prompt({ name, values }: PromptRequest, signal: AbortSignal): Promise<string> {
    this.#assertReady()
    const serverPrompt = findPrompt(this.description, name)
    const prompt = { name, arguments: promptArguments(serverPrompt, values) }
    return promptQuestion(await this.#request({ signal }, (client, options) => client.getPrompt(prompt, options)))
  }

  /** @throws ContextError as `ToolServers.resource`. */
  async resource(uri: string, signal: AbortSignal): Promise<string> {
    const result = await this.#request({ signal }, (client, options) => client.readResource({ uri }, options))
    return resourceText(this.#parts.name, result)
  }

  async #call(tool: string, input: Readonly<Record<string, unknown>>, person: CallingPerson): Promise<ToolOutput> {
    const call = { name: tool, arguments: { ...input } }
    const result: CallToolResult = await this.#request(person, (client, options) => client.callTool(call, options))
    const declined = this.#declined.splice(0)
    return toolOutput({ server: this.#parts.name, tool, declined }, result)
  }

  async #request<Value>(
    { signal, answer }: CallingPerson,
    work: (client: Client, options: RequestOptions) => Promise<Value>,
  ): Promise<Value> {
    const client = this.#assertReady()
    using clock = callClock(this.#parts.settings.timeout ?? CALL_MS)
    const ended = new AbortController()
    const callSignal = AbortSignal.any([signal, clock.signal, ended.signal])
    const call = { clock, answer, signal: callSignal }
    this.#calls.add(call)
    try {
      return await work(client, { signal: callSignal, timeout: MAX_CALL_MS, onprogress: () => clock.restart() })
    } catch (error) {
      throwIfAborted(signal)
      const problem = this.#problem ?? errorLine(clock.signal.aborted ? clock.signal.reason : error)
      throw new ServerFailure(`The MCP server ${this.#parts.name} failed:`, this.#parts.name, problem)
    } finally {
      this.#calls.delete(call)
      ended.abort()
    }
  }

  /** The client of a server that is ready. @throws ContextError `unavailable`. */
  #assertReady(): Client {
    if (this.#client && this.#state === 'ready') return this.#client
    const { name } = this.#parts
    throw new ServerFailure(`The MCP server ${name} is not ready.`, name, this.#problem ?? 'It is not connected.')
  }
}
