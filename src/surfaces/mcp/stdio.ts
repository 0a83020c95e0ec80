import { once } from 'node:events'
import { type Readable, Writable } from 'node:stream'
import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { BOUNDS } from '../../core/bounds.ts'
import { TOOLSETS, type Toolset } from '../../core/choices.ts'
import { invalidInput } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { openRoot } from '../../files/disk.ts'
import { realOf, statOf } from '../../files/file-version.ts'
import { openServedRoots, projectRootOf, type ServedRoots } from '../../files/roots.ts'
import type { ServiceInput } from '../../operations/index.ts'
import { oneLine } from '../../text/controls.ts'
import { relativeTo } from '../../text/paths.ts'
import { logError, type McpParts } from './parts.ts'
import { serverFactory } from './server.ts'

/** Serves MCP on stdin and stdout until stdin ends. Returns the exit code. */
export async function serveMcp(
  { tools, allowWrite = false, db }: ServiceInput<'mcp'> & { readonly db?: string | undefined },
  parts: Pick<McpParts, 'operations' | 'version' | 'debug'> & { open(options: { db?: string }): Promise<Engine> },
): Promise<number> {
  const toolsets = toolsetsIn(tools)
  const transport = new LineTransport(process.stdin, reserveStdout())
  const openedEngine = await parts.open(db === undefined ? {} : { db })
  const engine = allowWrite ? openedEngine : confineToProject(openedEngine)
  const createServer = serverFactory({ ...parts, engine, allowWrite, toolsets, useRoots: enterFirstRoot })
  serveStdio(createServer, { transport, onerror: (error) => parts.debug && logError(error, parts) })
  await transport.closed
  // Ends the process even if some aborted work continues, or keeps the database busy.
  setTimeout(() => process.exit(), 500).unref()
  await engine.close()
  return 0
}

/** Parses `--tools`; undefined for all sets. */
function toolsetsIn(names = 'all'): readonly Toolset[] | undefined {
  const setNames = names.split(',').map((name) => name.trim())
  const unknown = setNames.find((name) => name !== 'all' && !TOOLSETS.some((set) => set === name))
  if (unknown !== undefined) {
    const hint = `Sets: ${[...TOOLSETS, 'all'].join(', ')}; several with commas between them.`
    throw invalidInput(`There is no set of tools called "${oneLine(unknown)}".`, hint)
  }
  return setNames.includes('all') ? undefined : TOOLSETS.filter((set) => setNames.includes(set))
}

/** Reserves stdout for the protocol. Other output, such as warnings of a library, goes to stderr. */
function reserveStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  const output = new Writable({ decodeStrings: false, write: (chunk, _, done) => void write(chunk, done) })
  stdout.on('error', (error) => output.destroy(error))
  return output
}

/**
 * The engine of a server without permission to write. Research stores the files that it is given, so it accepts only files in the
 * project around the current directory, and in local collections, after following links.
 */
function confineToProject(engine: Engine): Engine {
  return {
    ...engine,
    research: async () => {
      const [research, { collections }] = await Promise.all([engine.research(), engine.library()])
      const roots = (await collections.list()).map(({ root }) => root)
      return research.within(openRoots([projectRootOf(process.cwd()), ...roots.filter((root) => !/^s3:/i.test(root))]))
    },
  }
}

/**
 * Opens directories as roots. Skips missing directories, and directories that cannot be a root, such as those of the operating
 * system.
 */
function openRoots(directories: readonly string[]): ServedRoots {
  const rootPaths = directories.flatMap((directory) => {
    try {
      return [openRoot(directory).path]
    } catch {
      return []
    }
  })
  return openServedRoots(rootPaths)
}

/**
 * Changes to the client's first working directory, because clients send paths relative to it. Does nothing if the process is
 * already in one of the client's directories. Ignores missing directories.
 */
function enterFirstRoot(directories: readonly string[]): void {
  const realPaths = directories.flatMap((directory) => realOf(directory) ?? [])
  if (realPaths.some((directory) => relativeTo(directory, process.cwd()) !== undefined)) return
  const first = realPaths.find((directory) => statOf(directory)?.isDirectory())
  if (first !== undefined) process.chdir(first)
}

/** Milliseconds that open requests may take after the end of the input. */
const LAST_ANSWERS_MS = 1_000

/** Maximum bytes of answers that wait for a client. While there are more, no requests are read. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

/**
 * Transports one message in each line. The answer to a line that is invalid or too long is an error, and the connection
 * continues. After the end of the input, open requests are still answered for a second.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Readable
  readonly #output: Writable
  readonly #openRequests = new Set<string | number>()
  readonly #closing = Promise.withResolvers<void>()
  /** Resolves when the transport has closed. */
  readonly closed = this.#closing.promise
  /** Resolves when the output is empty again, or closed; undefined while the output accepts more. */
  #drained: Promise<void> | undefined
  #chunks: Buffer[] = []
  #length = 0
  #isEnding = false
  #isClosed = false
  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#input.once('end', () => this.#end())
    this.#input.once('close', () => this.#end())
    this.#input.once('error', () => this.close())
    this.#output.on('error', () => this.close())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return
    const drained = this.#write(serializeMessage(message))
    if (!('method' in message)) this.#settle(message.id)
    await drained
  }

  /** Writes a line. Returns undefined if the output accepts more. */
  #write(line: string): Promise<void> | undefined {
    if (this.#output.write(line)) return undefined
    this.#drained ??= this.#waitForDrain()
    // Requests are read even while answers wait, for clients that write all requests before they read an answer. The
    // limit is for clients that do not read at all.
    if (this.#output.writableLength > MAX_UNREAD_BYTES) this.#input.pause()
    return this.#drained
  }

  async #waitForDrain(): Promise<void> {
    const waiting = new AbortController()
    const ends = ['drain', 'close'].map((event) => once(this.#output, event, { signal: waiting.signal }))
    await Promise.race(ends).catch(() => {})
    waiting.abort()
    this.#drained = undefined
    if (!this.#isClosed) this.#input.resume()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#input.removeAllListeners('data').pause()
    this.onclose?.()
    this.#closing.resolve()
  }

  #read(chunk: Buffer): void {
    let from = 0
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      this.#addChunk(chunk.subarray(from, to))
      this.#endLine()
      from = to + 1
    }
    this.#addChunk(chunk.subarray(from))
  }

  #addChunk(part: Buffer): void {
    this.#length += part.length
    if (this.#length <= BOUNDS.mcpLine) this.#chunks.push(part)
    else this.#chunks = []
  }

  #endLine(): void {
    const isTooLong = this.#length > BOUNDS.mcpLine
    const line = Buffer.concat(this.#chunks).toString('utf8')
    this.#chunks = []
    this.#length = 0
    if (isTooLong) this.#refuse(-32600, `A message may have at most ${BOUNDS.mcpLine} bytes.`)
    else if (line.trim() !== '') this.#receive(line)
  }

  #receive(line: string): void {
    const message = this.#parse(line)
    if (!message) return
    if ('method' in message && 'id' in message) this.#openRequests.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#settle(Object(message.params).requestId)
    this.onmessage?.(message)
  }

  #parse(line: string): JSONRPCMessage | undefined {
    try {
      return deserializeMessage(line)
    } catch (error) {
      if (error instanceof SyntaxError) return this.#refuse(-32700, 'The line is not JSON.')
      return this.#refuse(-32600, 'The line is not a JSON-RPC message.')
    }
  }

  /** Writes an error. In JSON-RPC, the answer to a message without a readable id has the id null. */
  #refuse(code: number, message: string): undefined {
    this.onerror?.(new Error(message))
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`)
  }

  #settle(id: string | number | undefined): void {
    if (id !== undefined) this.#openRequests.delete(id)
    if (this.#isEnding && this.#openRequests.size === 0) this.close()
  }

  #end(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    // The last line may have no line break.
    if (this.#length > 0) this.#endLine()
    if (this.#openRequests.size === 0) this.close()
    else setTimeout(() => this.close(), LAST_ANSWERS_MS).unref()
  }
}
