import { Worker } from 'node:worker_threads'
import { deflated } from '../stores/deflated.ts'
import type { Packed } from './packing.ts'

/** Characters after which a thread saves more time than it takes to start. */
const WORTH_A_THREAD = 1024 * 1024

/** Characters that the thread is sent at a time. */
const TOGETHER = 256 * 1024

/** Memory for what is short-lived: all that it holds is one list of texts. */
const YOUNG_MB = 4

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Compresses texts for the store: a few at once, many in a thread beside the one that reads them. To compress is about a
 * fifth of what it takes to index.
 */
export class Packer {
  #thread: Worker | undefined
  #characters = 0
  #texts: string[] = []
  #gathered = 0
  #waiting: Waiting[] = []
  /** What was sent, by lists, in the order of the answers. */
  readonly #sent: Waiting[][] = []

  /** Soon: whoever waits for it calls `flush` first. */
  async pack(text: string): Promise<Uint8Array> {
    this.#characters += text.length
    if (this.#characters < WORTH_A_THREAD) return deflated(text)
    const { promise, ...waiting } = Promise.withResolvers<Uint8Array>()
    this.#texts.push(text)
    this.#waiting.push(waiting)
    this.#gathered += text.length
    if (this.#gathered >= TOGETHER) this.flush()
    return promise
  }

  /** Begins with what was gathered. */
  flush(): void {
    if (this.#texts.length === 0) return
    this.#thread ??= this.#started()
    this.#sent.push(this.#waiting)
    this.#thread.postMessage(this.#texts)
    this.#texts = []
    this.#waiting = []
    this.#gathered = 0
  }

  #started(): Worker {
    const here = import.meta.url
    const program = new URL(`./packing${here.slice(here.lastIndexOf('.'))}`, here)
    const thread = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
    thread.on('message', (packed: Packed) => this.#answered(packed))
    thread.on('error', (error) => this.#failed(error))
    thread.on('exit', () => this.#failed(new Error('The thread that compresses texts ended.')))
    return thread
  }

  #answered({ bytes, ends }: Packed): void {
    let start = 0
    for (const [index, { resolve }] of this.#sent.shift()?.entries() ?? []) {
      resolve(bytes.subarray(start, ends[index]))
      start = ends[index] ?? start
    }
  }

  #failed(reason: unknown): void {
    for (const { reject } of this.#sent.splice(0).flat()) reject(reason)
  }

  /** Ends the thread; what was not waited for is given up. */
  async end(): Promise<void> {
    await this.#thread?.terminate()
  }
}
