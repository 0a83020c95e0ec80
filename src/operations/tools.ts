/** Operations as tools of the assistant. What they give is framed, so that no text of a file can be taken for another's. */

import { posix } from 'node:path'
import type { MakeTools, ToolScope } from '../agent/host.ts'
import { type AgentTool, readInputs } from '../agent/tool.ts'
import type { LoadAnswer } from '../context/answers.ts'
import type { JsonSchema } from '../core/answer.ts'
import type { Engine, GetAnswer, PathContextsAnswer, SearchAnswer } from '../engine/engine.ts'
import { citedAs } from '../text/citations.ts'
import { cutElements, elementsOf } from '../text/elements.ts'
import { frameText } from '../text/frames.ts'
import { type HintInputs, rephraseHints } from './command-hints.ts'
import { contextUri } from './path-contexts/path-contexts.ts'
import type { AnyOperation } from './schema.ts'

/** How an operation is shown to the assistant's model. */
interface AssistantToolRow {
  readonly tool: string
  /** The operation, by its name. */
  readonly operation: string
  /** The description that a model gets. */
  readonly about: string
  /** Names of the tool's inputs, and of the operation's that they are. */
  readonly inputs: Readonly<Record<string, string>>
  /** Preset inputs, in place of the operation's defaults. `format: 'xml'`: its text has frames of its own. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** The places that an answer is of. */
  sources?(output: never): readonly string[]
  /** How to get the rest of a text that was cut. */
  readonly more: string
  /** Its output is context, of which each part is given once. */
  readonly isContext?: true
}

/** Tokens of the context that one call gives. */
const CONTEXT_TOKENS = 8000

/** The one table from operations to the assistant's tools, in the order in which its model sees them. */
const ASSISTANT_TOOLS: readonly AssistantToolRow[] = [
  {
    tool: 'search',
    operation: 'search',
    about:
      'Find documents in the collections by what they say. Any words will do. Each hit has the lines that match, and what ' +
      'its place is for',
    inputs: { query: 'query', collections: 'collections', path: 'path' },
    preset: { format: 'xml', limit: 8 },
    sources: ({ results }: SearchAnswer) => results.map(({ uri }) => uri),
    more: 'Ask in other words, or read one of the hits.',
  },
  {
    tool: 'read',
    operation: 'get',
    about: 'Read a file, or some of its lines',
    inputs: { path: 'path', lines: 'lines' },
    preset: { format: 'xml' },
    sources: ({ uri }: GetAnswer) => [uri],
    more: 'Read the rest by its lines, such as lines "200-400".',
  },
  {
    tool: 'list',
    operation: 'ls',
    about: 'List what a place holds; without a path, the collections',
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
    sources: (at: LoadAnswer) => elementsOf(at.text).flatMap((element) => citedAs(element, at) ?? []),
    isContext: true,
  },
  {
    tool: 'path_contexts',
    operation: 'contexts.list',
    about: 'What people wrote about collections and the paths in them, all of it',
    inputs: {},
    preset: { format: 'xml' },
    sources: ({ contexts }: PathContextsAnswer) => contexts.map(contextUri),
    more: 'Ask for the context of a place.',
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

interface ToolParts extends ToolScope {
  readonly engine: Engine
}

/**
 * The operations of the table as tools, in its order, which is that of every request: what a provider has kept of it holds.
 */
export function assistantTools(engine: Engine, operations: readonly AnyOperation[]): MakeTools {
  const rephrased = rephraseHints(operations, calledAs)
  return (scope) =>
    ASSISTANT_TOOLS.flatMap((row) => {
      const operation = rephrased.find(({ name }) => name === row.operation)
      return operation ? [toAgentTool(operation, row, { ...scope, engine })] : []
    })
}

/** A document that was read counts as touched, where its collection is a directory of this machine. */
async function touchDocument({ engine, touch }: ToolParts, { collection, path }: GetAnswer): Promise<void> {
  const { collections } = await engine.library()
  const root = (await collections.list()).find(({ name }) => name === collection)?.root ?? ''
  if (root.startsWith('/')) touch(posix.join(root, path))
}

function toAgentTool(operation: AnyOperation, row: AssistantToolRow, parts: ToolParts): AgentTool {
  return {
    name: row.tool,
    description: `${row.about}.`,
    effect: operation.effect,
    input: inputOf(operation, row),
    run: async (input, signal) => {
      const given = operation.input.parse({ ...row.preset, ...renameInputs(input, row) })
      const output = await operation.run(parts.engine, given, { signal, emit: () => {} })
      if (row.operation === 'get') await touchDocument(parts, output as GetAnswer)
      return toolText({ operation, row, parts }, output, given)
    },
    cut: (text, mostBytes) =>
      cutElements(text, mostBytes, (shown, all) => `${shown} of ${all} bytes are given. ${row.more}`),
  }
}

/** The inputs of the table, by the names that a model knows. */
function inputOf({ input }: AnyOperation, { inputs }: AssistantToolRow): JsonSchema {
  const { properties = {}, required = [] } = input.json()
  const entries = Object.entries(inputs).map(([name, own]) => [name, properties[own] ?? {}] as const)
  const needed = Object.keys(inputs).filter((name) => required.includes(inputs[name] ?? ''))
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    additionalProperties: false,
    ...(needed.length > 0 && { required: needed }),
  }
}

/** Preset inputs are no inputs of the tool. */
function renameInputs(input: unknown, { inputs }: AssistantToolRow): Readonly<Record<string, unknown>> {
  const given = Object.entries(readInputs(input, Object.keys(inputs)))
  return Object.fromEntries(given.map(([name, value]) => [inputs[name] ?? name, value]))
}

interface Projection {
  readonly operation: AnyOperation
  readonly row: AssistantToolRow
  readonly parts: ToolParts
}

function toolText({ operation, row, parts }: Projection, output: unknown, given: unknown): string {
  const answer = operation.text(output, given)
  const whole =
    row.preset?.format === 'xml' ? answer : frameText({ tag: 'listing', attributes: {}, text: answer.trimEnd() })
  const text = row.isContext ? parts.fresh(whole) : whole
  const notices = (operation.notices?.(output, given) ?? []).map((notice) =>
    frameText({ tag: 'notice', attributes: {}, text: notice }),
  )
  const sources = row.sources?.(output as never) ?? []
  const all = `${parts.numbered(sources)}${text}${notices.join('')}`
  return all === '' ? NOTHING : all
}

const NOTHING = '<notice>\nThere is nothing, or nothing that was not given before.\n</notice>\n'

/** A model cannot type the command lines of hints: hints name the tool instead, where one does the same. */
function calledAs({ name }: AnyOperation, given: HintInputs): string | undefined {
  const row = ASSISTANT_TOOLS.find(({ operation }) => operation === name)
  if (!row) return undefined
  const inputs = Object.entries(row.inputs).flatMap(([own, theirs]) => {
    const value = given[theirs]
    return value === undefined ? [] : [[own, value] as const]
  })
  return `the tool ${row.tool}${inputs.length === 0 ? '' : ` with ${JSON.stringify(Object.fromEntries(inputs))}`}`
}
