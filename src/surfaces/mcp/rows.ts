/** Which operations are tools, and what a model is told of them. The list is sent to every model: short words. */

import type { Toolset } from '../../core/choices.ts'
import type {
  ExportAnswer,
  GetAnswer,
  LoadAnswer,
  MultiGetAnswer,
  SessionAnswer,
  TaskAnswer,
} from '../../engine/engine.ts'

/** How an operation is shown as a tool. */
export interface McpToolRow {
  /** The name of the tool. */
  readonly tool: string
  readonly set: Toolset
  /** What it gives, and when to call it. */
  readonly about: string
  /** The inputs that are shown, in order, with what is said of each. */
  readonly inputs: Readonly<Record<string, string>>
  /** What an input is when it is not given, in place of the operation's own default. */
  readonly preset?: Readonly<Record<string, unknown>>
  /**
   * Its answer is a text in frames and nothing else, of so many tokens at most unless `budget` says otherwise. Without it the
   * answer is structured, and its text is the same as JSON.
   */
  readonly budget?: number
  /** What clients are told beside a text: counts, the digest, what was cut. */
  readonly meta?: (output: never, text: string) => object
  /** What a session was given is not given again, unless `fresh` is asked for. */
  readonly isOnce?: true
  /** The part of a structured answer that is given. Default: all. */
  readonly data?: (output: never) => object
  /** Bytes of a structured answer. */
  readonly most?: number
  /** Whether what is there may be lost. Default: no. */
  readonly destructive?: true
  /** It writes nothing but what it makes itself, and is there without leave to write. */
  readonly always?: true
}

const PLACE = 'directory or file on disk, collection/path, or quilt+s3://bucket#package=ns/name; default .'
const BUDGET = 'most tokens'
const FRAMED = { format: 'xml' }
const SESSION = 'id, or "last"'
const PATH = 'COLLECTION/PATH, a path on disk, or / for everything'

/** The one table from operations to tools, by the names of the operations. */
export const MCP_TOOLS: Readonly<Record<string, McpToolRow>> = {
  load: {
    tool: 'load_context',
    set: 'context',
    about:
      'What applies at a place: AGENTS.md and its kin, .context/, READMEs, what people said of it; the most important first, in ' +
      'a budget. Call it before you work in a directory, and again with the files you touch: then it gives only what is new',
    inputs: {
      place: PLACE,
      touched: 'paths you read or write',
      task: 'what you are about to do',
      budget: BUDGET,
      format: 'xml: in frames',
      profile: 'load as this tool does',
      withContextDir: 'of a bucket, .context/ too',
    },
    preset: FRAMED,
    budget: 8000,
    isOnce: true,
    meta: ({ digest, truncated, ledger }: LoadAnswer) => ({ digest, truncated, ...cutIn(ledger) }),
  },
  explain: {
    tool: 'explain_context',
    set: 'context',
    about: 'Which files were considered at a place, and why each is, or is not, in its context',
    inputs: {
      place: 'as in load_context',
      whyNot: 'a file to explain',
      touched: 'paths you touch',
      task: 'see there',
      budget: BUDGET,
      profile: 'see there',
    },
  },
  search: {
    tool: 'search',
    set: 'search',
    about:
      'Find documents in the collections by any words: the lines that match, and what their places are for. Call it before ' +
      'you read or grep; then get a hit',
    inputs: {
      query: 'words, "phrases", -without, word*, title:x, path:x, contains:"text"',
      collections: 'default all',
      limit: 'most hits',
      budget: BUDGET,
      mode: 'by words, meaning, or both',
      path: 'globs',
      where: 'front matter: key=value',
      after: 'changed since: 2026-05-31',
      sections: 'places shown of each',
      rerank: 'by a model, where one is set',
    },
    preset: FRAMED,
    budget: 4000,
    meta: ({ mode, total, results }: SearchMeta, text) => {
      const shown = Number(attributeIn(text, 'shown') ?? 0)
      return { mode, total, shown, dropped: results.length - shown }
    },
  },
  get: {
    tool: 'get',
    set: 'search',
    about: 'Read a document of a collection, or some of its lines',
    inputs: {
      path: 'collection/path or its end, uri, path on disk, or #docid',
      lines: '10-20, 10-, 10, or 10:5: five',
      budget: BUDGET,
    },
    preset: FRAMED,
    budget: 8000,
    meta: ({ uri, lines }: GetAnswer, text) => ({ uri, lines: attributeIn(text, 'lines'), total: lines.total }),
  },
  'multi-get': {
    tool: 'multi_get',
    set: 'search',
    about: 'Read several documents',
    inputs: { pattern: 'a glob such as "docs/*.md", or paths with commas', maxBytes: 'of the texts', budget: BUDGET },
    preset: FRAMED,
    budget: 8000,
    meta: ({ documents }: MultiGetAnswer, text) => ({
      documents: documents.length,
      shown: [...text.matchAll(DOCUMENT)].length,
    }),
  },
  ls: {
    tool: 'list',
    set: 'search',
    about: 'List a collection, or a directory in one',
    inputs: { place: 'default: all collections' },
  },
  status: { tool: 'status', set: 'search', about: 'The collections, and the state of their index', inputs: {} },
  task: {
    tool: 'task_context',
    set: 'task',
    about:
      'What to read for a task in a code base: the lines that bear on it, with why, in a budget. Call it at the start of a task, ' +
      'before you search or open files',
    inputs: {
      task: 'all of it: an issue, an error, a stack trace, a diff',
      place: 'directory; default .',
      budget: BUDGET,
    },
    preset: FRAMED,
    budget: 8000,
    meta: ({ files, index }: TaskAnswer) => ({
      files: files.filter(({ ranges }) => ranges.length > 0).length,
      indexed: index.files,
    }),
  },
  'contexts.list': {
    tool: 'context_list',
    set: 'context',
    about: 'What was said of collections and paths',
    inputs: {},
  },
  'contexts.check': {
    tool: 'context_check',
    set: 'context',
    about: 'Collections and folders that nothing was said of, and what was said of places that are gone',
    inputs: { strict: 'folders, too' },
  },
  'packages.show': {
    tool: 'package_show',
    set: 'packages',
    about: 'A package of data: hash, message, size, workflow and metadata',
    inputs: { package: 'COLLECTION/NS/NAME[@HASH|:TAG], or quilt+s3://BUCKET#package=NS/NAME' },
  },
  'contexts.add': {
    tool: 'context_add',
    set: 'context',
    about: 'Say what a place in a collection is for, instead of what was said of it before',
    inputs: { path: PATH, text: 'what it is for' },
  },
  'contexts.remove': {
    tool: 'context_remove',
    set: 'context',
    about: 'Take away what was said of a place',
    inputs: { path: PATH },
    destructive: true,
  },
  index: {
    tool: 'index',
    set: 'search',
    about: 'Read what has changed in the collections, so that it is found',
    inputs: { names: 'collections; default all', force: 'read every file' },
  },
  'research.start': {
    tool: 'research_start',
    set: 'research',
    about:
      'Begin research on a question, grounded in files and collections. It goes on by itself: ask research_status with its ' +
      'session_id until it is completed, then research_report',
    inputs: {
      question: 'what is to be found out',
      files: 'that it is grounded in',
      collections: 'default all',
      web: 'search the web by this provider, too',
      extractive: 'without models',
      depth: 'levels of questions',
      calls: 'most requests to models',
      follows: 'a session it goes on from',
    },
    always: true,
  },
  'research.show': {
    tool: 'research_status',
    set: 'research',
    about: 'How far a research session is, and what was found',
    inputs: { session: SESSION },
    data: ({ settings: _, report, ...session }: SessionAnswer) => ({
      ...session,
      report: report && { grade: report.grade, gaps: report.gaps },
    }),
  },
  'research.export': {
    tool: 'research_report',
    set: 'research',
    about: 'The report of a research session, with citations',
    inputs: { session: SESSION },
    data: ({ report: { sources: _, markdown: __, ...report }, ...answer }: ExportAnswer) => ({ ...answer, report }),
    most: 48_000,
  },
}

/** What is told of a search. */
interface SearchMeta {
  readonly mode: string
  readonly total: number
  readonly results: readonly unknown[]
}

/** In frames a line that begins so is a tag of ours. */
const DOCUMENT = /^<document /gm

/** An attribute of the first tag of a framed text. */
function attributeIn(text: string, name: string): string | undefined {
  const [tag = ''] = text.split('\n', 1)
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
}

/** Rows of the ledger that are told. */
const MOST_ROWS = 20

/** What the budget cut or left, the most important first. */
function cutIn(ledger: LoadAnswer['ledger']) {
  const rows = ledger.filter(({ why, pass }) => why === 'over-budget' || pass === 'budget')
  const cut = rows.slice(0, MOST_ROWS).map(({ title, decision }) => ({ title, decision }))
  return { cut, ...(rows.length > MOST_ROWS && { cutMore: rows.length - MOST_ROWS }) }
}
