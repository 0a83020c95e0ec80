import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { DoctorAnswer, Engine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { array, object, oneOf, text } from '../schema.ts'

const input = {
  report: {
    is: 'flag',
    default: false,
    description: 'print it for an issue: names of directories, hosts and collections are left out',
  },
} as const

const checkSchema = () => object({ name: text, status: oneOf('ok', 'warning', 'failed'), message: text, 'hint?': text })

/** Whether everything that the product stands on is as it should be. */
export const doctorOperation: Operation<Engine, InputOf<typeof input>, DoctorAnswer> = {
  name: 'doctor',
  summary: 'Check the installation, and say how to fix what is wrong',
  effect: 'read',
  scope: 'admin',
  examples: [
    { command: 'ambit doctor', does: 'show a line for each check' },
    { command: 'ambit doctor --report', does: 'paste this into an issue' },
    { command: 'ambit doctor --repair', does: 'repair a damaged database first' },
  ],
  input: defineInputs(input),
  output: () => object({ checks: array(checkSchema()) }),
  run: (engine, { report }, run) => engine.doctor(run, report),
  text: ({ checks }) => checks.map(checkLine).join(''),
  failed: ({ checks }) => checks.some(({ status }) => status === 'failed'),
}

function checkLine({ name, status, message, hint }: DoctorAnswer['checks'][number]): string {
  return `${status}\t${name}\t${oneLine(`${message}${hint ? ` ${hint}` : ''}`)}\n`
}
