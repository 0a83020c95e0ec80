/** One MCP server: connected with, listed, called, and known to be gone when it is. */

import { type CallToolResult, Client, type Tool } from '@modelcontextprotocol/client'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import type { ToolOutput } from '../tool.ts'
import type { ToolServer, ToolServerConfig } from '../tool-servers.ts'
import { type Offered, offerTools } from './offered.ts'
import { outputOf } from './result.ts'
import { SERVER_PATIENCE, type ServerPatience, type Way, wayTo } from './transport.ts'

/** Milliseconds of one call: as long as the assistant waits for a tool. */
const CALL_MS = 60_000

/** Times that a server which ended is connected with anew. */
const MOST_RETURNS = 3

const NONE: Offered = { tools: [], left: [] }

export interface ServerParts {
  readonly name: string
  readonly settings: ToolServerConfig
  /** Where programs run for which nothing else is said. */
  readonly home: string
  readonly patience?: ServerPatience
}

export class McpServer {
  readonly #parts: ServerParts
  #state: ToolServer['state'] = 'connecting'
  #problem: string | undefined
  #offered = NONE
  #client: Client | undefined
  #connecting: Promise<void>
  #hasBeenReady = false
  #returns = 0
  #isClosed = false

  constructor(parts: ServerParts) {
    this.#parts = parts
    this.#connecting = this.#connect()
  }

  get told(): ToolServer {
    const { tools, left } = this.#state === 'ready' ? this.#offered : NONE
    const problem = this.#problem
    return { name: this.#parts.name, state: this.#state, tools, left, ...(problem !== undefined && { problem }) }
  }

  /** Resolves when it is not connecting any more. Never rejects. */
  async settled(): Promise<void> {
    const mayReturn = this.#state === 'failed' && this.#hasBeenReady && this.#returns < MOST_RETURNS
    if (mayReturn && !this.#isClosed) {
      this.#returns++
      this.#connecting = this.#connect()
    }
    await this.#connecting
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.close().catch(() => {})
    await this.#connecting
  }

  async #connect(): Promise<void> {
    const { settings, home, patience = SERVER_PATIENCE } = this.#parts
    this.#state = 'connecting'
    this.#problem = undefined
    if (settings.openFile !== undefined) return this.#fail(keyIsOpen(settings.openFile))
    let way: Way | undefined
    try {
      way = wayTo(settings, home)
      const client = this.#newClient(patience)
      this.#client = client
      const options = { timeout: patience.connectMs, maxTotalTimeout: patience.connectMs }
      await connectWithin(client.connect(way.transport, options), patience.connectMs)
      const { tools } = await connectWithin(client.listTools(undefined, options), patience.connectMs)
      client.onclose = () => this.#gone(client, way)
      this.#offer(tools)
      this.#state = 'ready'
      this.#hasBeenReady = true
    } catch (error) {
      const said = way?.said() ?? ''
      this.#fail(`${errorLine(error)}${said === '' ? '' : ` It said: ${said}`}`)
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
    this.#offered = offerTools(name, tools, { settings, call: (...call) => this.#call(...call) })
  }

  #gone(client: Client, way: Way | undefined): void {
    if (this.#client !== client || this.#isClosed) return
    const said = way?.said() ?? ''
    this.#fail(`It ended.${said === '' ? '' : ` It said: ${said}`}`)
  }

  #fail(problem: string): void {
    this.#state = 'failed'
    this.#problem = problem
  }

  async #call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutput> {
    const { name } = this.#parts
    const client = this.#client
    if (!client || this.#state !== 'ready') throw notReady(name, this.#problem)
    const options = { signal, timeout: CALL_MS, maxTotalTimeout: CALL_MS }
    try {
      const result: CallToolResult = await client.callTool({ name: tool, arguments: { ...input } }, options)
      return outputOf(name, tool, result)
    } catch (error) {
      throwIfAborted(signal)
      const problem = this.#state === 'ready' ? errorLine(error) : (this.#problem ?? errorLine(error))
      throw new ContextError('unavailable', `The MCP server ${name} did not do it: ${problem}`)
    }
  }
}

/** A connection that hears of no time of its own. */
async function connectWithin<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It did not answer within ${ms / 1000} seconds.`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
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
