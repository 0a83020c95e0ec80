/** Operations as tools of the assistant. Frames around the results keep the text of a file from posing as another text. */

import { posix } from 'node:path'
import type { MakeTools, ToolScope } from '../agent/host.ts'
import { type AgentTool, readInputs } from '../agent/tool.ts'
import type { LoadAnswer } from '../context/answers.ts'
import type { JsonSchema } from '../core/answer.ts'
import type { Engine, GetAnswer, PathContextsAnswer, SearchAnswer } from '../engine/engine.ts'
import { citationUri } from '../text/citations.ts'
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
  /** The input of the operation for each input of the tool. */
  readonly inputs: Readonly<Record<string, string>>
  /** Inputs that the tool sets. With `format: 'xml'`, the text of the operation has its own frames. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** The URIs of the places in an answer. */
  sources?(output: never): readonly string[]
  /** How to get the rest of a cut text. */
  readonly restHint: string
  /** The output is context: a conversation gets each text of it only once. */
  readonly isContext?: true
}

/** Maximum tokens of the context of one call. */
const CONTEXT_TOKENS = 8000

/** The tools of the assistant, in the order in which its model sees them. */
const ASSISTANT_TOOLS: readonly AssistantToolRow[] = [
  {
    tool: 'search',
    operation: 'search',
    about:
      'Find documents in the collections by what they say. Any words will do. Each hit has the lines that match, and what ' +
      'its place is for',
    inputs: { query: 'query', collections: 'collections', path: 'path', minScore: 'minScore' },
    preset: { format: 'xml', limit: 8 },
    sources: ({ results }: SearchAnswer) => results.map(({ uri }) => uri),
    restHint: 'Ask in other words, or read one of the hits.',
  },
  {
    tool: 'read',
    operation: 'get',
    about: 'Read a file, or some of its lines',
    inputs: { path: 'path', lines: 'lines' },
    preset: { format: 'xml' },
    sources: ({ uri }: GetAnswer) => [uri],
    restHint: 'Read the rest by its lines, such as lines "200-400".',
  },
  {
    tool: 'list',
    operation: 'ls',
    about: 'List what a place holds; without a path, the collections',
    inputs: { path: 'place' },
    restHint: 'List a directory in it.',
  },
  {
    tool: 'context_for',
    operation: 'load',
    about:
      'The context that applies at another place: the instruction files and READMEs at and above it, its path contexts, ' +
      'and the description of a package. Call it before you say how things are done there',
    inputs: { place: 'place' },
    preset: { format: 'xml', full: false, drift: false, budget: CONTEXT_TOKENS },
    restHint: 'Read its files one by one.',
    sources: (answer: LoadAnswer) => elementsOf(answer.text).flatMap((element) => citationUri(element, answer) ?? []),
    isContext: true,
  },
  {
    tool: 'path_contexts',
    operation: 'contexts.list',
    about: 'All path contexts: what people wrote about collections and the paths in them',
    inputs: {},
    preset: { format: 'xml' },
    sources: ({ contexts }: PathContextsAnswer) => contexts.map(contextUri),
    restHint: 'Ask for the context of a place.',
  },
  {
    tool: 'packages',
    operation: 'packages.list',
    about: 'List the packages of data in a collection or bucket; without one, those of all collections',
    inputs: { registry: 'registry', after: 'after' },
    preset: { limit: 200 },
    restHint: 'Continue with "after".',
  },
  {
    tool: 'package_entries',
    operation: 'packages.ls',
    about: 'List what a package, or a directory in it, holds',
    inputs: { package: 'package', path: 'path', after: 'after' },
    preset: { limit: 200 },
    restHint: 'Continue with "after".',
  },
  {
    tool: 'package_diff',
    operation: 'packages.diff',
    about: 'Show what differs between two revisions of a package, or between two packages',
    inputs: { before: 'before', after: 'after' },
    preset: { limit: 200 },
    restHint: 'List the entries of both.',
  },
  {
    tool: 'set_path_context',
    operation: 'contexts.add',
    about:
      'Set the path context of a place in a collection: what the place is for. It replaces the one before. Use it only when ' +
      'the person asks for it; the person must confirm it',
    inputs: { path: 'path', text: 'text' },
    restHint: 'Nothing is left out.',
  },
]

interface ToolParts extends ToolScope {
  readonly engine: Engine
}

/** The operations as tools. Their order is the same in every request, so that the provider's cache holds. */
export function assistantTools(engine: Engine, operations: readonly AnyOperation[]): MakeTools {
  const rephrasedOperations = rephraseHints(operations, toolCallText)
  return (scope) =>
    ASSISTANT_TOOLS.flatMap((row) => {
      const operation = rephrasedOperations.find(({ name }) => name === row.operation)
      return operation ? [toAgentTool(operation, row, { ...scope, engine })] : []
    })
}

/** A document that was read counts as touched if its collection is a local directory. */
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
    ...(row.operation.startsWith('packages.') && { needs: 'packages' as const }),
    ...(row.operation.startsWith('contexts.') && { needs: 'collections' as const }),
    input: toolSchema(operation, row),
    run: async (input, signal) => {
      const request = operation.input.parse({ ...row.preset, ...renameInputs(input, row) })
      const output = await operation.run(parts.engine, request, { signal, emit: () => {} })
      if (row.operation === 'get') await touchDocument(parts, output as GetAnswer)
      const answer = operation.text(output, request)
      const isFramed = row.preset?.format === 'xml'
      const framedAnswer = isFramed ? answer : frameText({ tag: 'listing', attributes: {}, text: answer.trimEnd() })
      const text = row.isContext ? parts.fresh(framedAnswer) : framedAnswer
      const notices = operation.notices?.(output, request) ?? []
      const framedNotices = notices.map((notice) => frameText({ tag: 'notice', attributes: {}, text: notice }))
      return `${parts.numbered(row.sources?.(output as never) ?? [])}${text}${framedNotices.join('')}` || EMPTY_RESULT
    },
    cut: (text, mostBytes) =>
      cutElements(text, mostBytes, (shown, all) => `${shown} of ${all} bytes are given. ${row.restHint}`),
  }
}

function toolSchema({ input }: AnyOperation, { inputs }: AssistantToolRow): JsonSchema {
  const { properties = {}, required = [] } = input.json()
  const entries = Object.entries(inputs).map(([name, originalName]) => [name, properties[originalName] ?? {}] as const)
  const requiredNames = Object.keys(inputs).filter((name) => required.includes(inputs[name] ?? ''))
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    additionalProperties: false,
    ...(requiredNames.length > 0 && { required: requiredNames }),
  }
}

/** The tool's inputs by the names of the operation. A model cannot set preset inputs. */
function renameInputs(input: unknown, { inputs }: AssistantToolRow): Readonly<Record<string, unknown>> {
  const values = Object.entries(readInputs(input, Object.keys(inputs)))
  return Object.fromEntries(values.map(([name, value]) => [inputs[name] ?? name, value]))
}

const EMPTY_RESULT = '<notice>\nThe result is empty, or you already have all of it.\n</notice>\n'

/** Names a tool instead of the command line in a hint, because a model cannot run command lines. Undefined if no tool runs that operation. */
function toolCallText({ name }: AnyOperation, hintInputs: HintInputs): string | undefined {
  const row = ASSISTANT_TOOLS.find(({ operation }) => operation === name)
  if (!row) return undefined
  const inputs = Object.entries(row.inputs).flatMap(([toolInput, operationInput]) => {
    const value = hintInputs[operationInput]
    return value === undefined ? [] : [[toolInput, value] as const]
  })
  return `the tool ${row.tool}${inputs.length === 0 ? '' : ` with ${JSON.stringify(Object.fromEntries(inputs))}`}`
}
