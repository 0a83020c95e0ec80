import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { apiOperations } from '../../../src/surfaces/http/api-operations.ts'
import { openApi } from '../../../src/surfaces/http/openapi.ts'
import { appOf, ask, echo, operation, write } from './support.ts'

type Json = { readonly [name: string]: Json } & { readonly [index: number]: Json }

/** As whoever reads it gets it. */
function described(list = [...operations, echo, write]): Json {
  return JSON.parse(JSON.stringify(openApi(apiOperations(list), '1.2.3')))
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

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

describe('the description of the API', () => {
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
