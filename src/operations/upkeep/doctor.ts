import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { DoctorAnswer, Engine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { array, object, oneOf, text } from '../schema.ts'

const input = {} as const

const checkSchema = () => object({ name: text, status: oneOf('ok', 'warning', 'failed'), message: text, 'hint?': text })

/** Whether everything that the product stands on is as it should be. */
export const doctorOperation: Operation<Engine, InputOf<typeof input>, DoctorAnswer> = {
  name: 'doctor',
  summary: 'Check the machine and the set-up, and say what to do about what is wrong',
  effect: 'read',
  scope: 'admin',
  examples: [
    { command: 'ambit doctor', does: 'a line for each check' },
    { command: 'ambit doctor --repair', does: 'a damaged database is made anew first' },
  ],
  input: defineInputs(input),
  output: () => object({ checks: array(checkSchema()) }),
  run: (engine, _, run) => engine.doctor(run),
  text: ({ checks }) => checks.map(checkLine).join(''),
  failed: ({ checks }) => checks.some(({ status }) => status === 'failed'),
}

function checkLine({ name, status, message, hint }: DoctorAnswer['checks'][number]): string {
  return `${status}\t${name}\t${oneLine(`${message}${hint ? ` ${hint}` : ''}`)}\n`
}
