/** Makes the files of docs/reference/ and docs/schemas/ from the operations, so that they say what the program does. */

import { plainSchema } from '../../src/core/answer.ts'
import { type AnyOperation, commands, operations } from '../../src/operations/index.ts'
import { commandWords } from '../../src/operations/schema.ts'
import { help } from '../../src/surfaces/cli/help.ts'
import { apiOperations } from '../../src/surfaces/http/api-operations.ts'
import { openApi } from '../../src/surfaces/http/openapi.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'

/** The path of the web UI's types, relative to docs/. */
export const API_TYPES = '../web/src/api/schema.ts'

/** The files by path, relative to docs/. */
export function referenceFiles(): ReadonlyMap<string, string> {
  const served = operations.filter(({ isAlone }) => !isAlone)
  return new Map([
    ...operations.map((operation) => [`schemas/${operation.name}.schema.json`, schemaOf(operation)] as const),
    ['reference/commands.md', commandPages()],
    ['reference/mcp.md', tools(served)],
    ['reference/http.md', paths(served)],
    [API_TYPES, apiTypes(openApi(apiOperations(served), '') as OpenApiDocument)],
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
  const sections = [...toolsOf(served, { allowWrite: true })].map(([name, { definition: described }]) => {
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

/** Table rows of the paths that are not operations. */
function others(served: readonly AnyOperation[]): readonly string[] {
  const { paths = {} } = openApi(apiOperations(served), '') as OpenApiDocument
  const names = new Set(served.map(({ name }) => `/api/${name}`))
  return Object.entries(paths)
    .filter(([path]) => !names.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { summary }]) =>
        summary === undefined ? [] : [`| ${method.toUpperCase()} | \`${path}\` | ${escaped(summary)} |`],
      ),
    )
}

/** The part of JSON Schema that the OpenAPI document uses; the types of the web UI are made from it. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number)[]
  readonly description?: string
  readonly examples?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly $ref?: string
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
}

interface Endpoint {
  readonly operationId?: string
  readonly summary: string
  readonly requestBody?: Content
  readonly responses: { readonly 200?: Content }
}

/** The part of the OpenAPI document that is read here. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Endpoint; readonly post?: Endpoint }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const HEADING = '/** Made from the OpenAPI document by `npm run reference`; a test compares. */\n'

/** A module that exports `Operations`: the input and the answer of each operation, and whether it only reads. */
function apiTypes({ paths, components }: OpenApiDocument): string {
  const known = Object.entries(paths).flatMap(([path, { get, post }]) => {
    const name = path.slice('/api/'.length)
    // The UI calls other paths without these types.
    return post?.operationId === `post.${name}` ? [{ name, post, reads: get !== undefined }] : []
  })
  const operations = known.map(({ name, post, reads }) => operationOf(name, post, reads))
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `\n/** ${schema.description ?? name} */\nexport type ${name} = ${typeOf(schema, '')}\n`,
  )
  const reading = known.flatMap(({ name, reads }) => (reads ? [`  ${quoted(name)},\n`] : []))
  return [
    `${HEADING}\n/** What the server can do, by name. */\nexport interface Operations {\n${operations.join('')}}\n`,
    `\n/** Operations that change nothing: they are asked by GET, too. */\n`,
    `export const READING: ReadonlySet<string> = new Set<keyof Operations>([\n${reading.join('')}])\n`,
    `\n/** Agents whose files can be loaded. */\nexport const PROFILES: readonly string[] = [\n${profilesIn(paths).join('')}]\n`,
    ...schemas,
  ].join('')
}

/** The examples of the input that are names. Other examples are files. */
function profilesIn(paths: OpenApiDocument['paths']): string[] {
  const load = paths['/api/load']?.post?.requestBody?.content['application/json'].schema
  const examples = load?.properties?.profile?.examples ?? []
  return examples.filter((each) => !each.includes('/')).map((name) => `  ${quoted(name)},\n`)
}

function operationOf(name: string, { summary, requestBody, responses }: Endpoint, reads: boolean): string {
  const input = requestBody?.content['application/json'].schema ?? {}
  const answer = responses[200]?.content['application/json'].schema ?? {}
  const lines = [
    `  /** ${summary}. */`,
    `  ${key(name)}: {`,
    `    reads: ${reads}`,
    `    input: ${typeOf(input, '    ')}`,
    `    answer: ${typeOf(answer, '    ')}`,
    '  }',
  ]
  return `${lines.join('\n')}\n`
}

/** A schema as a type, at an indentation. */
function typeOf(schema: Schema, at: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.enum) return schema.enum.map((each) => (typeof each === 'string' ? quoted(each) : each)).join(' | ')
  if (typeof schema.type === 'object') return schema.type.map((type) => typeOf({ ...schema, type }, at)).join(' | ')
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, at))
  if (schema.type === 'object') return objectOf(schema, at)
  return SIMPLE[schema.type ?? ''] ?? 'unknown'
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function arrayOf(item: string): string {
  return /[|]/.test(item.replace(/\{[\s\S]*\}/, '')) ? `readonly (${item})[]` : `readonly ${item}[]`
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, at: string): string {
  const entries = Object.entries(properties)
  if (entries.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, at) : 'unknown'
    return additionalProperties === false ? 'Readonly<Record<string, never>>' : `Readonly<Record<string, ${value}>>`
  }
  const inner = `${at}  `
  const lines = entries.map(([name, schema]) => {
    const about =
      schema.description === undefined ? '' : `${inner}/** ${schema.description.replaceAll('*/', '*\\/')} */\n`
    return `${about}${inner}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`
  })
  return `{\n${lines.join('')}${at}}`
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
