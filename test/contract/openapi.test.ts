import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { appOf, ask } from '../surfaces/http/support.ts'
import { committedSchema, propertyLines, sha256 } from './schema-text.ts'

const served = operations.filter(({ isAlone }) => !isAlone)
const { json: document } = await ask(appOf({ operations: served }), '/openapi.json')

interface Endpoint {
  readonly parameters?: readonly {
    readonly name?: string
    readonly in?: string
    readonly schema?: object
    readonly $ref?: string
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

const endpoints = Object.entries<Record<string, Endpoint>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, endpoint]) => ({ path, method, endpoint })),
)

/** The inputs of an operation, as its body has them. */
const inputOf = (name: string): object | undefined => {
  const post = endpoints.find(({ path, method }) => path === `/api/${name}` && method === 'post')
  return post?.endpoint.requestBody?.content['application/json']?.schema
}

describe('/openapi.json', () => {
  it.each(served)('describes the answer of $name as docs/schemas/ does, and one input for GET and POST', ({ name }) => {
    const [own] = endpoints.filter(({ path, method }) => path === `/api/${name}` && method === 'post')
    expect(own?.endpoint.responses[200]?.content?.['application/json']?.schema).toEqual(committedSchema(name))
    const [get] = endpoints.filter(({ path, method }) => path === `/api/${name}` && method === 'get')
    const { properties = {} }: { properties?: object } = inputOf(name) ?? {}
    const asked = get?.endpoint.parameters?.filter((one) => one.in === 'query') ?? []
    if (get) expect(Object.fromEntries(asked.map((one) => [one.name, one.schema]))).toEqual(properties)
  })

  it('describes these paths', async () => {
    const blocks = endpoints.map(({ path, method, endpoint }) => linesOf(path, method, endpoint).join('\n'))
    const { paths: _, ...rest } = document
    const head = [`sha256 of all: ${sha256(document)}`, JSON.stringify(rest, null, 1)]
    await expect(`${[...head, ...blocks].join('\n\n')}\n`).toMatchFileSnapshot('snapshots/openapi.txt')
  })
})

/** What is asked, a line for each input of what writes or is not an operation; of answers their kinds. */
function linesOf(
  path: string,
  method: string,
  { parameters = [], requestBody, responses, ...rest }: Endpoint,
): string[] {
  const isOperation = served.some(({ name }) => path === `/api/${name}`)
  const bodies = Object.entries(requestBody?.content ?? {})
  const asked = parameters.filter((one) => !(isOperation && one.in === 'query'))
  const answers = Object.entries(responses).map(([status, answer]) => {
    const described = isOperation && status === '200' ? Object.keys(answer.content ?? {}) : answer
    return `  ${status} ${JSON.stringify(described)}`
  })
  return [
    `${method.toUpperCase()} ${path} ${JSON.stringify(rest)}`,
    ...asked.map((parameter) => `  ? ${JSON.stringify(parameter)}`),
    ...bodies.flatMap(([type, { schema }]) => [`  body ${type}`, ...propertyLines({ ...schema })]),
    ...(isOperation ? answers.filter((line) => !/^ {2}(default|304)/.test(line)) : answers),
  ]
}
