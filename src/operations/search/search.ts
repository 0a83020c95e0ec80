import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine } from '../../engine/engine.ts'
import { array, count, flag, object, oneOf, text } from '../schema.ts'
import { fitResults, type PrintedSearch } from './budget.ts'
import { droppedNotice, printAnswer } from './formats.ts'

/** A day or a month, or a time of it. That a month has no such day is only seen when it is looked for. */
const DATE =
  '^\\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?(T\\d\\d:\\d\\d(:\\d\\d([.]\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$'

const input = {
  query: {
    is: 'text',
    required: true,
    description:
      'words, "phrases", -without, word*, title:word, path:part, contains:"any text"; anything at all is a query',
  },
  collections: {
    is: 'text',
    list: true,
    flag: 'collection',
    short: 'c',
    placeholder: 'NAME',
    description: 'collections to look in; default all that are not paused',
  },
  limit: { is: 'integer', minimum: 1, maximum: 1000, default: 10, short: 'n', description: 'most results' },
  minScore: { is: 'number', minimum: 0, maximum: 1, description: 'leave out what scores less: 0 to 1' },
  path: {
    is: 'text',
    list: true,
    placeholder: 'GLOB',
    description: 'only paths that match, such as "api/**"',
  },
  after: {
    is: 'text',
    pattern: DATE,
    examples: ['2026-05-31', '2026-05-31T12:00:00Z'],
    placeholder: 'DATE',
    description: 'only what was changed on this day or later',
  },
  where: {
    is: 'text',
    list: true,
    pattern: '^[^=]+=',
    examples: ['status=draft'],
    placeholder: 'KEY=VALUE',
    description: 'only documents whose front matter says so',
  },
  mode: {
    is: 'choice',
    of: ['lexical', 'vector', 'hybrid'],
    description: 'by words, by meaning, or by both; default both where an embedding model is set',
  },
  rerank: {
    is: 'flag',
    default: false,
    description: 'put the best in the order of the reranking model, where one is set',
  },
  full: { is: 'flag', default: false, description: 'the whole text of each document' },
  sections: {
    is: 'integer',
    minimum: 1,
    maximum: 100,
    default: 1,
    description: 'places that are shown of each document',
  },
  explain: { is: 'flag', default: false, description: 'what each result was found by' },
  budget: {
    is: 'integer',
    minimum: 1,
    description: 'most tokens of what is printed; hits that have no room are dropped, each path context is said once',
  },
  format: {
    is: 'choice',
    of: ['table', 'markdown', 'xml', 'csv', 'files'],
    default: 'table',
    forText: true,
    description: 'how the results are printed',
  },
} as const

const span = () => object({ start: count, end: count })
const place = () => ({ snippet: text, lines: span(), highlights: array(span()), headings: array(text) })

const result = () =>
  object({
    docid: text,
    collection: text,
    path: text,
    uri: text,
    title: text,
    score: { type: 'number', description: '0 to 1' },
    ...place(),
    'context?': text,
    contexts: array(object({ scope: oneOf('global', 'collection', 'path'), prefix: text, 'text?': text })),
    'sections?': array(object(place())),
    'text?': text,
    'explain?': object({
      matchedTerms: array(text),
      missingTerms: array(text),
      titlePairs: { type: 'number' },
      exactTitle: flag,
      'lexical?': object({ rank: count, score: { type: 'number' } }),
      'vector?': object({ rank: count, cosine: { type: 'number' } }),
      'rerank?': object({ rank: count, score: { type: 'number', description: 'as the model gave it' } }),
    }),
  })

/** Finds documents, and says what their places are for. */
export const searchOperation: Operation<Engine, InputOf<typeof input>, PrintedSearch> = {
  name: 'search',
  summary: 'Find documents in the collections, and what their places are for',
  effect: 'read',
  positional: ['query'],
  examples: [
    { command: 'ambit search "retry after a timeout"', does: 'the ten best documents, with the lines that matter' },
    { command: `ambit search 'title:install "node 24" -windows' -c docs -n 5`, does: 'signs narrow it down' },
    { command: `ambit search 'contains:"->next("' -c code`, does: 'any piece of text, whatever words it is of' },
    { command: 'ambit search login --path "api/**" --format files', does: 'one line a document, for scripts' },
  ],
  input: defineInputs(input),
  output: () =>
    object({
      query: text,
      mode: oneOf('lexical', 'vector', 'hybrid'),
      degraded: array(text),
      results: array(result()),
      total: count,
      'dropped?': count,
      notices: array(text),
    }),
  run: async (engine, { format: _, budget, ...request }, run) => {
    const answer = await (await engine.library()).search(request, run)
    return budget === undefined ? answer : fitResults(answer, budget, asJson)
  },
  // A text is held to the budget as it is printed, and not as JSON, which has more to it.
  forText: ({ budget: _, ...input }) => input,
  text: (answer, input) => printAnswer(fitAnswer(answer, input), input?.format ?? 'table'),
  notices: (answer, input) => {
    const dropped = input?.format === 'xml' ? 0 : (fitAnswer(answer, input).dropped ?? 0)
    return [...answer.notices, ...(dropped > 0 ? [droppedNotice(dropped)] : [])]
  },
}

/** The answer, within the budget once it is printed in the format of the input. */
function fitAnswer(answer: PrintedSearch, given: InputOf<typeof input> | undefined): PrintedSearch {
  if (given?.budget === undefined || answer.dropped !== undefined) return answer
  return fitResults(answer, given.budget, (some) => printAnswer(some, given.format))
}

/** As a command line prints it. */
function asJson(answer: PrintedSearch): string {
  return `${JSON.stringify(answer)}\n`
}
