import type { GetAnswer, LoadAnswer, SearchAnswer } from '../engine/engine.ts'

/** How an operation is shown to the assistant's model. */
export interface AssistantToolRow {
  readonly tool: string
  /** The operation, by its name. */
  readonly operation: string
  /** What a model is told of it. */
  readonly about: string
  /** Names of the tool's inputs, and of the operation's that they are. */
  readonly inputs: Readonly<Record<string, string>>
  /** What the other inputs are, in place of the operation's own defaults. `format: 'xml'`: its text has frames of its own. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** The places that an answer is of. */
  sources?(output: never): readonly string[]
  /** Where more of it is than is given: how to get the rest. */
  readonly more: string
  /** What it gives is context, of which each part is given once. */
  readonly isContext?: true
}

/** Tokens of the context that one call gives. */
const CONTEXT_TOKENS = 8000

/** The one table from operations to the assistant's tools, in the order in which its model sees them. */
export const ASSISTANT_TOOLS: readonly AssistantToolRow[] = [
  {
    tool: 'search',
    operation: 'search',
    about:
      'Find documents in the collections by what they say. Any words will do. Each hit has the lines that match, and what ' +
      'its place is for',
    inputs: { query: 'query', collections: 'collections' },
    preset: { format: 'xml', limit: 8 },
    sources: ({ results }: SearchAnswer) => results.map(({ uri }) => uri),
    more: 'Ask in other words, or read one of the hits.',
  },
  {
    tool: 'read',
    operation: 'get',
    about: 'Read a document of a collection, or some of its lines',
    inputs: { path: 'path', lines: 'lines' },
    preset: { format: 'xml' },
    sources: ({ uri }: GetAnswer) => [uri],
    more: 'Read the rest by its lines, such as lines "200-400".',
  },
  {
    tool: 'list',
    operation: 'ls',
    about: 'List what a collection, or a directory in one, holds; without a path, the collections',
    inputs: { path: 'place' },
    more: 'List a directory in it.',
  },
  {
    tool: 'context_for',
    operation: 'load',
    about:
      'The context that applies at another place: the instruction files and READMEs at and above it, what people said of it, ' +
      'and what a package is. Ask for it before you say something of how things are done there',
    inputs: { place: 'place' },
    preset: { format: 'xml', full: false, drift: false, budget: CONTEXT_TOKENS },
    more: 'Read its files one by one.',
    sources: ({ contexts }: LoadAnswer) => contexts.map(({ path }) => path),
    isContext: true,
  },
  {
    tool: 'packages',
    operation: 'packages.list',
    about: 'List the packages of data in a collection or bucket; without one, those of all collections',
    inputs: { registry: 'registry', after: 'after' },
    preset: { limit: 200 },
    more: 'Go on with after.',
  },
  {
    tool: 'package_entries',
    operation: 'packages.ls',
    about: 'List what a package, or a directory in it, holds',
    inputs: { package: 'package', path: 'path', after: 'after' },
    preset: { limit: 200 },
    more: 'Go on with after.',
  },
  {
    tool: 'package_diff',
    operation: 'packages.diff',
    about: 'Show what differs between two revisions of a package, or between two packages',
    inputs: { before: 'before', after: 'after' },
    preset: { limit: 200 },
    more: 'List the entries of both.',
  },
  {
    tool: 'set_path_context',
    operation: 'contexts.add',
    about:
      'Write down what a place in a collection is for, instead of what was said of it before. Only when the person asks for ' +
      'it; the person is asked before it is done',
    inputs: { path: 'path', text: 'text' },
    more: 'Nothing is left out.',
  },
]
