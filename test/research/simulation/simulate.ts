/** Run as a program: so many simulations from a seed on. A line of JSON for each, and for the one under way if it breaks off. */
import { writeSync } from 'node:fs'
import { simulated } from './simulation.ts'

const [from = 0, count = 1] = process.argv.slice(2).map(Number)
let seed = from
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)
process.on('unhandledRejection', (error) => {
  say({ seed, broken: [`A fault of nobody: ${error instanceof Error ? error.stack : error}`] })
  process.exit(1)
})
// What is loaded when it is first needed takes time that nobody simulates.
await simulated(0)
for (; seed < from + count; seed++) {
  try {
    const { ended: _, ...told } = { ended: undefined, ...(await simulated(seed)) }
    say(told)
  } catch (error) {
    say({ seed, broken: [error instanceof Error ? error.stack : String(error)] })
  }
}
