import { ContextError } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import {
  type DoctorAnswer,
  doctorAnswer,
  type Engine,
  exportStoreAnswer,
  importStoreAnswer,
  migrateAnswer,
  type RebuildAnswer,
  repairAnswer,
} from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation, offByDefault } from '../schema.ts'

export const doctorOperation = defineOperation({
  name: 'doctor',
  summary: 'Check the installation, and say how to fix what is wrong',
  effect: 'read',
  scope: 'admin',
  examples: {
    'ambit doctor': 'show a line for each check',
    'ambit doctor --report': 'paste this into an issue',
    'ambit doctor --repair': 'repair a damaged database first',
  },
  inputs: {
    report: offByDefault('print a report for an issue, without the names of directories, hosts and collections'),
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

/**
 * As `doctor`. Also creates missing tables and columns of the database, and rebuilds a damaged database. `rebuild`:
 * prints the result of a rebuild.
 */
export const repairOperation = (rebuild: Pick<Operation<Engine, never, RebuildAnswer>, 'text' | 'failed'>) =>
  defineOperation({
    name: 'doctor.repair',
    command: 'doctor --repair',
    summary: 'Check the installation, and repair a damaged database',
    effect: 'write',
    scope: 'admin',
    examples: { 'ambit doctor --repair': 'move a damaged database aside, and rebuild it' },
    inputs: {},
    output: repairAnswer,
    hasProgress: true,
    isAlone: true,
    run: async (engine, _, run) => {
      const answerBefore = await engine.doctor(run)
      if (!isDamaged(answerBefore)) return answerBefore
      // `rebuild` repairs what `mend` cannot.
      const missing = await engine.mend().catch((error: unknown) => {
        if (error instanceof ContextError) return []
        throw error
      })
      const made = missing.length > 0 ? { made: missing } : {}
      const answerAfter = missing.length > 0 ? await engine.doctor(run) : answerBefore
      if (!isDamaged(answerAfter)) return { ...answerAfter, ...made }
      const repaired = await engine.rebuild(run)
      return { ...(await engine.doctor(run)), ...made, repaired }
    },
    text: ({ repaired, made = [], ...answer }) => {
      const createdNote =
        made.length > 0 ? `Created, because they were missing: ${made.join(', ')}. Their content is lost.\n` : ''
      return `${createdNote}${repaired ? rebuild.text(repaired) : ''}${doctorOperation.text(answer)}`
    },
    failed: ({ repaired, ...answer }) =>
      doctorOperation.failed?.(answer) === true || (repaired !== undefined && rebuild.failed?.(repaired) === true),
  })

/** Operations on the whole database. */
export const upkeep = {
  migrate: defineOperation({
    name: 'migrate',
    summary: 'Update the tables of the database to this version; PostgreSQL needs it after each update',
    effect: 'write',
    scope: 'admin',
    examples: { 'ambit migrate': 'run it once after an update, before the servers start' },
    inputs: {},
    output: migrateAnswer,
    isAlone: true,
    run: (engine, _, { signal }) => engine.migrate(signal),
    text: ({ name, from, to, moved }) =>
      `${oneLine(name)}: ${migrationText(from, to)}${moved > 0 ? `; ${countNoun(moved, 'upload')} moved out of it` : ''}\n`,
  }),

  export: defineOperation({
    name: 'export',
    summary: 'Export the whole database to a file for "ambit import"',
    effect: 'write',
    scope: 'admin',
    positional: ['file'],
    examples: {
      'ambit export ambit.jsonl.gz': 'back up collections, index, vectors, conversations and research',
      'ambit --db ambit.db export all.jsonl && AMBIT_DATABASE_URL=postgres://… ambit import all.jsonl':
        'move from SQLite to PostgreSQL',
    },
    inputs: { file: { is: 'file', required: true, description: 'a new file; compressed if its name ends in .gz' } },
    output: exportStoreAnswer,
    isAlone: true,
    run: (engine, { file }, { signal }) => engine.exportTo(file, signal),
    text: ({ file, database, rows, lost = 0 }) =>
      `${oneLine(database)}: ${countNoun(rows, 'row')} in ${oneLine(file)}${lost > 0 ? `, without the bytes of ${countNoun(lost, 'upload')}, which were not found: see "ambit doctor"` : ''}\n`,
  }),

  import: defineOperation({
    name: 'import',
    summary: 'Import a file of "ambit export", completely or not at all, into an empty database',
    effect: 'write',
    scope: 'admin',
    positional: ['file'],
    examples: {
      'ambit import ambit.jsonl.gz': 'import into an empty database',
      'ambit import ambit.jsonl.gz --replace': 'replace the content of the database',
    },
    inputs: {
      file: { is: 'file', required: true, description: 'a file of "ambit export"' },
      replace: offByDefault('replace the content of the database, which is lost'),
    },
    output: importStoreAnswer,
    isAlone: true,
    run: (engine, { file, replace }, { signal }) => engine.importFrom({ path: file, replace }, signal),
    text: ({ file, database, rows }) => `${oneLine(database)}: ${countNoun(rows, 'row')} from ${oneLine(file)}\n`,
  }),
}

function migrationText(from: number, to: number): string {
  if (from === to) return `up to date, with ${countNoun(to, 'step')}`
  return from === 0 ? `made, with ${countNoun(to, 'step')}` : `from step ${from} to step ${to}`
}
