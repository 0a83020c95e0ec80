/** Operations that read collections. */

import { getAnswer, listAnswer, multiGetAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { countLimit, defineOperation, textFormat } from '../schema.ts'
import {
  aboutLine,
  attributeIn,
  documentElement,
  documentElements,
  documentText,
  fitDocuments,
  fitLines,
  joinDocuments,
} from './document-formats.ts'

const format = textFormat('the format: the text as it is, or xml for prompts')

const budget = {
  is: 'integer',
  minimum: 1,
  forText: true,
  description: 'maximum number of tokens; what does not fit is left out, and named',
} as const

const maxLines = {
  is: 'integer',
  minimum: 1,
  short: 'l',
  description: 'maximum number of lines of each document',
} as const

const NO_MATCH = 'No path contains these letters in this order.\n'

/** Matches the opening tags of documents. No line of a framed text begins with such a tag, because frames escape it. */
const DOCUMENT_TAG = /^<document /gm

export const documents = {
  get: defineOperation({
    name: 'get',
    summary: 'Print a document of a collection',
    effect: 'read',
    positional: ['path'],
    examples: {
      'ambit get docs/api/errors.md': 'print all of it',
      'ambit get docs/api/errors.md --lines 10-40': 'print some lines',
      'ambit get errors.md:10:5': 'print five lines of the document with this name',
    },
    tool: {
      name: 'get',
      set: 'search',
      about: 'Read a document of a collection, or some of its lines',
      inputs: {
        path: 'collection/path or its end, uri, path on disk, or #docid',
        lines: '10-20, 10-, 10, or 10:5: five',
        budget: 'token limit',
      },
      preset: { format: 'xml' },
      budget: 8000,
      meta: ({ uri, lines }, text) => ({ uri, lines: attributeIn(text, 'lines'), total: lines.total }),
    },
    inputs: {
      path: {
        is: 'path',
        path: 'collection',
        required: true,
        description:
          'COLLECTION/PATH or the end of one, a URI, a path on disk, or #DOCID; append :10, :10-20 or :10:5 for lines',
      },
      lines: {
        is: 'text',
        pattern: '^0*[1-9]\\d*(-\\d*|:0*[1-9]\\d*)?$',
        examples: ['10-20', '10-', '10', '10:5'],
        placeholder: 'A-B',
        description: 'print only these lines: 10-20, 10- or 10; 10:5 is five lines from line 10',
      },
      maxLines,
      budget,
      format,
    },
    output: getAnswer,
    run: async (engine, { path, lines, maxLines }) =>
      (await (await engine.library()).documents()).get(path, lines, maxLines),
    text: (answer, input) => {
      const write = input?.format === 'xml' ? documentElement : documentText
      return write(fitLines(answer, input?.budget, write))
    },
    about: (answer, input) => (input?.format === 'xml' ? undefined : aboutLine(answer)),
    notices: (answer, input) => {
      const fittedDocument = input?.format === 'xml' ? undefined : fitLines(answer, input?.budget, documentText)
      return [answer.notice, fittedDocument?.omission].filter((notice) => notice !== undefined)
    },
  }),

  multiGet: defineOperation({
    name: 'multi-get',
    summary: 'Print several documents',
    effect: 'read',
    positional: ['pattern', 'more'],
    examples: {
      'ambit multi-get "docs/api/*.md"': 'print all that match, up to the size limit',
      'ambit multi-get install.md docs/api/errors.md:10:5 "notes/*"': 'print several, or some of their lines',
    },
    tool: {
      name: 'multi_get',
      set: 'search',
      about: 'Read several documents',
      inputs: {
        pattern: 'a glob such as "docs/*.md", or paths, separated by commas',
        maxBytes: 'of the texts',
        budget: 'token limit',
      },
      preset: { format: 'xml' },
      budget: 8000,
      meta: ({ documents }, text) => ({ documents: documents.length, shown: [...text.matchAll(DOCUMENT_TAG)].length }),
    },
    inputs: {
      pattern: {
        is: 'path',
        path: 'documents',
        required: true,
        description: 'a path as for "get", a glob such as "docs/api/*.md", or several, separated by commas',
      },
      more: { is: 'path', path: 'documents', list: true, description: 'more paths' },
      maxBytes: {
        is: 'integer',
        minimum: 1,
        description: 'maximum size of all documents together, in bytes; default 262144',
      },
      maxLines,
      budget,
      format,
    },
    output: multiGetAnswer,
    run: async (engine, { pattern, more = [], maxBytes, maxLines }) =>
      (await (await engine.library()).documents()).multiGet([pattern, ...more], maxBytes, maxLines),
    text: (answer, input) => {
      const write = input?.format === 'xml' ? documentElements : joinDocuments
      return write(fitDocuments(answer, input?.budget, write))
    },
    // In XML, elements of the text say what was left out.
    notices: (answer, input) => {
      const ambiguities = answer.documents.flatMap(({ notice }) => notice ?? [])
      if (input?.format === 'xml') return ambiguities
      const fittedDocuments = fitDocuments(answer, input?.budget, joinDocuments)
      const leftNotices = fittedDocuments.left.map(({ path, detail }) => `not given: ${path}: ${detail}`)
      return [...ambiguities, ...leftNotices, ...fittedDocuments.documents.flatMap(({ omission }) => omission ?? [])]
    },
    failed: ({ documents, left }) => documents.length === 0 && left.length > 0,
  }),

  ls: defineOperation({
    name: 'ls',
    summary: 'List the indexed documents of a place',
    effect: 'read',
    positional: ['place'],
    examples: {
      'ambit ls docs/api': 'list directories and documents',
      'ambit ls code --match usrctl': 'find files by letters of their names, such as user-controller.ts',
    },
    tool: {
      name: 'list',
      set: 'search',
      about: 'List a collection, or a directory in one',
      inputs: { place: 'default: all collections' },
    },
    inputs: {
      place: {
        is: 'path',
        path: 'collection',
        placeholder: 'PLACE',
        description: 'a collection, or a directory in one; default all collections',
      },
      match: {
        is: 'text',
        placeholder: 'LETTERS',
        description: 'list documents at any depth by letters of their paths in order: usrctl finds user-controller.ts',
      },
      limit: { ...countLimit(50, 1000, 'maximum number of documents, with --match'), short: 'n' },
    },
    output: listAnswer,
    run: async (engine, { place, match, limit }) => {
      const documents = await (await engine.library()).documents()
      return match === undefined ? documents.list(place) : documents.match(match, place, limit)
    },
    text: ({ collection, directories, documents }, input) => {
      if (input?.match !== undefined) return documents.map(({ uri }) => `${oneLine(uri)}\n`).join('') || NO_MATCH
      // With the name of the collection, so that other commands accept the paths.
      const wholePath = (path: string) => oneLine(collection === null ? path : `${collection}/${path}`)
      const rows = [
        ...directories.map(({ path, documents, context }) => {
          const about = context === undefined ? '' : `  [${oneLine(context)}]`
          return `${wholePath(path)}/  ${countNoun(documents, 'document')}${about}`
        }),
        ...documents.map(({ path, bytes, title }) => `${wholePath(path)}  ${formatBytes(bytes)}  ${oneLine(title)}`),
      ]
      return rows.length === 0 ? 'There is nothing here yet.\n' : `${rows.join('\n')}\n`
    },
    notices: ({ notice }) => (notice === undefined ? [] : [notice]),
  }),
}
