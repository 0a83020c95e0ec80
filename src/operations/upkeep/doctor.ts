import { ContextError } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { type DoctorAnswer, doctorAnswer, type Engine, type RebuildAnswer, repairAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

/** Whether everything that the product stands on is as it should be. */
export const doctorOperation = defineOperation({
  name: 'doctor',
  summary: 'Check the installation, and say how to fix what is wrong',
  effect: 'read',
  scope: 'admin',
  examples: [
    { command: 'ambit doctor', does: 'show a line for each check' },
    { command: 'ambit doctor --report', does: 'paste this into an issue' },
    { command: 'ambit doctor --repair', does: 'repair a damaged database first' },
  ],
  inputs: {
    report: {
      is: 'flag',
      default: false,
      description: 'print it for an issue: names of directories, hosts and collections are left out',
    },
  },
  output: doctorAnswer,
  run: (engine, { report }, run) => engine.doctor(run, report),
  text: ({ checks }) => checks.map(checkLine).join(''),
  failed: ({ checks }) => checks.some(({ status }) => status === 'failed'),
})

function checkLine({ name, status, message, hint }: DoctorAnswer['checks'][number]): string {
  return `${status}\t${name}\t${oneLine(`${message}${hint ? ` ${hint}` : ''}`)}\n`
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

/** As `doctor`; makes what the database lacks, and rebuilds a damaged one. `rebuild` prints what became of it. */
export const repairOperation = (rebuild: Pick<Operation<Engine, never, RebuildAnswer>, 'text' | 'failed'>) =>
  defineOperation({
    name: 'doctor.repair',
    command: 'doctor --repair',
    summary: 'Check the installation, and repair a damaged database',
    effect: 'write',
    scope: 'admin',
    examples: [{ command: 'ambit doctor --repair', does: 'move a damaged database aside, and rebuild it' }],
    inputs: {},
    output: repairAnswer,
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
      return `${lost}${repaired ? rebuild.text(repaired) : ''}${doctorOperation.text(found)}`
    },
    failed: ({ repaired, ...found }) =>
      doctorOperation.failed?.(found) === true || (repaired !== undefined && rebuild.failed?.(repaired) === true),
  })
