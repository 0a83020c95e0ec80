import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PROGRAM } from './store-child.ts'

const running = new Set<Job>()

/** Ends what a test that failed has left behind. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((job) => job.killed()))
}

/** A program that works on a database, by its lines. */
export class Job {
  readonly process: ChildProcess
  readonly lines: string[] = []
  #heard: () => void = () => {}
  #ended = false
  readonly #end: Promise<unknown>

  /** `before`: words of a command that runs it. */
  constructor(job: string, given: Readonly<Record<string, unknown>>, before: readonly string[] = []) {
    const [command = '', ...args] = [...before, process.execPath, PROGRAM, job, JSON.stringify(given)]
    this.process = spawn(command, args, { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] })
    running.add(this)
    this.process.stdin?.on('error', () => {})
    const reader = createInterface({ input: this.process.stdout ?? process.stdin })
    reader.on('line', (line) => {
      this.lines.push(line)
      this.#heard()
    })
    this.#end = Promise.all([once(this.process, 'exit'), once(reader, 'close')]).then(() => {
      this.#ended = true
      running.delete(this)
      this.#heard()
    })
  }

  /** Waits for the line of this number, from 0; undefined when it ends without. */
  async line(number: number): Promise<string | undefined> {
    while (this.lines.length <= number && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
    return this.lines[number]
  }

  /** Lets it go on: at once, or at a time, so that several do at the same moment. */
  tell(time = 0): void {
    this.process.stdin?.write(`${time}\n`)
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

/** Does a job to its end. */
export function done(
  job: string,
  given: Readonly<Record<string, unknown>>,
  before?: readonly string[],
): Promise<string[]> {
  return new Job(job, given, before).ended()
}
