/** One MCP server: connected with, listed, called, and known to be gone when it is. */

import { type CallToolResult, Client, type Tool } from '@modelcontextprotocol/client'
import { ContextError, invalidInput, throwIfAborted } from '../../core/errors.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import type { ToolOutput } from '../tool.ts'
import type { PromptRequest, ServerPrompt, ToolServer, ToolServerConfig } from '../tool-servers.ts'
import { type Offered, offerTools } from './offered.ts'
import { offerPrompts, offerResources, promptQuestion, resourceText } from './prompts.ts'
import { outputOf } from './result.ts'
import { SERVER_PATIENCE, type ServerPatience, type Way, wayTo } from './transport.ts'

/** Default time of one call since its last sign of progress, in milliseconds. */
const CALL_MS = 60_000

/** Maximum number of reconnections with a server that ended. */
const MOST_RETURNS = 3

const NONE: Offers = { tools: [], left: [], prompts: [], resources: [] }

/** All that a server has. */
type Offers = Offered & Pick<ToolServer, 'prompts' | 'resources'>

export interface ServerParts {
  readonly name: string
  readonly settings: ToolServerConfig
  /** The default working directory of programs. */
  readonly home: string
  readonly patience?: ServerPatience
}

export class McpServer {
  readonly #parts: ServerParts
  #state: ToolServer['state'] = 'idle'
  #problem: string | undefined
  #offered = NONE
  #client: Client | undefined
  #connecting: Promise<void> | undefined
  #hasBeenReady = false
  #returns = 0
  #isClosed = false
  readonly #closing = new AbortController()

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  get description(): ToolServer {
    const offers = this.#state === 'ready' ? this.#offered : NONE
    const problem = this.#problem
    return { name: this.#parts.name, state: this.#state, ...offers, ...(problem !== undefined && { problem }) }
  }

  /** Connects where that was not tried yet; resolves when it is not connecting any more. Never rejects. */
  async settled(): Promise<void> {
    const mayReturn = this.#state === 'failed' && this.#hasBeenReady && this.#returns < MOST_RETURNS
    if (this.#isClosed) return this.#connecting
    if (mayReturn) this.#returns++
    if (mayReturn || this.#state === 'idle') this.#connecting = this.#connect()
    await this.#connecting
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#closing.abort()
    await this.#client?.close().catch(() => {})
    await this.#connecting
  }

  async #connect(): Promise<void> {
    const { settings, home, patience: usual = SERVER_PATIENCE } = this.#parts
    const patience = { ...usual, connectMs: settings.timeout ?? usual.connectMs }
    this.#state = 'connecting'
    this.#problem = undefined
    if (settings.openFile !== undefined) return this.#fail(keyIsOpen(settings.openFile))
    let way: Way | undefined
    try {
      way = wayTo(settings, home)
      const client = this.#newClient(patience)
      this.#client = client
      const options = { timeout: patience.connectMs, maxTotalTimeout: patience.connectMs }
      const within = { ms: patience.connectMs, closing: this.#closing.signal }
      await connectWithin(client.connect(way.transport, options), within)
      const { tools } = await connectWithin(client.listTools(undefined, options), within)
      const more = await connectWithin(offersOf(client, options), within)
      client.onclose = () => this.#gone(client, way)
      this.#offered = { ...this.#offered, ...more }
      this.#offer(tools)
      this.#state = 'ready'
      this.#hasBeenReady = true
    } catch (error) {
      const lastWords = way?.lastWords() ?? ''
      this.#fail(`${errorLine(error)}${lastWords === '' ? '' : ` It said: ${lastWords}`}`)
      await this.#client?.close().catch(() => {})
    }
  }

  #newClient({ probeMs }: ServerPatience): Client {
    const client = new Client(
      // Which version it is, is nobody's business.
      { name: 'ambit', version: '0' },
      {
        // It may ask nothing of us: no model, no questions to the person, no directories.
        capabilities: {},
        inputRequired: { autoFulfill: false },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
        listChanged: { tools: { onChanged: (_, tools) => tools && this.#client === client && this.#offer(tools) } },
      },
    )
    return client
  }

  #offer(tools: readonly Tool[]): void {
    const { name, settings } = this.#parts
    const offered = offerTools(name, tools, { settings, call: (...call) => this.#call(...call) })
    this.#offered = { ...this.#offered, ...offered }
  }

  #gone(client: Client, way: Way | undefined): void {
    if (this.#client !== client || this.#isClosed) return
    const lastWords = way?.lastWords() ?? ''
    this.#fail(`It ended.${lastWords === '' ? '' : ` It said: ${lastWords}`}`)
  }

  #fail(problem: string): void {
    this.#state = 'failed'
    this.#problem = problem
  }

  /** @throws ContextError as `ToolServers.prompt`. */
  async prompt({ name, values }: PromptRequest, signal: AbortSignal): Promise<string> {
    const known = this.#offered.prompts.find((one) => one.name === name)
    if (!known) throw noPrompt(this.#parts.name, name, this.description)
    const given = promptArguments(known, values)
    return promptQuestion(
      await this.#ask(signal, (client, options) => client.getPrompt({ name, arguments: given }, options)),
    )
  }

  /** @throws ContextError as `ToolServers.resource`. */
  async resource(uri: string, signal: AbortSignal): Promise<string> {
    return resourceText(
      this.#parts.name,
      await this.#ask(signal, (client, options) => client.readResource({ uri }, options)),
    )
  }

  async #call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutput> {
    const result: CallToolResult = await this.#ask(signal, (client, options) =>
      client.callTool({ name: tool, arguments: { ...input } }, options),
    )
    return outputOf(this.#parts.name, tool, result)
  }

  async #ask<Value>(
    signal: AbortSignal,
    work: (client: Client, options: CallOptions) => Promise<Value>,
  ): Promise<Value> {
    const { name } = this.#parts
    const client = this.#client
    if (!client || this.#state !== 'ready') throw notReady(name, this.#problem)
    try {
      const timeout = this.#parts.settings.timeout ?? CALL_MS
      return await work(client, { signal, timeout, resetTimeoutOnProgress: true, onprogress: () => {} })
    } catch (error) {
      throwIfAborted(signal)
      const problem = this.#state === 'ready' ? errorLine(error) : (this.#problem ?? errorLine(error))
      throw new ContextError('unavailable', `The MCP server ${name} did not do it: ${problem}`)
    }
  }
}

interface CallOptions {
  readonly signal: AbortSignal
  readonly timeout: number
  /** A message of progress from the server starts the time again. */
  readonly resetTimeoutOnProgress: boolean
  readonly onprogress: () => void
}

/** Prompts and resources, where it has some. */
async function offersOf(client: Client, options: Pick<CallOptions, 'timeout'>): Promise<Omit<Offers, keyof Offered>> {
  const { prompts, resources } = client.getServerCapabilities() ?? {}
  return {
    prompts: prompts ? offerPrompts((await client.listPrompts(undefined, options)).prompts) : [],
    resources: resources ? offerResources((await client.listResources(undefined, options)).resources) : [],
  }
}

/** By their names; the last takes all words that are left. @throws ContextError `invalid-input` without one that is needed. */
function promptArguments({ name, arguments: wanted }: ServerPrompt, values: readonly string[]): Record<string, string> {
  const last = wanted.length - 1
  const given = wanted.flatMap((one, at): [string, string][] => {
    const value = (at === last ? values.slice(at) : values.slice(at, at + 1)).join(' ')
    if (value === '' && one.isRequired) throw invalidInput(`The prompt ${name} needs ${oneLine(one.name)}.`)
    return value === '' ? [] : [[one.name, value]]
  })
  return Object.fromEntries(given)
}

function noPrompt(server: string, name: string, { state, prompts }: ToolServer): ContextError {
  const known = prompts.length === 0 ? 'It has none.' : `It has ${prompts.map((one) => one.name).join(', ')}.`
  const hint = state === 'ready' ? known : `The server is ${state}.`
  return new ContextError('not-found', `The MCP server ${server} has no prompt ${oneLine(name.slice(0, 100))}.`, {
    hint,
  })
}

/** A connection that hears of no time of its own, and ends with who wanted it. */
async function connectWithin<Value>(work: Promise<Value>, { ms, closing }: ConnectLimits): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const close = () => reject(new Error('It was closed.'))
  closing.addEventListener('abort', close, { once: true })
  const timer = setTimeout(() => reject(new Error(`It did not answer within ${ms / 1000} seconds.`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', close)
  }
}

interface ConnectLimits {
  readonly ms: number
  readonly closing: AbortSignal
}

/** One short line: what servers say is not to be trusted. */
function errorLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return oneLine(stripControls(message).trim().split('\n')[0] ?? '').slice(0, 300)
}

function notReady(name: string, problem: string | undefined): ContextError {
  const why = problem === undefined ? '' : ` ${problem}`
  return new ContextError('unavailable', `The MCP server ${name} is not ready.${why}`)
}

function keyIsOpen(file: string): string {
  return `The configuration file ${file} holds what may be secret, and others may read it: run "chmod 600 ${file}".`
}
