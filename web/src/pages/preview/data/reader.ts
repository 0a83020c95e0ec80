import { startWorker } from '../../../ui/own-worker.ts'
import type { ReaderRequest } from './reader.worker.ts'
import workerUrl from './reader.worker.ts?worker&url'

/** Time limit of an answer in milliseconds. */
const PATIENCE = 20_000

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** A worker that reads one file. */
export class Reader {
  readonly #worker = startWorker(workerUrl)
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  constructor() {
    this.#worker.onmessage = ({ data: { id, value, problem } }) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (problem === undefined) waiting?.resolve(value)
      else waiting?.reject(new Error(problem))
    }
    this.#worker.onerror = () => this.#fail('The file cannot be read: it takes more memory than there is.')
    this.#worker.onmessageerror = () => this.#fail('The file is nested too deeply.')
  }

  /** @throws Error that says why it cannot be read. */
  async ask<Value>(request: ReaderRequest, transfer: readonly Transferable[] = []): Promise<Value> {
    const id = ++this.#last
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    const timer = setTimeout(() => this.#fail(`Reading it takes longer than ${PATIENCE / 1000} s.`), PATIENCE)
    this.#worker.postMessage({ id, request }, [...transfer])
    return promise.finally(() => clearTimeout(timer)) as Promise<Value>
  }

  close(): void {
    this.#worker.terminate()
  }

  #fail(problem: string): void {
    this.close()
    for (const { reject } of this.#waiting.values()) reject(new Error(problem))
    this.#waiting.clear()
  }
}
