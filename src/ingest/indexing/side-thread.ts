import { Worker } from 'node:worker_threads'
import type { SideWork, WorkOrder } from './side-work.ts'

/** Characters after which a thread saves more time than it takes to start. */
export const WORTH_A_THREAD = 1024 * 1024

/** Characters that a thread is sent at a time. */
export const TOGETHER = 256 * 1024

/** Memory for what is short-lived: a list of texts, or the words of one. */
const YOUNG_MB = 4

/** A thread that does what it is asked, one after the other; it starts when it is first asked. */
export class SideThread {
  #worker: Worker | undefined
  #ended: unknown
  /** In the order of the answers. */
  readonly #asked: PromiseWithResolvers<unknown>[] = []

  get isStarted(): boolean {
    return this.#worker !== undefined
  }

  /** @throws Error when the thread has ended, or ends before it answers. */
  ask<Name extends keyof SideWork>(
    name: Name,
    ...given: Parameters<SideWork[Name]>
  ): Promise<ReturnType<SideWork[Name]>> {
    this.#worker ??= this.#started()
    const answer = Promise.withResolvers<unknown>()
    if (this.#ended) answer.reject(this.#ended)
    else {
      this.#asked.push(answer)
      this.#worker.postMessage([name, ...given] as unknown as WorkOrder)
    }
    return answer.promise as Promise<ReturnType<SideWork[Name]>>
  }

  /** Waits until no more than so many are not answered. */
  async atMost(unanswered: number): Promise<void> {
    while (this.#asked.length > unanswered) await this.#asked[0]?.promise
  }

  #started(): Worker {
    const here = import.meta.url
    const program = new URL(`./side-work${here.slice(here.lastIndexOf('.'))}`, here)
    const worker = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
    worker.on('message', (answer) => this.#asked.shift()?.resolve(answer))
    worker.on('error', (error) => this.#failed(error))
    worker.on('exit', () => this.#failed(new Error('The thread ended.')))
    return worker
  }

  #failed(reason: unknown): void {
    this.#ended ??= reason
    for (const { reject } of this.#asked.splice(0)) reject(reason)
  }

  /** Ends it; what was not waited for is given up. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
  }
}
