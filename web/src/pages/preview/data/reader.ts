import { startWorker } from '../../../ui/own-worker.ts'
import type { ReaderRequest } from './reader.worker.ts'
import workerUrl from './reader.worker.ts?worker&url'

/** Milliseconds that an answer may take. */
const TIME_LIMIT_MS = 20_000

interface PendingRequest {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** A worker that reads one file. */
export class Reader {
  readonly #worker = startWorker(workerUrl)
  readonly #pending = new Map<number, PendingRequest>()
  #lastId = 0

  constructor() {
    this.#worker.onmessage = ({ data: { id, value, problem } }) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (problem === undefined) pending?.resolve(value)
      else pending?.reject(new Error(problem))
    }
    this.#worker.onerror = () => this.#fail('The file cannot be read: it needs too much memory.')
    this.#worker.onmessageerror = () => this.#fail('The file is nested too deeply.')
  }

  /** @throws Error that says why the file cannot be read. */
  async ask<Value>(request: ReaderRequest, transfer: readonly Transferable[] = []): Promise<Value> {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.set(id, { resolve, reject })
    const timer = setTimeout(
      () => this.#fail(`Reading the file takes longer than ${TIME_LIMIT_MS / 1000} s.`),
      TIME_LIMIT_MS,
    )
    this.#worker.postMessage({ id, request }, [...transfer])
    return promise.finally(() => clearTimeout(timer)) as Promise<Value>
  }

  close(): void {
    this.#worker.terminate()
  }

  #fail(problem: string): void {
    this.close()
    for (const { reject } of this.#pending.values()) reject(new Error(problem))
    this.#pending.clear()
  }
}
