import type { InputOf } from '../../core/input.ts'
import { type SearchAnswer, searchAnswer } from '../../engine/engine.ts'
import { countLimit, defineOperation, offByDefault } from '../schema.ts'
import { attributeIn } from './document-formats.ts'
import { droppedNotice, fitResults, printAnswer, SEARCH_FORMATS } from './formats.ts'

/** A month, a day or a time. Whether the month has that day is validated when the query runs. */
const DATE_PATTERN =
  '^\\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?(T\\d\\d:\\d\\d(:\\d\\d([.]\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$'

const input = {
  query: {
    is: 'text',
    required: true,
    description:
      'words, "phrases", -without, word*, title:word, path:part, contains:"any text"; any text is a valid query',
  },
  collections: {
    is: 'text',
    list: true,
    flag: 'collection',
    short: 'c',
    placeholder: 'NAME',
    names: 'collections',
    description: 'collections to search; default all that are not paused',
  },
  limit: { ...countLimit(10, 1000, 'maximum number of results'), short: 'n' },
  offset: { is: 'integer', minimum: 0, maximum: 1000, default: 0, description: 'number of results to skip' },
  sort: {
    is: 'choice',
    of: ['relevance', 'changed', 'path'],
    default: 'relevance',
    description: 'the order of the best 1,000 results: by relevance, the last changed first, or by path',
  },
  facets: offByDefault('count results by collection, type, folder and time of change'),
  minScore: {
    is: 'number',
    minimum: 0,
    maximum: 1,
    description: 'leave out results with a lower score (0 to 1); 0 adds documents that are near only in meaning',
  },
  path: { is: 'text', list: true, placeholder: 'GLOB', description: 'search only paths that match, such as "api/**"' },
  types: {
    is: 'text',
    list: true,
    flag: 'type',
    placeholder: 'ENDING',
    description: 'search only files with this extension, such as md; "none" for files without an extension',
  },
  after: {
    is: 'text',
    pattern: DATE_PATTERN,
    examples: ['2026-05-31', '2026-05-31T12:00:00Z'],
    placeholder: 'DATE',
    description: 'search only documents changed on this day or later',
  },
  where: {
    is: 'text',
    list: true,
    pattern: '^[^=]+=',
    examples: ['status=draft'],
    placeholder: 'KEY=VALUE',
    description: 'search only documents whose front matter has this value',
  },
  mode: {
    is: 'choice',
    of: ['lexical', 'vector', 'hybrid'],
    description: 'by words, by meaning, or by both; default both if an embedding model is set',
  },
  rerank: offByDefault('reorder the best results with the reranking model'),
  full: offByDefault('include the whole text of each document'),
  sections: countLimit(1, 100, 'passages to show of each document'),
  explain: offByDefault('show how each result was found'),
  budget: {
    is: 'integer',
    minimum: 1,
    description: 'maximum number of tokens; results that do not fit are dropped, each path context is printed once',
  },
  format: {
    is: 'choice',
    of: SEARCH_FORMATS,
    default: 'table',
    forText: true,
    description: 'the format of the results',
  },
} as const

export const searchOperation = defineOperation({
  name: 'search',
  summary: 'Search collections; each result says what its folder is for',
  effect: 'read',
  positional: ['query'],
  examples: {
    'ambit search "retry after a timeout"': 'show the ten best documents with their best lines',
    'ambit search \'title:install "node 24" -windows\' -c docs -n 5': 'use operators to narrow the search',
    'ambit search \'contains:"->next("\' -c code': 'find any text, also parts of words',
    'ambit search login --path "api/**" --format files': 'print one line for each document, for scripts',
  },
  tool: {
    name: 'search',
    set: 'search',
    about:
      'Search the collections by any words. Each result has the lines that match and says what its folder is for. Call it ' +
      'before you grep; then call get with a result',
    inputs: {
      query: 'words, "phrases", -without, word*, title:x, path:x, contains:"text"',
      collections: 'default all',
      limit: 'maximum results',
      budget: 'token limit',
      mode: 'by words, meaning, or both',
      path: 'globs',
      where: 'front matter: key=value',
      after: 'changed since: 2026-05-31',
      sections: 'passages of each result',
      rerank: 'with the reranking model',
    },
    preset: { format: 'xml' },
    budget: 4000,
    meta: ({ mode, total, results }, text) => {
      const shownCount = Number(attributeIn(text, 'shown') ?? 0)
      return { mode, total, shown: shownCount, dropped: results.length - shownCount }
    },
  },
  inputs: input,
  output: searchAnswer,
  run: async (engine, request, run) => {
    const answer = await (await engine.library()).search(request, run)
    return request.budget === undefined
      ? answer
      : fitResults(answer, request.budget, (candidate) => `${JSON.stringify(candidate)}\n`)
  },
  // `text` applies the budget to the printed text, which is shorter than the JSON.
  forText: ({ budget: _, ...input }) => input,
  text: (answer, input) => printAnswer(fitAnswer(answer, input), input?.format ?? 'table'),
  notices: (answer, input) => {
    const droppedCount = input?.format === 'xml' ? 0 : (fitAnswer(answer, input).dropped ?? 0)
    return [...answer.notices, ...(droppedCount > 0 ? [droppedNotice(droppedCount)] : [])]
  },
})

/** The answer, cut so that its text in the format of the input is within the budget. */
function fitAnswer(answer: SearchAnswer, request: InputOf<typeof input> | undefined): SearchAnswer {
  if (request?.budget === undefined || answer.dropped !== undefined) return answer
  return fitResults(answer, request.budget, (candidate) => printAnswer(candidate, request.format))
}
