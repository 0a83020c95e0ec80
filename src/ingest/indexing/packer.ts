import { deflateText } from '../../stores/deflated.ts'
import { SideThread, TOGETHER, WORTH_A_THREAD } from './batch.ts'

/**
 * Compresses texts for the store: a few at once, many in a thread beside the one that reads them. To compress is about a
 * fifth of what it takes to index.
 */
export class Packer {
  readonly #thread = new SideThread()
  #characters = 0
  #texts: string[] = []
  #gathered = 0
  #waiting: PromiseWithResolvers<Uint8Array>[] = []

  /** Soon: whoever waits for it calls `flush` first. */
  async pack(text: string): Promise<Uint8Array> {
    this.#characters += text.length
    if (this.#characters < WORTH_A_THREAD) return deflateText(text)
    const packed = Promise.withResolvers<Uint8Array>()
    this.#texts.push(text)
    this.#waiting.push(packed)
    this.#gathered += text.length
    if (this.#gathered >= TOGETHER) this.flush()
    return packed.promise
  }

  /** Begins with what was gathered. */
  flush(): void {
    if (this.#texts.length > 0) void this.#packed(this.#texts, this.#waiting)
    this.#texts = []
    this.#waiting = []
    this.#gathered = 0
  }

  async #packed(texts: readonly string[], waiting: readonly PromiseWithResolvers<Uint8Array>[]): Promise<void> {
    try {
      const { bytes, ends } = await this.#thread.ask('pack', texts)
      for (const [index, { resolve }] of waiting.entries()) resolve(bytes.subarray(ends[index - 1] ?? 0, ends[index]))
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  /** Ends the thread; what was not waited for is given up. */
  end(): Promise<void> {
    return this.#thread.end()
  }
}
