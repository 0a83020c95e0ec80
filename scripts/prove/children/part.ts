/** One part of the proof: its name, and how it is tried. Exit code 1 when anything is lost. */

import { proved, type Trial } from '../one.ts'
import { PARTS } from '../parts.ts'

const [name, told = '{}'] = process.argv.slice(2)
const part = PARTS.find((one) => one.name === name)
if (!part) throw new Error(`There is no part ${name}.`)
process.exitCode = (await proved(part, JSON.parse(told) as Trial)) ? 0 : 1
