import { sessionAnswer } from '../../research/answers.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'
import { session } from './described.ts'

/** Shows the first questions of a session, changes them while it waits for that, and adds some to one that is over. */
export const planOperation = defineOperation({
  name: 'research.plan',
  summary: 'Show the plan of a research session, or change its questions',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [
    {
      command: "ambit research plan last --drop 2 --add 'What does it cost?'",
      does: 'change the plan, then run: ambit research resume last',
    },
    {
      command: "ambit research plan last --add 'Who repairs it?'",
      does: 'ask more after the report, then run: ambit research resume last',
    },
  ],
  inputs: {
    session,
    add: { is: 'text', list: true, placeholder: 'QUESTION', description: 'add a question; also after the report' },
    drop: { is: 'text', list: true, placeholder: 'N', description: 'drop the question with this number' },
    pin: {
      is: 'text',
      list: true,
      placeholder: 'N',
      description: 'answer the question with this number as it is, without dividing it',
    },
    edit: { is: 'text', list: true, placeholder: 'N=QUESTION', description: 'change the question with this number' },
    part: {
      is: 'text',
      list: true,
      placeholder: 'QUESTION',
      description: 'a part that the report must answer; given parts replace those of the brief',
    },
    form: { is: 'text', placeholder: 'TEXT', description: 'form and length of the report' },
  },
  output: sessionAnswer,
  asks: () => false,
  run: async (engine, { session: id, ...edits }) => {
    const research = await engine.research()
    const isEdit = Object.values(edits).some((some) => some !== undefined && some.length > 0)
    return isEdit ? research.editPlan(id, edits) : research.show(id)
  },
  text: ({ nodes, brief }) => {
    const first = nodes.filter(({ parent }) => parent === '1')
    const parts = brief?.parts.map((part) => `The report answers: ${oneLine(part)}\n`) ?? []
    const form = brief?.form ? [`Its form: ${oneLine(brief.form)}\n`] : []
    return [
      ...parts,
      ...form,
      ...first.map(({ question, pinned }, at) => `${at + 1} ${oneLine(question)}${pinned ? ' (pinned)' : ''}\n`),
    ].join('')
  },
})
