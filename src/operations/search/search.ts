import type { Operation } from '../../core/operation.ts'
import type { Engine, SearchAnswer } from '../../engine/engine.ts'
import { array, count, flag, type Inputs, inputsOf, object, text, words } from '../schema.ts'
import { printed } from './formats.ts'

/** A day or a month, or a time of it. That a month has no such day is only seen when it is looked for. */
const DATE =
  '^\\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?(T\\d\\d:\\d\\d(:\\d\\d([.]\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$'

const input = {
  query: {
    type: 'string',
    isRequired: true,
    description:
      'words, "phrases", -without, word*, title:word, path:part, contains:"any text"; anything at all is a query',
  },
  collections: {
    type: 'array',
    items: { type: 'string' },
    short: 'c',
    placeholder: 'NAME',
    description: 'collections to look in; default all that are not paused',
  },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 10, short: 'n', description: 'most results' },
  minScore: { type: 'number', minimum: 0, maximum: 1, description: 'leave out what scores less: 0 to 1' },
  path: {
    type: 'array',
    items: { type: 'string' },
    placeholder: 'GLOB',
    description: 'only paths that match, such as "api/**"',
  },
  after: {
    type: 'string',
    pattern: DATE,
    examples: ['2026-05-31', '2026-05-31T12:00:00Z'],
    placeholder: 'DATE',
    description: 'only what was changed on this day or later',
  },
  where: {
    type: 'array',
    items: { type: 'string', pattern: '^[^=]+=', examples: ['status=draft'] },
    placeholder: 'KEY=VALUE',
    description: 'only documents whose front matter says so',
  },
  mode: {
    type: 'string',
    enum: ['lexical', 'vector', 'hybrid'],
    description: 'by words, by meaning, or by both; default both where an embedding model is set',
  },
  rerank: {
    type: 'boolean',
    default: false,
    description: 'put the best in the order of the reranking model, where one is set',
  },
  full: { type: 'boolean', default: false, description: 'the whole text of each document' },
  sections: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 1,
    description: 'places that are shown of each document',
  },
  explain: { type: 'boolean', default: false, description: 'what each result was found by' },
  format: {
    type: 'string',
    enum: ['table', 'markdown', 'xml', 'csv', 'files'],
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
    contexts: array(object({ scope: words('global', 'collection', 'path'), prefix: text, text })),
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
export const search: Operation<Engine, Inputs<typeof input>, SearchAnswer> = {
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
  input: inputsOf(input),
  output: () =>
    object({
      query: text,
      mode: words('lexical', 'vector', 'hybrid'),
      degraded: array(text),
      results: array(result()),
      total: count,
      notices: array(text),
    }),
  run: async (engine, { format: _, ...request }, run) => (await engine.library()).search(request, run),
  text: (answer, input) => printed(answer, input?.format ?? 'table'),
  notices: ({ notices }) => notices,
}
