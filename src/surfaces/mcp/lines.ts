import type { Readable, Writable } from 'node:stream'
import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/server'
import { BOUNDS } from '../../core/bounds.ts'

/** How long requests may still be answered when the other end sends no more, in milliseconds. */
const LAST_ANSWERS = 1_000

/**
 * A message a line. A line that is not a message is answered with an error, and so is one that is too long, of which nothing is
 * kept; both leave the connection as it was. When the input ends, what was asked before is still answered, for a second.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Readable
  readonly #output: Writable
  readonly #asked = new Set<string | number>()
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
    const hasRoom = this.#output.write(serializeMessage(message))
    if (!('method' in message) && message.id !== undefined) this.#settled(message.id)
    if (!hasRoom) await this.#drained()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#input.removeAllListeners('data').pause()
    this.onclose?.()
  }

  /** Whichever comes first: room, or the end. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        for (const event of ['drain', 'close', 'error']) this.#output.off(event, done)
        resolve()
      }
      for (const event of ['drain', 'close', 'error']) this.#output.once(event, done)
    })
  }

  #read(chunk: Buffer): void {
    let from = 0
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, to))
      this.#line()
      from = to + 1
    }
    this.#keep(chunk.subarray(from))
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length <= BOUNDS.mcpLine) this.#chunks.push(part)
    else this.#chunks = []
  }

  #line(): void {
    const isTooLong = this.#length > BOUNDS.mcpLine
    const line = Buffer.concat(this.#chunks).toString('utf8')
    this.#chunks = []
    this.#length = 0
    if (isTooLong) this.#refuse(-32600, `A message may have ${BOUNDS.mcpLine} bytes.`)
    else if (line.trim() !== '') this.#received(line)
  }

  #received(line: string): void {
    const message = this.#parsed(line)
    if (!message) return
    if ('method' in message && 'id' in message) this.#asked.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') this.#cancelled(message.params)
    this.onmessage?.(message)
  }

  #cancelled(params: unknown): void {
    const { requestId }: { requestId?: string | number } = Object(params)
    if (requestId !== undefined) this.#settled(requestId)
  }

  #parsed(line: string): JSONRPCMessage | undefined {
    try {
      return deserializeMessage(line)
    } catch (error) {
      if (error instanceof SyntaxError) this.#refuse(-32700, 'The line is not JSON.')
      else this.#refuse(-32600, 'The line is not a JSON-RPC message.')
      return undefined
    }
  }

  /** JSON-RPC answers what has no id, or none that can be read, with the id null. */
  #refuse(code: number, message: string): void {
    this.onerror?.(new Error(message))
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`)
  }

  #settled(id: string | number): void {
    this.#asked.delete(id)
    if (this.#isEnding && this.#asked.size === 0) this.close()
  }

  #end(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    // What was sent without a line break at the end is a line, too.
    if (this.#length > 0) this.#line()
    if (this.#asked.size === 0) this.close()
    else setTimeout(() => this.close(), LAST_ANSWERS).unref()
  }
}
