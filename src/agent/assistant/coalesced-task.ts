/** Does one thing again and again while there is a reason for it: never twice at once, and never less than was asked for. */
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

  /** At once, or as soon as what runs is done. */
  now(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isWanted = true
    this.#running ??= this.#run()
  }

  /** In a moment. */
  later(): void {
    this.#timer ??= setTimeout(() => this.now(), this.#pauseMs).unref()
  }

  /** Once more, and when that is done. What went wrong the last time is thrown. */
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
