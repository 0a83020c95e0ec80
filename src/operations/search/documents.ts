/** Reading what the collections hold. */

import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, GetAnswer, ListAnswer, MultiGetAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { array, count, object, text } from '../schema.ts'
import {
  aboutLine,
  documentText,
  element,
  elements,
  joinDocuments as listedTexts,
  notGiven,
  restNotices,
} from './document-formats.ts'
import { fitDocuments, fitLines } from './fit.ts'

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
  is: 'choice',
  of: ['text', 'xml'],
  default: 'text',
  forText: true,
  description: 'how it is printed: as it is, or in a frame that no text can leave',
} as const

const budget = {
  is: 'integer',
  minimum: 1,
  forText: true,
  description: 'most tokens of what is printed; what has no room is left out, and that is told',
} as const

const maxLines = { is: 'integer', minimum: 1, short: 'l', description: 'most lines of each document' } as const

const getInput = {
  path: {
    is: 'path',
    path: 'collection',
    required: true,
    description:
      'collection/path or the end of one, a uri, a path on disk, or #docid; with :10, :10-20 or :10:5 these lines',
  },
  lines: {
    is: 'text',
    pattern: '^0*[1-9]\\d*(-\\d*|:0*[1-9]\\d*)?$',
    examples: ['10-20', '10-', '10', '10:5'],
    placeholder: 'A-B',
    description: 'only these lines: 10-20, 10- or 10; 10:5 is five lines from line 10 on',
  },
  maxLines,
  budget,
  format,
} as const

/** One document. */
export const get: Operation<Engine, InputOf<typeof getInput>, GetAnswer> = {
  name: 'get',
  summary: 'Print a document of a collection',
  effect: 'read',
  positional: ['path'],
  examples: [
    { command: 'ambit get docs/api/errors.md', does: 'all of it' },
    { command: 'ambit get docs/api/errors.md --lines 10-40', does: 'some lines' },
    { command: 'ambit get errors.md:10:5', does: 'five lines of the one document that is called so' },
  ],
  input: defineInputs(getInput),
  output: document,
  run: async (engine, { path, lines, maxLines }) =>
    (await (await engine.library()).documents()).get(path, lines, maxLines),
  text: (answer, input) => {
    const write = input?.format === 'xml' ? element : documentText
    return write(fitLines(answer, input?.budget, write))
  },
  about: (answer, input) => (input?.format === 'xml' ? undefined : aboutLine(answer)),
  notices: (answer, input) =>
    input?.format === 'xml' ? [] : restNotices([fitLines(answer, input?.budget, documentText)]),
}

const multiGetInput = {
  pattern: {
    is: 'path',
    path: 'documents',
    required: true,
    description: 'a path as get takes it, a glob such as "docs/api/*.md", or several with commas between them',
  },
  more: { is: 'path', path: 'documents', list: true, description: 'more of them' },
  maxBytes: { is: 'integer', minimum: 1, description: 'most bytes of all documents together; default 262144' },
  maxLines,
  budget,
  format,
} as const

/** Several documents. */
export const multiGet: Operation<Engine, InputOf<typeof multiGetInput>, MultiGetAnswer> = {
  name: 'multi-get',
  summary: 'Print several documents',
  effect: 'read',
  positional: ['pattern', 'more'],
  examples: [
    { command: 'ambit multi-get "docs/api/*.md"', does: 'all that match, as far as there is room' },
    { command: 'ambit multi-get install.md docs/api/errors.md:10:5 "notes/*"', does: 'several, or lines of them' },
  ],
  input: defineInputs(multiGetInput),
  output: () => object({ documents: array(document()), left: array(object({ path: text, detail: text })) }),
  run: async (engine, { pattern, more = [], maxBytes, maxLines }) =>
    (await (await engine.library()).documents()).multiGet([pattern, ...more], maxBytes, maxLines),
  text: (answer, input) => {
    const write = input?.format === 'xml' ? elements : listedTexts
    return write(fitDocuments(answer, input?.budget, write))
  },
  // In a frame they are elements like others.
  notices: (answer, input) => {
    if (input?.format === 'xml') return []
    const fitted = fitDocuments(answer, input?.budget, listedTexts)
    return [...notGiven(fitted), ...restNotices(fitted.documents)]
  },
  failed: ({ documents, left }) => documents.length === 0 && left.length > 0,
}

const listInput = {
  place: {
    is: 'path',
    path: 'collection',
    placeholder: 'PLACE',
    description: 'a collection, or a directory in one; default all',
  },
} as const

const listItemSchema = () => object({ path: text, uri: text, docid: text, title: text, bytes: count, modifiedAt: text })

/** What a place holds. */
export const lsOperation: Operation<Engine, InputOf<typeof listInput>, ListAnswer> = {
  name: 'ls',
  summary: 'List what a place in a collection holds',
  effect: 'read',
  positional: ['place'],
  examples: [{ command: 'ambit ls docs/api', does: 'its directories and documents' }],
  input: defineInputs(listInput),
  output: () =>
    object({
      collection: { type: ['string', 'null'] },
      path: text,
      directories: array(object({ path: text, documents: count, 'context?': text })),
      documents: array(listItemSchema()),
    }),
  run: async (engine, { place }) => (await (await engine.library()).documents()).list(place),
  text: ({ collection, directories, documents }) => {
    // As they can be given to other commands.
    const whole = (path: string) => oneLine(collection === null ? path : `${collection}/${path}`)
    const rows = [
      ...directories.map(({ path, documents, context }) => {
        const about = context === undefined ? '' : `  [${oneLine(context)}]`
        return `${whole(path)}/  ${countNoun(documents, 'document')}${about}`
      }),
      ...documents.map(({ path, bytes, title }) => `${whole(path)}  ${formatBytes(bytes)}  ${oneLine(title)}`),
    ]
    return rows.length === 0 ? 'There is nothing here yet.\n' : `${rows.join('\n')}\n`
  },
}
