import { LineProcess } from '../support/line-process.ts'
import { nodeForNobody } from '../support/nobody.ts'
import { PROGRAM } from './store-child.ts'

const running = new Set<Job>()

/** Ends what a test that failed has left behind. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((job) => job.killed()))
}

/** A program that works on a database, by its lines. */
export class Job extends LineProcess {
  /** `before`: words of a command that runs it. */
  constructor(job: string, given: Readonly<Record<string, unknown>>, before: readonly string[] = []) {
    super([...before, ...nodeForNobody(PROGRAM), job, JSON.stringify(given)], { cwd: '/' })
    running.add(this)
    void this.ended().then(() => running.delete(this))
  }

  /** Waits for the line of this number, from 0; undefined when it ends without. */
  async line(number: number): Promise<string | undefined> {
    await this.said(number + 1)
    return this.lines[number]
  }

  /** Lets it go on: at once, or at a time, so that several do at the same moment. */
  tell(time = 0): void {
    this.process.stdin?.write(`${time}\n`)
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
