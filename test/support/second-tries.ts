import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

/** Characters of an error that are kept. */
const LONGEST = 2_000

/** Appends each test that passed only when it was tried again to a file, with what had failed: it is a fault of either the test or the product. */
export class SecondTries implements Reporter {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const errors = (test.result().errors ?? []).map(({ message, stacks = [] }) => {
      const [first] = stacks
      return `${message}${first === undefined ? '' : `\nat ${first.file}:${first.line}`}`.slice(0, LONGEST)
    })
    appendFileSync(this.#path, `${test.module.relativeModuleId} > ${test.fullName}\n${indented(errors.join('\n'))}\n`)
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
