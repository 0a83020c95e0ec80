import type { Tool as Described } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../../core/operation.ts'
import { plainSchema } from '../../core/plain-schema.ts'
import { commandsTold, withHints } from '../../operations/command-hints.ts'
import type { AnyOperation } from '../../operations/index.ts'

/** How an operation is shown as a tool. */
interface Row {
  /** The name of the tool. */
  readonly tool: string
  /** What a model is told of it. Default: the operation's summary. */
  readonly about?: string
  /** The inputs that are shown, besides those that are required. Default: all. */
  readonly shown?: readonly string[]
  /** What an input is when it is not given, in place of the operation's own default. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** Whether what is there may be lost. Default: no. */
  readonly destructive?: true
  /** It writes nothing but what it makes itself, and is there without leave to write. */
  readonly always?: true
}

/** The one table from operations to tools. An operation that is not in it is no tool. */
const ROWS: Readonly<Record<string, Row>> = {
  load: {
    tool: 'load_context',
    about:
      'Load the context that applies at a place in a project: its instruction files (AGENTS.md and its kin) and its ' +
      'context directory, the most important first, under a token budget. Call it before working in a directory, and ' +
      'name in "touched" the files you read or write. Also of a place in a collection, a bucket or a package: what its ' +
      'README.md and AGENTS.md and people say of it',
    shown: ['place', 'touched', 'task', 'budget', 'format', 'profile', 'withContextDir', 'full'],
    preset: { full: false },
  },
  explain: { tool: 'explain_context', shown: ['place', 'whyNot', 'touched', 'task', 'budget', 'profile'] },
  // XML is the frame for texts that nobody vouches for.
  search: {
    tool: 'search',
    shown: ['query', 'collections', 'limit', 'mode', 'path', 'where', 'after', 'sections', 'rerank'],
    preset: { format: 'xml' },
  },
  get: { tool: 'get', shown: ['path', 'lines'], preset: { format: 'xml' } },
  'multi-get': { tool: 'multi_get', shown: ['pattern', 'maxBytes'], preset: { format: 'xml' } },
  ls: { tool: 'list' },
  status: { tool: 'status' },
  'context.list': { tool: 'context_list' },
  'context.check': { tool: 'context_check' },
  'package.show': {
    tool: 'package_show',
    about:
      'Show a package of data: its hash, and whether its manifest still has it, its message, size, workflow and the ' +
      'metadata that its maker gave it',
    shown: ['package'],
    preset: { format: 'xml' },
  },
  'context.add': { tool: 'context_add' },
  'context.rm': { tool: 'context_remove', destructive: true },
  'context.remove': { tool: 'context_remove', destructive: true },
  index: { tool: 'index' },
  'research.start': {
    tool: 'research_start',
    about:
      'Begin research on a question, grounded in files and collections: it is divided into questions, each of which is ' +
      'answered with what the sources say. It goes on by itself: ask research_status with its session_id, and when its ' +
      'status is completed, research_report',
    always: true,
  },
  'research.show': {
    tool: 'research_status',
    about: 'How far a session of research is: its files, its questions, and what was found',
  },
  'research.export': {
    tool: 'research_report',
    about: 'The report of a session of research, with what each statement is cited by',
  },
}

/** An operation as a tool. */
export interface Tool {
  readonly operation: AnyOperation
  /** What is told of it to a client. */
  readonly described: Described
  readonly preset: Readonly<Record<string, unknown>>
}

/** The tools that there are, by name; those that write only where that is allowed. */
export function toolsOf(operations: readonly AnyOperation[], allowWrite: boolean): ReadonlyMap<string, Tool> {
  const tools = operations.flatMap((operation) => {
    const row = rowOf(operation.name)
    return row && (allowWrite || row.always || operation.effect === 'read') ? [toolOf(operation, row)] : []
  })
  return new Map(tools.map((tool) => [tool.described.name, tool]))
}

/** The operations with hints that a model can follow: where one names a command, the tool that does the same. */
export function hinted(operations: readonly AnyOperation[], allowWrite: boolean): AnyOperation[] {
  const called = ({ name, effect }: AnyOperation, inputs: object) => {
    const row = rowOf(name)
    if (row && !allowWrite && !row.always && effect !== 'read') return undefined
    return row && `the tool ${row.tool}${Object.keys(inputs).length === 0 ? '' : ` with ${JSON.stringify(inputs)}`}`
  }
  return operations.map((operation) => withHints(operation, (hint) => commandsTold(hint, operations, called)))
}

/** The tables of the product have plural names in some places: `contexts.list` is `context.list`. */
function rowOf(name: string): Row | undefined {
  const key = name.replace(/^(context|package)s\./, '$1.')
  return Object.hasOwn(ROWS, key) ? ROWS[key] : undefined
}

function toolOf(operation: AnyOperation, row: Row): Tool {
  const { summary, effect } = operation
  const isRead = effect === 'read'
  return {
    operation,
    preset: row.preset ?? {},
    described: {
      name: row.tool,
      title: summary,
      description: `${row.about ?? summary}.`,
      inputSchema: inputOf(operation, row),
      outputSchema: plain({ ...operation.output(), type: 'object' }),
      annotations: {
        readOnlyHint: isRead,
        ...(!isRead && { destructiveHint: row.destructive === true }),
        // To write the same again changes nothing more; what goes on by itself begins anew, and may look far.
        idempotentHint: row.always !== true,
        openWorldHint: row.always === true,
      },
    },
  }
}

function inputOf({ input, positional = [] }: AnyOperation, { shown, preset = {} }: Row): Described['inputSchema'] {
  const schema = input.json()
  const { properties = {}, required = [] } = schema
  const isShown = (name: string) =>
    !shown || shown.includes(name) || positional.includes(name) || required.includes(name)
  const entries = Object.entries(properties).filter(([name]) => isShown(name))
  const withPresets = entries.map(([name, property]) => {
    return [name, Object.hasOwn(preset, name) ? { ...property, default: preset[name] } : property] as const
  })
  const shownOnly = { properties: Object.fromEntries(withPresets), additionalProperties: false }
  return plain({ ...schema, ...shownOnly, type: 'object' })
}

/** The schema as it is sent. */
function plain(schema: JsonSchema): Described['inputSchema'] {
  return JSON.parse(JSON.stringify(plainSchema(schema)))
}
