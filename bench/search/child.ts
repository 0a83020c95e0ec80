/** One subject in a process of its own, so that its memory is its own. Takes a file with an order, prints a report. */

import { readFileSync, writeSync } from 'node:fs'
import { measureBuild, measureQueries, measureUpdate } from './measure.ts'
import type { Order, Report } from './order.ts'
import { SUBJECTS } from './subjects.ts'

const order: Order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const maker = SUBJECTS.find(({ name }) => name === order.subject)
if (maker === undefined) throw new Error(`No subject is called ${order.subject}`)

const subject = await maker.open(order)
const wants = (step: Order['steps'][number]) => order.steps.includes(step)
const built = wants('build') ? await measureBuild(subject, order.dir) : undefined
const updated = wants('update') ? await measureUpdate(subject, order.dir, order.isLarge) : undefined
const asked = wants('query') ? await measureQueries(subject, order.queries) : undefined
await subject.close()

const report: Report = {
  ...(built === undefined ? {} : { built }),
  ...(updated === undefined ? {} : { updated }),
  ...(asked === undefined ? {} : { asked }),
}
// Libraries may have printed something: the report is the last line.
writeSync(1, `\n${JSON.stringify(report)}\n`)
process.exit(0)
