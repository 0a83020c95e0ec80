import type { Tool as Described } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../../core/answer.ts'
import { TOOLSETS, type Toolset } from '../../core/choices.ts'
import type { OperationTool } from '../../core/operation.ts'
import { rephraseHints } from '../../operations/command-hints.ts'
import type { AnyOperation } from '../../operations/index.ts'

export interface Tool {
  readonly operation: AnyOperation
  readonly row: OperationTool<unknown>
  /** The description for clients. */
  readonly described: Described
}

export interface Offer {
  /** Whether there are tools that write. */
  readonly allowWrite: boolean
  /** Default: all. */
  readonly toolsets?: readonly Toolset[] | undefined
}

/** The offered tools by name. Tools that write are included if `allowWrite`. */
export function toolsOf(operations: readonly AnyOperation[], offer: Offer): ReadonlyMap<string, Tool> {
  const tools = operations.flatMap((operation) => {
    const row = offeredRow(operation, offer)
    return row ? [{ operation, row, described: describedTool(operation, row) }] : []
  })
  return new Map(tools.map((tool) => [tool.described.name, tool]))
}

/** The operations with hints that name tools instead of commands. */
export function withToolNames(operations: readonly AnyOperation[], offer: Offer): AnyOperation[] {
  const called = (operation: AnyOperation, inputs: object) => {
    const row = offeredRow(operation, offer)
    return row && `the tool ${row.name}${Object.keys(inputs).length === 0 ? '' : ` with ${JSON.stringify(inputs)}`}`
  }
  return rephraseHints(operations, called)
}

function offeredRow(
  { tool: row, effect }: AnyOperation,
  { allowWrite, toolsets = TOOLSETS }: Offer,
): OperationTool<unknown> | undefined {
  if (!row || !toolsets.includes(row.set)) return undefined
  return allowWrite || row.always || effect === 'read' ? row : undefined
}

/** Claude Code puts answers of more than 25,000 tokens into a file, unless a tool declares a maximum number of characters. */
const LONGEST = { 'anthropic/maxResultSizeChars': 200_000 }

/** Describes a tool. It has no output schema, because some clients send it to the model, and others then hide the text. */
function describedTool(operation: AnyOperation, row: OperationTool<unknown>): Described {
  const isRead = operation.effect === 'read'
  return {
    name: row.name,
    description: `${row.about}.`,
    inputSchema: inputSchema(operation, row),
    ...(row.budget !== undefined && { _meta: LONGEST }),
    annotations: {
      readOnlyHint: isRead,
      ...(!isRead && { destructiveHint: row.destructive === true, idempotentHint: row.always !== true }),
      openWorldHint: row.always === true,
    },
  }
}

const FRESH = { type: 'boolean', default: false, description: 'all of it, also what was returned before' }

function inputSchema(
  { input }: AnyOperation,
  { inputs, preset = {}, budget, isOnce }: OperationTool<unknown>,
): Described['inputSchema'] {
  const { properties = {}, required = [] } = input.json()
  const defaults = { ...preset, ...(budget !== undefined && { budget }) }
  const shown = Object.entries(inputs).flatMap(([name, about]) => {
    const schema = properties[name]
    return schema
      ? [[name, shortSchema(schema, { about, preset: Object.entries(defaults).find(([key]) => key === name)?.[1] })]]
      : []
  })
  const needed = required.filter((name) => Object.hasOwn(inputs, name))
  return {
    type: 'object',
    properties: { ...Object.fromEntries(shown), ...(isOnce && { fresh: FRESH }) },
    additionalProperties: false,
    ...(needed.length > 0 && { required: needed }),
  }
}

/** The part of a schema that a model needs. Calls are validated with the whole schema. */
function shortSchema(schema: JsonSchema, { about, preset }: { readonly about: string; readonly preset: unknown }) {
  const { type, enum: words, items, default: own } = schema
  const value = preset ?? own
  return {
    type,
    ...(words && { enum: words }),
    ...(items && { items: { type: items.type } }),
    ...(value !== undefined && { default: value }),
    description: about,
  }
}
