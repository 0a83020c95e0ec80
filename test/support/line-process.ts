import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A process by the lines that it says. Whatever it says up to its end is heard, however it ends. */
export class LineProcess {
  readonly process: ChildProcess
  readonly lines: string[] = []
  readonly #end: Promise<unknown>
  #heard: () => void = () => {}
  #isOver = false

  /** The words of the command; `cwd`: default that of this process. */
  constructor([command = '', ...args]: readonly string[], options: { readonly cwd?: string } = {}) {
    this.process = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
    this.process.stdin?.on('error', () => {})
    const reader = createInterface({ input: this.process.stdout ?? process.stdin })
    reader.on('line', (line) => {
      this.lines.push(line)
      this.#heard()
    })
    this.#end = Promise.all([once(this.process, 'exit'), once(reader, 'close')]).then(() => {
      this.#isOver = true
      this.#heard()
    })
  }

  /** Waits until it has said so many lines; gives whether it did before its end. */
  async said(count: number): Promise<boolean> {
    while (this.lines.length < count && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
    return this.lines.length >= count
  }

  async ended(): Promise<string[]> {
    await this.#end
    return this.lines
  }

  async killed(): Promise<string[]> {
    this.process.kill('SIGKILL')
    return this.ended()
  }
}
