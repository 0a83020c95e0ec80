import type { Operation } from '../../core/operation.ts'
import type { Engine, Migrated } from '../../engine.ts'
import { count, type Inputs, inputsOf, object, text } from '../../schema.ts'
import { oneLine } from '../../text/controls.ts'
import { counted } from '../../text/counted.ts'

const input = {} as const

/** Brings the tables up to date. */
export const migrate: Operation<Engine, Inputs<typeof input>, Migrated> = {
  name: 'migrate',
  summary: 'Bring the tables of the database up to date; of a PostgreSQL database nothing else does',
  effect: 'write',
  scope: 'admin',
  examples: [{ command: 'ambit migrate', does: 'after an update, once, before the servers start again' }],
  input: inputsOf(input),
  output: () => object({ name: text, from: count, to: count }),
  asks: () => false,
  isAlone: true,
  run: (engine) => engine.migrate(),
  text: ({ name, from, to }) => `${oneLine(name)}: ${told(from, to)}\n`,
}

function told(from: number, to: number): string {
  if (from === to) return `up to date, with ${counted(to, 'step')}`
  return from === 0 ? `made, with ${counted(to, 'step')}` : `from step ${from} to step ${to}`
}
