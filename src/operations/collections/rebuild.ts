import { ContextError } from '../../core/errors.ts'
import { rebuildAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { index } from './index-files.ts'

const WHOLE = 'Nothing is wrong with the database.'

/** Rebuilds the database. */
export const rebuild = defineOperation({
  name: 'index.rebuild',
  command: 'index --rebuild',
  summary: 'Rebuild a damaged database: keep what can be read, and index the files again',
  effect: 'write',
  scope: 'admin',
  examples: [
    { command: 'ambit index --rebuild', does: 'move the old file aside, and read all files again' },
    { command: 'ambit index --rebuild --yes', does: 'without a question, even if nothing is wrong' },
  ],
  inputs: {
    yes: { is: 'flag', default: false, description: 'also where nothing is wrong with the database' },
  },
  output: rebuildAnswer,
  asks: () => false,
  hasProgress: true,
  isAlone: true,
  confirms: async (engine, { yes }) =>
    !yes && (await engine.isWhole()) ? `${WHOLE} Rebuild it anyway, and read all files again?` : undefined,
  run: async (engine, { yes }, run) => {
    if (yes || !(await engine.isWhole())) return engine.rebuild(run)
    throw new ContextError('conflict', WHOLE, { hint: 'To rebuild it anyway: ambit index --rebuild --yes' })
  },
  text: ({ aside, lost, index: done, problems, ...kept }) => {
    const { collections, contexts, conversations, research, tokens } = kept
    const lines = [
      `The old database is now ${oneLine(aside)}`,
      `Kept: ${countNoun(collections, 'collection')}, ${countNoun(contexts, 'context')}, ${countNoun(conversations, 'conversation')}, ${countNoun(research, 'session')} of research, ${countNoun(tokens, 'token')}`,
      ...(lost.length > 0
        ? [`Not recovered: ${lost.map(oneLine).join(', ')}. What could be read of it is in the old one.`]
        : []),
      ...problems.map(oneLine),
    ]
    return `${lines.join('\n')}\n${done ? index.text(done) : ''}`
  },
  failed: ({ lost, problems }) => lost.length + problems.length > 0,
})
