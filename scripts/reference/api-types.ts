/** The types of the API's inputs and answers, for the web UI: made from its OpenAPI document. */

/** The part of JSON Schema that the document uses. */
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

/** As far as it is read here. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Endpoint; readonly post?: Endpoint }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const HEAD = '/** Made from the OpenAPI document by `npm run reference`; a test compares. */\n'

/** A module that exports `Operations`: by name what each takes, what it answers, and whether it only reads. */
export function apiTypes({ paths, components }: OpenApiDocument): string {
  const known = Object.entries(paths).flatMap(([path, { get, post }]) => {
    const name = path.slice('/api/'.length)
    // What is not an operation is asked otherwise.
    return post?.operationId === `post.${name}` ? [{ name, post, reads: get !== undefined }] : []
  })
  const operations = known.map(({ name, post, reads }) => operationOf(name, post, reads))
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `\n/** ${schema.description ?? name} */\nexport type ${name} = ${typeOf(schema, '')}\n`,
  )
  const reading = known.flatMap(({ name, reads }) => (reads ? [`  ${quoted(name)},\n`] : []))
  return [
    `${HEAD}\n/** What the server can do, by name. */\nexport interface Operations {\n${operations.join('')}}\n`,
    `\n/** Operations that change nothing: they are asked by GET, too. */\n`,
    `export const READING: ReadonlySet<string> = new Set<keyof Operations>([\n${reading.join('')}])\n`,
    `\n/** Agents whose files can be loaded. */\nexport const PROFILES: readonly string[] = [\n${profilesIn(paths).join('')}]\n`,
    ...schemas,
  ].join('')
}

/** Examples of the input that are names; others are files. */
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
