import { migrateAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'

/** Brings the tables up to date, and takes uploads out of them. */
export const migrateOperation = defineOperation({
  name: 'migrate',
  summary: 'Update the tables of the database to this version; PostgreSQL needs it after each update',
  effect: 'write',
  scope: 'admin',
  examples: [{ command: 'ambit migrate', does: 'run it once after an update, before the servers start' }],
  inputs: {},
  output: migrateAnswer,
  asks: () => false,
  isAlone: true,
  run: (engine, _, { signal }) => engine.migrate(signal),
  text: ({ name, from, to, moved }) =>
    `${oneLine(name)}: ${migrationText(from, to)}${moved > 0 ? `; ${countNoun(moved, 'upload')} moved out of it` : ''}\n`,
})

function migrationText(from: number, to: number): string {
  if (from === to) return `up to date, with ${countNoun(to, 'step')}`
  return from === 0 ? `made, with ${countNoun(to, 'step')}` : `from step ${from} to step ${to}`
}
