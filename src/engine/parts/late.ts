/** A value that is opened when it is first needed, and again after it failed or was closed. */
export class Late<Value> {
  readonly #open: () => Promise<Value>
  #opened: Promise<Value> | undefined

  constructor(open: () => Promise<Value>) {
    this.#open = open
  }

  get isOpen(): boolean {
    return this.#opened !== undefined
  }

  readonly get = (): Promise<Value> => {
    if (this.#opened) return this.#opened
    const opening = this.#open()
    this.#opened = opening
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined
    })
    return opening
  }

  /** Closes the value where it is open. */
  async close(close: (value: Value) => Promise<unknown>): Promise<void> {
    const closing = this.#opened
    this.#opened = undefined
    await closing?.then(close)
  }
}
