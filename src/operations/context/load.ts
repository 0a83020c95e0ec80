import type { LoadAnswer } from '../../context/answers.ts'
import { placeNotices } from '../../context/places.ts'
import { UsageError } from '../../core/errors.ts'
import { loadAnswer } from '../../engine/engine.ts'
import { defineOperation, inputs, offByDefault } from '../schema.ts'

const { anyPlace: place, budget, touched, task, profile, order, tokens, home } = inputs

export const loadOperation = defineOperation({
  name: 'load',
  summary: 'Print the context that applies to a place, within a token budget',
  effect: 'read',
  positional: ['place'],
  examples: {
    'ambit load': 'print the context of the current directory',
    'ambit load --touched src/a.ts --task "fix the login"': 'print what applies to a file and a task',
    'ambit load --task "fix the login" --code': 'add the code that is relevant to a task',
    'ambit load docs/api': 'print the context of a place in a collection',
    'ambit load --format xml --budget 2000': 'print XML for a prompt, of at most 2000 tokens',
  },
  tool: {
    name: 'load_context',
    set: 'context',
    about:
      'The context that applies to a place: AGENTS.md and similar files, .context/, READMEs and path contexts, the most important ' +
      'first. Call it before you work in a directory, and again with the files that you touch: it then returns only what is new',
    inputs: {
      place: 'directory or file on disk, collection/path, or quilt+s3://bucket#package=ns/name; default .',
      touched: 'paths you read or write',
      task: 'what you are about to do',
      budget: 'token limit',
      format: 'xml: framed',
      profile: 'load as this tool does',
      withContextDir: 'also .context/ of a bucket',
    },
    preset: { format: 'xml' },
    budget: 8000,
    isOnce: true,
    meta: ({ digest, truncated, ledger }) => ({ digest, truncated, ...filesCutByBudget(ledger) }),
  },
  inputs: {
    place,
    budget,
    format: {
      is: 'choice',
      of: ['markdown', 'xml'],
      description: 'the format of the text; default markdown for places on disk, xml for collections and packages',
    },
    touched,
    task,
    code: offByDefault('add the code that is relevant to --task, within the same budget'),
    signatures: offByDefault('with --code: add the signatures of further definitions, with their line numbers'),
    rewrite: {
      is: 'flag',
      description:
        'with --code: ask the language model once for identifiers that the task is about; default as configured',
    },
    profile,
    order,
    tokens,
    home,
    instructions: {
      is: 'flag',
      default: true,
      description: 'the instruction files, which many agents load themselves',
    },
    withContextDir: offByDefault('include the context directory at the root of a collection or package, too'),
    drift: { is: 'flag', default: true, description: 'the marks on references to things that do not exist' },
    known: {
      is: 'text',
      list: true,
      placeholder: 'DIGEST',
      description: 'leave out a text that the reader has: its digest, from "sent" of an earlier answer',
    },
    full: { is: 'flag', default: true, description: 'the content and structure of each file in the JSON' },
  },
  output: loadAnswer,
  run: (engine, request, run) => {
    if (!request.code && (request.signatures || request.rewrite))
      throw new UsageError('The options signatures and rewrite need the option code.', 'Add --task TEXT --code.')
    return engine.load(request, run)
  },
  text: ({ text }) => text,
  forText: (input, isExplained) => ({ ...input, full: false, drift: input.drift && isExplained }),
  explained: (answer) => answer,
  notices: (answer) => placeNotices(answer),
})

/** Maximum number of ledger rows (files that were considered) in an answer of the tool. */
const MAX_ROWS = 20

/** Files that the budget cut or left out, the most important first. */
function filesCutByBudget(ledger: LoadAnswer['ledger']) {
  const rows = ledger.filter(({ why, pass }) => why === 'over-budget' || pass === 'budget')
  const cut = rows.slice(0, MAX_ROWS).map(({ title, decision }) => ({ title, decision }))
  return { cut, ...(rows.length > MAX_ROWS && { cutMore: rows.length - MAX_ROWS }) }
}
