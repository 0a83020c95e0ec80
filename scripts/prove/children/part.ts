/** One part of the proof: its name, and how it is tried. The exit code says what came of it. */

import { OUTCOMES, proved, type Trial } from '../one.ts'
import { PARTS } from '../parts.ts'

const [name, told = '{}'] = process.argv.slice(2)
const part = PARTS.find((one) => one.name === name)
if (!part) throw new Error(`There is no part ${name}.`)
process.exitCode = OUTCOMES[await proved(part, JSON.parse(told) as Trial)]
