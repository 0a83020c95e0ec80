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
  readonly definition: Described
}

/** Tools by name. */
export type Tools = ReadonlyMap<string, Tool>

export interface ToolFilter {
  /** Whether tools that write are offered. */
  readonly allowWrite: boolean
  /** The offered sets of tools. Default: all. */
  readonly toolsets?: readonly Toolset[] | undefined
}

/** The offered tools, by name. */
export function toolsOf(operations: readonly AnyOperation[], filter: ToolFilter): Tools {
  const tools = operations.flatMap((operation) => {
    const row = offeredRow(operation, filter)
    return row ? [{ operation, row, definition: defineTool(operation, row) }] : []
  })
  return new Map(tools.map((tool) => [tool.definition.name, tool]))
}

/** The operations with hints that name tools instead of commands. */
export function withToolNames(operations: readonly AnyOperation[], filter: ToolFilter): AnyOperation[] {
  const toolCallText = (operation: AnyOperation, inputs: object) => {
    const row = offeredRow(operation, filter)
    return row && `the tool ${row.name}${Object.keys(inputs).length === 0 ? '' : ` with ${JSON.stringify(inputs)}`}`
  }
  return rephraseHints(operations, toolCallText)
}

function offeredRow({ tool: row, effect }: AnyOperation, { allowWrite, toolsets = TOOLSETS }: ToolFilter) {
  if (!row || !toolsets.includes(row.set)) return undefined
  return allowWrite || row.isAdditive || effect === 'read' ? row : undefined
}

/** Claude Code puts answers of more than 25,000 tokens into a file, unless the tool declares a higher maximum of characters. */
const RESULT_SIZE_META = { 'anthropic/maxResultSizeChars': 200_000 }

/**
 * Describes a tool for clients. The description has no output schema, because some clients would send the schema to the model,
 * and other clients would hide the text.
 */
function defineTool(operation: AnyOperation, row: OperationTool<unknown>): Described {
  const isRead = operation.effect === 'read'
  return {
    name: row.name,
    description: `${row.about}.`,
    inputSchema: inputSchema(operation, row),
    ...(row.budget !== undefined && { _meta: RESULT_SIZE_META }),
    annotations: {
      readOnlyHint: isRead,
      ...(!isRead && { destructiveHint: row.destructive === true, idempotentHint: row.isAdditive !== true }),
      openWorldHint: row.isAdditive === true,
    },
  }
}

const FRESH_INPUT = { type: 'boolean', default: false, description: 'all of it, also what was returned before' }

function inputSchema(
  { input }: AnyOperation,
  { inputs, preset = {}, budget, isOnce }: OperationTool<unknown>,
): Described['inputSchema'] {
  const { properties = {}, required = [] } = input.json()
  const defaults = { ...preset, ...(budget !== undefined && { budget }) }
  const schemas = Object.entries(inputs).flatMap(([name, about]) => {
    const schema = properties[name]
    const preset = Object.entries(defaults).find(([key]) => key === name)?.[1]
    return schema ? [[name, shortSchema(schema, { about, preset })]] : []
  })
  const requiredNames = required.filter((name) => Object.hasOwn(inputs, name))
  return {
    type: 'object',
    properties: { ...Object.fromEntries(schemas), ...(isOnce && { fresh: FRESH_INPUT }) },
    additionalProperties: false,
    ...(requiredNames.length > 0 && { required: requiredNames }),
  }
}

/** The part of a schema that a model needs. Inputs are validated with the whole schema. */
function shortSchema(schema: JsonSchema, { about, preset }: { readonly about: string; readonly preset: unknown }) {
  const { type, enum: choices, items, default: ownDefault } = schema
  const value = preset ?? ownDefault
  return {
    type,
    ...(choices && { enum: choices }),
    ...(items && { items: { type: items.type } }),
    ...(value !== undefined && { default: value }),
    description: about,
  }
}
