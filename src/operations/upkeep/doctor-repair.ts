import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { DoctorAnswer, Engine, RebuildAnswer } from '../../engine/engine.ts'

const input = {} as const
type Input = InputOf<typeof input>

/** What was found in the end, and what was mended before. */
interface RepairAnswer extends DoctorAnswer {
  /** Absent where the database was whole: then nothing was touched. */
  readonly repaired?: RebuildAnswer
}

interface RepairOperations {
  readonly doctor: Operation<Engine, Input, DoctorAnswer>
  readonly rebuild: Operation<Engine, Input, RebuildAnswer>
}

/** As `doctor`, and does what `rebuild` does where the database is damaged. */
export function repairOperation({ doctor, rebuild }: RepairOperations): Operation<Engine, Input, RepairAnswer> {
  return {
    name: 'doctor.repair',
    command: 'doctor --repair',
    summary: 'Check the machine and the set-up, and make the database anew where it is damaged',
    effect: 'write',
    scope: 'admin',
    examples: [{ command: 'ambit doctor --repair', does: 'a damaged database is moved aside, and made anew' }],
    input: defineInputs(input),
    output: () => {
      const { properties, ...found } = doctor.output()
      return { ...found, properties: { ...properties, repaired: rebuild.output() } }
    },
    asks: () => false,
    hasProgress: true,
    isAlone: true,
    run: async (engine, _, run) => {
      const found = await engine.doctor(run)
      const isDamaged = found.checks.some(({ name, status }) => name === 'database' && status === 'failed')
      if (!isDamaged) return found
      const repaired = await engine.rebuild(run)
      return { ...(await engine.doctor(run)), repaired }
    },
    text: ({ repaired, ...found }) => `${repaired ? rebuild.text(repaired) : ''}${doctor.text(found)}`,
    failed: ({ repaired, ...found }) =>
      doctor.failed?.(found) === true || (repaired !== undefined && rebuild.failed?.(repaired) === true),
  }
}
