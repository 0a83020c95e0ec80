import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, RebuildAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { array, count, object, text } from '../schema.ts'
import { index } from './index-files.ts'

const input = {} as const

/** Makes the database anew. */
export const rebuild: Operation<Engine, InputOf<typeof input>, RebuildAnswer> = {
  name: 'rebuild',
  summary: 'Make a damaged database anew: what was told and asked is kept where it can be read',
  effect: 'write',
  scope: 'admin',
  examples: [{ command: 'ambit rebuild', does: 'the old file is moved aside, and all files are read again' }],
  input: defineInputs(input),
  output: () =>
    object({
      aside: text,
      lost: array(text),
      collections: count,
      contexts: count,
      conversations: count,
      research: count,
      tokens: count,
      'index?': index.output(),
      problems: array(text),
    }),
  asks: () => false,
  hasProgress: true,
  isAlone: true,
  run: (engine, _, run) => engine.rebuild(run),
  text: ({ aside, lost, index: done, problems, ...kept }) => {
    const { collections, contexts, conversations, research, tokens } = kept
    const lines = [
      `The old database is now ${oneLine(aside)}`,
      `Kept: ${countNoun(collections, 'collection')}, ${countNoun(contexts, 'context')}, ${countNoun(conversations, 'conversation')}, ${countNoun(research, 'session')} of research, ${countNoun(tokens, 'token')}`,
      ...(lost.length > 0
        ? [`Not taken over: ${lost.map(oneLine).join(', ')}. What could be read of it is in the old one.`]
        : []),
      ...problems.map(oneLine),
    ]
    return `${lines.join('\n')}\n${done ? index.text(done) : ''}`
  },
  failed: ({ lost, problems }) => lost.length + problems.length > 0,
}
