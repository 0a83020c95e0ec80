import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, SessionAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { session, sessionAnswerSchema } from './described.ts'

const input = {
  session,
  add: { is: 'text', list: true, placeholder: 'QUESTION', description: 'a question that is asked, too' },
  drop: { is: 'text', list: true, placeholder: 'N', description: 'a question that is not asked, by its number' },
  pin: {
    is: 'text',
    list: true,
    placeholder: 'N',
    description: 'a question that is answered as it is, and not divided',
  },
  edit: { is: 'text', list: true, placeholder: 'N=QUESTION', description: 'other words for a question' },
} as const

/** Shows the first questions of a session, and changes them while it waits for that. */
export const planOperation: Operation<Engine, InputOf<typeof input>, SessionAnswer> = {
  name: 'research.plan',
  summary: 'Show the first questions of a session of research, or change them before it goes on',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [
    {
      command: "ambit research plan last --drop 2 --add 'What does it cost?'",
      does: 'then: ambit research resume last',
    },
  ],
  input: defineInputs(input),
  output: sessionAnswerSchema,
  asks: () => false,
  run: async (engine, { session: id, ...edits }) => {
    const research = await engine.research()
    const isEdit = Object.values(edits).some((some) => some !== undefined && some.length > 0)
    return isEdit ? research.editPlan(id, edits) : research.show(id)
  },
  text: ({ nodes }) => {
    const first = nodes.filter(({ parent }) => parent === '1')
    return first
      .map(({ question, pinned }, at) => `${at + 1} ${oneLine(question)}${pinned ? ' (pinned)' : ''}\n`)
      .join('')
  },
}
