import { type LedgerRow, listShownRows } from '../../core/ledger.ts'
import { explainAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation, inputs } from '../schema.ts'

const { anyPlace: place, budget, touched, task, profile, tokens, home } = inputs

/** What became of every file that was considered at a place. */
export const explainOperation = defineOperation({
  name: 'explain',
  summary: 'Show which files were considered, what happened to each, and why',
  effect: 'read',
  positional: ['place'],
  examples: [
    { command: 'ambit explain', does: 'show what was kept, cut and left out here' },
    { command: 'ambit explain --why-not docs/AGENTS.md', does: 'say why a file is not in the context' },
  ],
  tool: {
    name: 'explain_context',
    set: 'context',
    about: 'The files considered for a place, and why each is, or is not, in its context',
    inputs: {
      place: 'as in load_context',
      whyNot: 'a file to explain',
      touched: 'paths you touch',
      task: 'as in load_context',
      budget: 'token limit',
      profile: 'as in load_context',
    },
  },
  inputs: {
    place,
    whyNot: {
      is: 'path',
      path: 'disk',
      under: 'place',
      placeholder: 'FILE',
      description: 'say why this file is, or is not, in the context',
    },
    budget,
    touched,
    task,
    profile,
    tokens,
    home,
    withContextDir: {
      is: 'flag',
      default: false,
      description: 'include the context directory at the root of a collection or package, too',
    },
  },
  output: explainAnswer,
  run: (engine, request, run) => engine.explain(request, run),
  notices: ({ choice }) => (choice === undefined ? [] : [choice]),
  text: ({ whyNot, contextDir, ledger, tokenCount, budget }) => {
    if (whyNot) return `${oneLine(whyNot.path)}\n${oneLine(whyNot.answer)}\n`
    const rows = listShownRows({ contextDir, ledger })
    const nothing = rows.length === 0 ? NOTHING_HERE : ''
    return `${nothing}${rows.map(ledgerLine).join('')}${tokenCount}${budget === null ? '' : ` of ${budget}`} tokens\n`
  },
  failed: ({ whyNot }) => whyNot?.isThere === false,
})

const NOTHING_HERE =
  'There is no context here: no instruction file and no .context/. "ambit init" writes a first one.\n'

function ledgerLine({ decision, title, tokensAfter, tokensBefore, why, detail }: LedgerRow): string {
  const reason = oneLine([why, detail].filter(Boolean).join(': '))
  return `${decision}\t${tokensAfter}/${tokensBefore}\t${oneLine(title)}${reason && `\t${reason}`}\n`
}
