/** Coalesces calls: one run at a time, and one more if it is requested meanwhile. */
export class CoalescedTask {
  readonly #work: () => Promise<void>
  readonly #pauseMs: number
  #running: Promise<void> | undefined
  #isWanted = false
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  /** `pauseMs`: how long `later` waits at most. */
  constructor(work: () => Promise<void>, pauseMs: number) {
    this.#work = work
    this.#pauseMs = pauseMs
  }

  /** Runs at once, or after the current run. */
  now(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isWanted = true
    this.#running ??= this.#run()
  }

  /** Runs after a pause. */
  later(): void {
    this.#timer ??= setTimeout(() => this.now(), this.#pauseMs).unref()
  }

  /** Runs once more, and waits for it. Throws the error of that run. */
  async done(): Promise<void> {
    this.now()
    await this.#running
    if (this.#failure !== undefined) throw this.#failure
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false
      this.#failure = undefined
      await this.#work().catch((error: unknown) => {
        this.#failure = error
      })
    }
    this.#running = undefined
  }
}
