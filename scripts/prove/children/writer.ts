/** Run as a program: opens a store and writes until it is killed. Says the number of each write before, and after it. */
import { writeSync } from 'node:fs'
import { ContextError } from '../../../src/core/errors.ts'
import { engineAt, type Where, write } from '../writes.ts'

const [where, from, most]: [Where, number, number] = JSON.parse(process.argv[2] ?? '')
const say = (line: string) => writeSync(1, `${line}\n`)
const engine = engineAt(where)
try {
  for (let number = from; number < from + most; number++) {
    say(`begun ${number}`)
    await write(engine, where, number)
    say(`kept ${number}`)
  }
  say('end')
} catch (error) {
  say(`failed ${error instanceof ContextError ? error.code : error}`)
} finally {
  await engine.close()
}
