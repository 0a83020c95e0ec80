import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { offeredOperations } from '../../../src/surfaces/http/offered.ts'
import { openApi } from '../../../src/surfaces/http/openapi.ts'
import { appOf, ask, echo, operation, write } from './support.ts'

type Json = { readonly [name: string]: Json } & { readonly [index: number]: Json }

/** As whoever reads it gets it. */
function described(list = [...operations, echo, write]): Json {
  return JSON.parse(JSON.stringify(openApi(offeredOperations(list), '1.2.3')))
}

/** Every value in it, with its path. */
function* walk(value: unknown, path: readonly string[] = []): Generator<readonly [readonly string[], unknown]> {
  yield [path, value]
  if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) yield* walk(each, [...path, name])
}

function endpoints(document: Json) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, endpoint]) => ({ path, method, endpoint: endpoint as Json })),
  )
}

/** What OpenAPI 3.1 asks of the parts that we use. */
const STRUCTURE = {
  type: 'object',
  required: ['openapi', 'info', 'paths', 'components', 'security'],
  additionalProperties: false,
  properties: {
    openapi: { const: '3.1.0' },
    jsonSchemaDialect: { type: 'string', format: 'uri' },
    info: { type: 'object', required: ['title', 'version'], properties: { version: { type: 'string' } } },
    servers: { type: 'array', items: { type: 'object', required: ['url'] } },
    security: { type: 'array', items: { type: 'object', additionalProperties: { type: 'array' } } },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        minProperties: 1,
        propertyNames: { enum: ['get', 'post', 'delete'] },
        additionalProperties: { $ref: '#/$defs/operation' },
      },
    },
    components: {
      type: 'object',
      additionalProperties: { type: 'object', propertyNames: { pattern: '^[A-Za-z0-9._-]+$' } },
      propertyNames: { enum: ['schemas', 'responses', 'parameters', 'securitySchemes'] },
    },
  },
  $defs: {
    ref: {
      type: 'object',
      required: ['$ref'],
      additionalProperties: false,
      properties: { $ref: { pattern: '^#/components/' } },
    },
    content: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+/[a-z.+-]+$' },
      additionalProperties: { type: 'object', required: ['schema'], properties: { schema: { type: 'object' } } },
    },
    parameter: {
      type: 'object',
      required: ['name', 'in', 'schema'],
      properties: {
        in: { enum: ['query', 'header', 'path'] },
        required: { type: 'boolean' },
        schema: { type: 'object' },
      },
    },
    response: {
      type: 'object',
      required: ['description'],
      additionalProperties: false,
      properties: {
        description: { type: 'string', minLength: 1 },
        content: { $ref: '#/$defs/content' },
        headers: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['schema'],
            propertyNames: { enum: ['description', 'schema'] },
          },
        },
      },
    },
    operation: {
      type: 'object',
      required: ['operationId', 'summary', 'responses'],
      additionalProperties: false,
      properties: {
        operationId: { type: 'string' },
        summary: { type: 'string', minLength: 1 },
        security: { type: 'array' },
        parameters: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/ref' }, { $ref: '#/$defs/parameter' }] } },
        requestBody: {
          type: 'object',
          required: ['content'],
          properties: { content: { $ref: '#/$defs/content' }, required: { type: 'boolean' } },
        },
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^([1-5]\\d\\d|default)$' },
          additionalProperties: { anyOf: [{ $ref: '#/$defs/ref' }, { $ref: '#/$defs/response' }] },
        },
      },
    },
  },
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const problems = ajv.compile(STRUCTURE)

describe('the description of the API', () => {
  it('has the structure of OpenAPI 3.1', () => {
    problems(described())
    expect(problems.errors).toBeNull()
  })

  it('would not have it with a part missing', () => {
    const [path = ''] = Object.keys(described().paths ?? {})
    expect(problems({ ...described(), info: {} })).toBe(false)
    expect(problems({ ...described(), paths: { [path]: { get: { operationId: 'a' } } } })).toBe(false)
  })

  it('has each operationId once', () => {
    const ids = endpoints(described()).map(({ endpoint }) => endpoint.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('refers only to what is there', () => {
    const document = described()
    const all = new Map([...walk(document)].map(([path, value]) => [`#/${path.join('/')}`, value]))
    const refs = [...all].filter(([path]) => path.endsWith('/$ref')).map(([, ref]) => ref)
    expect(refs.length).toBeGreaterThan(10)
    expect(refs.filter((ref) => !all.has(String(ref)))).toEqual([])
  })

  it('holds schemas that a validator takes', () => {
    const schemas = [...walk(described())].filter(([path]) => path.at(-1) === 'schema').map(([, schema]) => schema)
    const own = schemas.filter((schema) => !JSON.stringify(schema).includes('"$ref"'))
    expect(own.length).toBeGreaterThan(50)
    for (const schema of own) expect(() => ajv.compile(schema as object)).not.toThrow()
  })

  it('asks for the token everywhere but where there is none', () => {
    const open = endpoints(described()).filter(({ endpoint }) => endpoint.security)
    expect(open.map(({ path }) => path)).toEqual(
      '/healthz /readyz /login /login /login/oidc /login/oidc/callback /logout'.split(' '),
    )
  })

  it('is what the server gives, with an operation that was only just added', async () => {
    const app = appOf({ operations: [echo, operation('brand.new', () => ({}))], version: '1.2.3' })
    const { json } = await ask(app, '/openapi.json')
    expect(json).toEqual(described([echo, operation('brand.new', () => ({}))]))
    expect(Object.keys(json.paths)).toContain('/api/brand.new')
  })

  it('says nothing that only a command line has use for', () => {
    const names = new Set([...walk(described())].map(([path]) => path.at(-1)))
    for (const name of ['placeholder', 'short', 'forText', 'isRequired']) expect(names).not.toContain(name)
    const all = JSON.stringify(described())
    expect(all).not.toContain('--help')
    expect(all).not.toMatch(/"(table|csv)"/)
  })
})
