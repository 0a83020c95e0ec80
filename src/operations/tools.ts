/** Operations as tools of the assistant. What they give is framed, so that no text of a file can be taken for another's. */

import { posix } from 'node:path'
import type { MakeTools, ToolScope } from '../agent/host.ts'
import type { AgentTool } from '../agent/tool.ts'
import { readInputs } from '../agent/tool.ts'
import type { JsonSchema } from '../core/operation.ts'
import type { Engine, GetAnswer } from '../engine/engine.ts'
import { cutElements } from '../text/elements.ts'
import { frameText } from '../text/frames.ts'
import { commandsTold, type ToldInputs, withHints } from './command-hints.ts'
import type { AnyOperation } from './index.ts'
import { ASSISTANT_TOOLS, type AssistantToolRow } from './tool-table.ts'

interface Projections {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
}

interface ToolParts extends Projections, ToolScope {}

/**
 * The operations of the table as tools, in its order, which is that of every request: what a provider has kept of it holds.
 */
export function assistantTools(engine: Engine, operations: readonly AnyOperation[]): MakeTools {
  return (scope) =>
    ASSISTANT_TOOLS.flatMap((row) => {
      const operation = operations.find(({ name }) => name === row.operation)
      return operation ? [toAgentTool(withToolHints(operation, operations), row, { ...scope, engine, operations })] : []
    })
}

/** A document that was read counts as touched, where its collection is a directory of this machine. */
async function touchDocument({ engine, touch }: ToolParts, { collection, path }: GetAnswer): Promise<void> {
  const { collections } = await engine.library()
  const root = (await collections.list()).find(({ name }) => name === collection)?.root ?? ''
  if (root.startsWith('/')) await touch(posix.join(root, path))
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

/** Also what a preset sets is no input: the model was not told of it. */
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
  const told = operation.text(output, given)
  const whole =
    row.preset?.format === 'xml' ? told : frameText({ tag: 'listing', attributes: {}, text: told.trimEnd() })
  const text = row.isContext ? parts.fresh(whole) : whole
  const notices = (operation.notices?.(output, given) ?? []).map((notice) =>
    frameText({ tag: 'notice', attributes: {}, text: notice }),
  )
  const sources = row.sources?.(output as never) ?? []
  const all = `${parts.numbered(sources)}${text}${notices.join('')}`
  return all === '' ? NOTHING : all
}

const NOTHING = '<notice>\nThere is nothing, or nothing that was not given before.\n</notice>\n'

/** Hints name command lines, which a model cannot type: those that are tools are told as tools. */
function withToolHints(operation: AnyOperation, operations: readonly AnyOperation[]): AnyOperation {
  return withHints(operation, (hint) => commandsTold(hint, operations, calledAs))
}

function calledAs({ name }: AnyOperation, told: ToldInputs): string | undefined {
  const row = ASSISTANT_TOOLS.find(({ operation }) => operation === name)
  if (!row) return undefined
  const inputs = Object.entries(row.inputs).flatMap(([own, theirs]) => {
    const value = told[theirs]
    return value === undefined ? [] : [[own, value] as const]
  })
  return `the tool ${row.tool}${inputs.length === 0 ? '' : ` with ${JSON.stringify(Object.fromEntries(inputs))}`}`
}
