import { defineInputs } from '../../core/define-inputs.ts'
import { ContextError } from '../../core/errors.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { DoctorAnswer, Engine, RebuildAnswer } from '../../engine/engine.ts'
import { array, text } from '../schema.ts'

const input = {} as const
type Input = InputOf<typeof input>

/** What was found in the end, and what was mended before. */
interface RepairAnswer extends DoctorAnswer {
  /** Absent where the database was whole: then nothing was touched. */
  readonly repaired?: RebuildAnswer
  /** Tables and columns that were missing, and were made. What they held is lost. */
  readonly made?: readonly string[]
}

interface RepairOperations {
  readonly doctor: Pick<Operation<Engine, never, DoctorAnswer>, 'output' | 'text' | 'failed'>
  readonly rebuild: Pick<Operation<Engine, never, RebuildAnswer>, 'output' | 'text' | 'failed'>
}

function isDamaged({ checks }: DoctorAnswer): boolean {
  return checks.some(({ name, status }) => name === 'database' && status === 'failed')
}

/** What is damaged in another way is left to `rebuild`. */
async function listMade(engine: Engine): Promise<readonly string[]> {
  try {
    return await engine.mend()
  } catch (error) {
    if (error instanceof ContextError) return []
    throw error
  }
}

/** As `doctor`, and makes what the database lacks; does what `rebuild` does where the database is damaged. */
export function repairOperation({ doctor, rebuild }: RepairOperations): Operation<Engine, Input, RepairAnswer> {
  return {
    name: 'doctor.repair',
    command: 'doctor --repair',
    summary: 'Check the installation, and repair a damaged database',
    effect: 'write',
    scope: 'admin',
    examples: [{ command: 'ambit doctor --repair', does: 'move a damaged database aside, and rebuild it' }],
    input: defineInputs(input),
    output: () => {
      const { properties, ...found } = doctor.output()
      return { ...found, properties: { ...properties, repaired: rebuild.output(), made: array(text) } }
    },
    asks: () => false,
    hasProgress: true,
    isAlone: true,
    run: async (engine, _, run) => {
      const found = await engine.doctor(run)
      if (!isDamaged(found)) return found
      const missing = await listMade(engine)
      const made = missing.length > 0 ? { made: missing } : {}
      const again = missing.length > 0 ? await engine.doctor(run) : found
      if (!isDamaged(again)) return { ...again, ...made }
      const repaired = await engine.rebuild(run)
      return { ...(await engine.doctor(run)), ...made, repaired }
    },
    text: ({ repaired, made = [], ...found }) => {
      const lost =
        made.length > 0 ? `Created, because they were missing: ${made.join(', ')}. Their content is lost.\n` : ''
      return `${lost}${repaired ? rebuild.text(repaired) : ''}${doctor.text(found)}`
    },
    failed: ({ repaired, made: _, ...found }) =>
      doctor.failed?.(found) === true || (repaired !== undefined && rebuild.failed?.(repaired) === true),
  }
}
