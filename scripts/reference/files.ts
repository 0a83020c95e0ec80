/** What docs/reference/ and docs/schemas/ hold: made from the operations, so that it says what the program does. */

import { plainSchema } from '../../src/core/answer.ts'
import { type AnyOperation, commands, operations } from '../../src/operations/index.ts'
import { commandWords } from '../../src/surfaces/cli/command.ts'
import { help } from '../../src/surfaces/cli/help.ts'
import { offeredOperations } from '../../src/surfaces/http/offered.ts'
import { openApi } from '../../src/surfaces/http/openapi.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { apiTypes, type OpenApiDocument } from './api-types.ts'

/** The path of the web UI's types, seen from docs/. */
export const API_TYPES = '../web/src/api/schema.ts'

/** By path, seen from docs/. */
export function referenceFiles(): ReadonlyMap<string, string> {
  const served = operations.filter(({ isAlone }) => !isAlone)
  return new Map([
    ...operations.map((operation) => [`schemas/${operation.name}.schema.json`, schemaOf(operation)] as const),
    ['reference/commands.md', commandPages()],
    ['reference/mcp.md', tools(served)],
    ['reference/http.md', paths(served)],
    [API_TYPES, apiTypes(openApi(offeredOperations(served), '') as OpenApiDocument)],
  ])
}

const HEAD = 'Made from the source by `npm run reference`; a test compares.\n'

/** Wide enough for the longest option beside its description. */
const LOOK = { isTerminal: false, plain: true, columns: 100 }

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function schemaOf(operation: AnyOperation): string {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: `${operation.name}.schema.json` }
  const about = { title: `ambit ${commandWords(operation).join(' ')} --json`, description: `${operation.summary}.` }
  return json({ ...head, ...about, ...plainSchema(operation.output()) })
}

function commandPages(): string {
  const sections = commands.map((command) => {
    const words = commandWords(command)
    return `## ambit ${words.join(' ')}\n\n${block(help(words, commands, LOOK))}`
  })
  return `# Commands\n\n${HEAD}\n${sections.join('\n')}`
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`
}

function tools(served: readonly AnyOperation[]): string {
  const readers = toolsOf(served, { allowWrite: false })
  const sections = [...toolsOf(served, { allowWrite: true })].map(([name, { described }]) => {
    const { properties = {}, required = [] } = described.inputSchema
    const rows = Object.entries(properties).map(([property, schema]) => {
      const { type = '', description = '', enum: values } = schema as Record<string, unknown>
      const kind = Array.isArray(values) ? values.join(', ') : String(type)
      return `| \`${property}\`${required.includes(property) ? ' (required)' : ''} | ${kind} | ${escaped(String(description))} |`
    })
    const table =
      rows.length === 0 ? 'It takes no input.' : ['| input | | |', '| --- | --- | --- |', ...rows].join('\n')
    const writes = readers.has(name) ? '' : ' Only with `--allow-write`.'
    return `## ${name}\n\n${described.description}${writes}\n\n${table}\n`
  })
  return `# Tools of the MCP server\n\n${HEAD}\n${sections.join('\n')}`
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}

function paths(served: readonly AnyOperation[]): string {
  const rows = served.map(({ name, summary, effect }) => {
    const methods = effect === 'read' ? 'GET, POST' : 'POST'
    return `| ${methods} | \`/api/${name}\` | ${escaped(summary)} |`
  })
  const about =
    'A server describes inputs and outputs at `/openapi.json`. The answers are those of [the schemas](../schemas/), too.'
  const table = ['| | path | |', '| --- | --- | --- |', ...rows, ...others(served)].join('\n')
  return `# The HTTP API\n\n${HEAD}\n${about}\n\n${table}\n`
}

/** What is not an operation. */
function others(served: readonly AnyOperation[]): readonly string[] {
  const { paths = {} } = openApi(offeredOperations(served), '') as OpenApiDocument
  const names = new Set(served.map(({ name }) => `/api/${name}`))
  return Object.entries(paths)
    .filter(([path]) => !names.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { summary }]) =>
        summary === undefined ? [] : [`| ${method.toUpperCase()} | \`${path}\` | ${escaped(summary)} |`],
      ),
    )
}
