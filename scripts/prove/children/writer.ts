/** Run as a program: opens a store and writes until it is killed. Prints the number of each write before it and after it. */
import { writeSync } from 'node:fs'
import { ContextError } from '../../../src/core/errors.ts'
import { engineAt, type StoreLocation, write } from '../writes.ts'

interface WriterOptions {
  /** Whether to print a refused write, and to continue. Default: false. */
  readonly isStubborn?: boolean
}

const given: [StoreLocation, number, number, WriterOptions?] = JSON.parse(process.argv[2] ?? '')
const [where, from, most, { isStubborn = false } = {}] = given
const say = (line: string) => writeSync(1, `${line}\n`)
const engine = engineAt(where)
const refused = (number: number) => (error: unknown) => {
  if (!isStubborn || !(error instanceof ContextError)) throw error
  say(`refused ${number} ${error.code}: ${error.message} ${error.hint}`)
  return true
}
try {
  for (let number = from; number < from + most; number++) {
    say(`begun ${number}`)
    if (!(await write(engine, where, number).catch(refused(number)))) say(`kept ${number}`)
  }
  say('end')
} catch (error) {
  say(`failed ${error instanceof ContextError ? error.code : error}`)
} finally {
  await engine.close()
}
