/** Reading what the collections hold. */

import type { Operation } from '../../core/operation.ts'
import type { Engine, GetAnswer, ListAnswer, MultiGetAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { counted, sized } from '../../text/counts.ts'
import { array, count, type Inputs, inputsOf, object, text } from '../schema.ts'
import { aboutLine, element, elements, listed as listedTexts, notGiven, plain } from './document-formats.ts'

const document = () =>
  object({
    uri: text,
    docid: text,
    collection: text,
    path: text,
    title: text,
    text,
    lines: object({ start: count, end: count, total: count }),
    'context?': text,
  })

const format = {
  type: 'string',
  enum: ['text', 'xml'],
  default: 'text',
  forText: true,
  description: 'how it is printed: as it is, or in a frame that no text can leave',
} as const

const getInput = {
  path: { type: 'string', isRequired: true, description: 'collection/path, a uri, a path on disk, or #docid' },
  lines: {
    type: 'string',
    pattern: '^0*[1-9]\\d*(-\\d*)?$',
    examples: ['10-20', '10-', '10'],
    placeholder: 'A-B',
    description: 'only these lines: 10-20, 10- or 10',
  },
  format,
} as const

/** One document. */
export const get: Operation<Engine, Inputs<typeof getInput>, GetAnswer> = {
  name: 'get',
  summary: 'Print a document of a collection',
  effect: 'read',
  positional: ['path'],
  examples: [
    { command: 'ambit get docs/api/errors.md', does: 'all of it' },
    { command: 'ambit get docs/api/errors.md --lines 10-40', does: 'some lines' },
  ],
  input: inputsOf(getInput),
  output: document,
  run: async (engine, { path, lines }) => (await (await engine.library()).documents()).get(path, lines),
  text: (answer, input) => (input?.format === 'xml' ? element(answer) : plain(answer)),
  about: (answer, input) => (input?.format === 'xml' ? undefined : aboutLine(answer)),
}

const multiGetInput = {
  pattern: {
    type: 'string',
    isRequired: true,
    description: 'a glob such as "docs/api/*.md", or paths with commas between them',
  },
  maxBytes: { type: 'integer', minimum: 1, description: 'most bytes of all documents together; default 262144' },
  format,
} as const

/** Several documents. */
export const multiGet: Operation<Engine, Inputs<typeof multiGetInput>, MultiGetAnswer> = {
  name: 'multi-get',
  summary: 'Print several documents',
  effect: 'read',
  positional: ['pattern'],
  examples: [{ command: 'ambit multi-get "docs/api/*.md"', does: 'all that match, as far as there is room' }],
  input: inputsOf(multiGetInput),
  output: () => object({ documents: array(document()), left: array(object({ path: text, detail: text })) }),
  run: async (engine, { pattern, maxBytes }) =>
    (await (await engine.library()).documents()).multiGet(pattern, maxBytes),
  text: (answer, input) => (input?.format === 'xml' ? elements(answer) : listedTexts(answer)),
  // In a frame they are elements like others.
  notices: (answer, input) => (input?.format === 'xml' ? [] : notGiven(answer)),
  failed: ({ documents, left }) => documents.length === 0 && left.length > 0,
}

const listInput = {
  place: { type: 'string', placeholder: 'PLACE', description: 'a collection, or a directory in one; default all' },
} as const

const listed = () => object({ path: text, uri: text, docid: text, title: text, bytes: count, modifiedAt: text })

/** What a place holds. */
export const ls: Operation<Engine, Inputs<typeof listInput>, ListAnswer> = {
  name: 'ls',
  summary: 'List what a place in a collection holds',
  effect: 'read',
  positional: ['place'],
  examples: [{ command: 'ambit ls docs/api', does: 'its directories and documents' }],
  input: inputsOf(listInput),
  output: () =>
    object({
      collection: { type: ['string', 'null'] },
      path: text,
      directories: array(object({ path: text, documents: count, 'context?': text })),
      documents: array(listed()),
    }),
  run: async (engine, { place }) => (await (await engine.library()).documents()).list(place),
  text: ({ collection, directories, documents }) => {
    // As they can be given to other commands.
    const whole = (path: string) => oneLine(collection === null ? path : `${collection}/${path}`)
    const rows = [
      ...directories.map(({ path, documents, context }) => {
        const about = context === undefined ? '' : `  [${oneLine(context)}]`
        return `${whole(path)}/  ${counted(documents, 'document')}${about}`
      }),
      ...documents.map(({ path, bytes, title }) => `${whole(path)}  ${sized(bytes)}  ${oneLine(title)}`),
    ]
    return rows.length === 0 ? 'There is nothing here yet.\n' : `${rows.join('\n')}\n`
  },
}
