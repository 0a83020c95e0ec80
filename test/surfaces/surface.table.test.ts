/**
 * Each operation by each surface: the same answer, or the same error. Each surface has a copy of the fixture, and runs the rows in their
 * order. An operation without a row fails.
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ContextError } from '../../src/core/errors.ts'
import { SILENT } from '../../src/core/flow.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openWith } from '../../src/open.ts'
import { type AnyCommand, type AnyOperation, aliases, commands, operations } from '../../src/operations/index.ts'
import { commandWords } from '../../src/operations/schema.ts'
import { runCli } from '../../src/surfaces/cli/cli.ts'
import { exchange } from '../stores/conversations.contract.ts'
import { type Tree, tree } from '../support/tree.ts'
import { appOf, ask, post, rootsOf } from './http/support.ts'
import { connected, textOf } from './mcp/support.ts'
import { argvOf, type Input, REGISTRY, ROWS, TALK } from './rows.ts'

const SHAPE = {
  '.git/': '',
  'AGENTS.md': '# Here\n\nBe kind.\n',
  'pkg/api/AGENTS.md': '# API\n',
  'pkg/token.ts': 'export function checkToken() {\n  return true\n}\n',
  'docs/guide.md': '# Guide\n\nCheck the token. The token is checked at noon.\n',
  'contexts.yml': 'global_context: Ours\n',
  ...REGISTRY,
}

/** A command line waits for their end, shows what a server hides, and stands outside of the roots: their answers have the same fields. */
const OF_A_PERSON = ['doctor', 'research.start', 'research.show', 'indexing.start']

/** Rows that are errors on all surfaces: the inputs, and the code. */
const ERRORS: readonly (readonly [name: string, input: Input, code: string])[] = [
  ['get', { path: 'handbook/none.md' }, 'not-found'],
  ['collections.show', { name: 'none' }, 'not-found'],
  ['collections.set', { name: 'lab' }, 'invalid-input'],
  ['packages.show', { package: 'lab/team/none' }, 'not-found'],
  ['research.show', { session: 'ffffffff' }, 'not-found'],
  ['search', { query: 'token', collections: ['none'] }, 'not-found'],
  ['embed', {}, 'invalid-input'],
]

/** Calls by an older name, and by the newer one. */
const OLDER: readonly (readonly [older: string, input: Input, newer: string, Input])[] = [
  ['collections.pause', { name: 'lab' }, 'collections.set', { name: 'lab', paused: true }],
  ['collections.resume', { name: 'lab' }, 'collections.set', { name: 'lab', paused: false }],
  ['collections.substrings', { name: 'lab' }, 'collections.set', { name: 'lab', substrings: true }],
  ['collections.substrings', { name: 'lab', state: 'off' }, 'collections.set', { name: 'lab', substrings: false }],
  ['folders', { place: '.' }, 'browse', { disk: '.' }],
  ['folders', { place: '.', match: 'gd', limit: 1 }, 'browse', { disk: '.', match: 'gd', limit: 1 }],
]

type Outcome = { readonly answer: unknown } | { readonly error: { readonly code: string; readonly message: string } }

interface Surface extends AsyncDisposable {
  readonly files: Tree
  readonly engine: Engine
  call(operation: AnyOperation, input: Input): Promise<Outcome>
}

const nameOf = new Map([...operations, ...aliases].map((operation) => [operation.name, operation]))

function named(name: string): AnyOperation {
  const operation = nameOf.get(name)
  if (!operation) throw new Error(`There is no operation ${name}.`)
  return operation
}

async function directly(engine: Engine, operation: AnyOperation, input: Input): Promise<Outcome> {
  try {
    return { answer: await operation.run(engine, operation.input.parse(input), SILENT) }
  } catch (error) {
    if (error instanceof ContextError) return { error: { code: error.code, message: error.message } }
    throw error
  }
}

/** A copy of the fixture with an engine of its own. */
async function planted(): Promise<{ readonly files: Tree; readonly engine: Engine }> {
  const files = tree(SHAPE)
  const paths = { db: files.at('ambit.db'), file: files.at('config.yaml'), models: files.at('models') }
  const engine = openWith({ ...paths, unknown: [], home: false, embedding: false })
  await directly(engine, named('collections.add'), { name: 'lab', root: files.at('lab') })
  const { conversations } = (await engine.library()).port
  await conversations.begin({ id: TALK, title: 'Tokens', place: '.', model: 'm' })
  await conversations.put(TALK, 0, exchange('one', { question: 'What of tokens?' }))
  return { files, engine }
}

/** A stream that is no terminal, and what was written to it. */
function capture() {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const bytes = async (more: Uint8Array) => write(new TextDecoder().decode(more))
  const display = { isTerminal: false, plain: true, columns: undefined }
  return { text: () => text, stream: { isTerminal: false, write, draw: write, bytes, display } }
}

/** Runs a command line in this process. The engine stays open. */
async function typed(engine: Engine, argv: readonly string[], all: readonly AnyCommand[] = operations) {
  const [out, err] = [capture(), capture()]
  const streams = { out: out.stream, err: err.stream, canAsk: false }
  const open = async () => ({ ...engine, close: async () => {} })
  const code = await runCli({ argv, commands: all, aliases, runners: {}, debug: false, plain: true, open, streams })
  return { code, out: out.text(), err: err.text() }
}

async function commandLine(): Promise<Surface> {
  const { files, engine } = await planted()
  return {
    files,
    engine,
    call: async (operation, input) => {
      const { out, err } = await typed(engine, [...argvOf(operation, input), '--json'])
      const lines = err.split('\n').filter((line) => line.startsWith('{"error"'))
      if (out !== '') return { answer: JSON.parse(out) }
      const { code, message } = JSON.parse(lines.at(-1) ?? '').error
      return { error: { code, message } }
    },
    [Symbol.asyncDispose]: () => end(files, engine),
  }
}

async function http(): Promise<Surface> {
  const { files, engine } = await planted()
  const served = operations.filter(({ isAlone }) => !isAlone)
  const app = appOf({ engine, operations: served, aliases, roots: rootsOf(files.base) })
  return {
    files,
    engine,
    call: async (operation, input) => {
      if (operation.isAlone) return directly(engine, operation, input)
      const { json, status } = await ask(app, `/api/${operation.name}`, post(input))
      return status < 400 ? { answer: json } : { error: { code: json.code, message: json.detail } }
    },
    [Symbol.asyncDispose]: () => end(files, engine),
  }
}

/** What is not a tool runs directly. An answer that is a text in frames is compared as that text. */
async function mcp(): Promise<Surface> {
  const { files, engine } = await planted()
  const client = await connected('auto', { engine, allowWrite: true })
  return {
    files,
    engine,
    call: async (operation, input) => {
      const { tool } = operation
      if (!tool || Object.keys(input).some((name) => !Object.hasOwn(tool.inputs, name)))
        return directly(engine, operation, input)
      const result = await client.callTool({ name: tool.name, arguments: input })
      const [, code = '', message = ''] = /^([a-z-]+): (.*)$/m.exec(textOf(result)) ?? []
      if (result.isError) return { error: { code, message } }
      return { answer: result.structuredContent ?? { text: textOf(result) } }
    },
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await end(files, engine)
    },
  }
}

async function end(files: Tree, engine: Engine): Promise<void> {
  await engine.close()
  files[Symbol.dispose]()
}

/** Without what differs from run to run: where the fixture is, ids, secrets, times and sizes of a database. */
function steady(outcome: unknown, { files }: Surface): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(files.base, '.')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d{8}T\d{6}Z/g, 'TIME')
    .replace(/ambit_[\w-]{20,}/g, 'SECRET')
    .replace(/\b(?!c{32}|[0-9a-f]{64})[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b/g, 'ID')
    .replace(/"(ms|bytes|seconds|size|seq|revision)":\d+/g, '"$1":0')
    .replace(/"(etag|version|digest)":"[^"]*"/g, '"$1":""')
    .replace(/\d+([.,]\d+)? (bytes|kB|MB|GB|TB|ms)\b/g, 'N $2')
  return JSON.parse(text)
}

const surfaces: Surface[] = []
const outcomes = new Map<string, Outcome[]>()
beforeAll(async () => {
  surfaces.push(await commandLine(), await http(), await mcp())
  for (const surface of surfaces) {
    for (const [name, inputOf] of Object.entries(ROWS)) {
      const outcome = await surface.call(named(name), inputOf(surface.files.at))
      outcomes.set(name, [...(outcomes.get(name) ?? []), outcome])
      if (name === 'research.start') await completed(surface)
    }
  }
}, 120_000)
afterAll(async () => {
  for (const surface of surfaces) await surface[Symbol.asyncDispose]()
})

async function completed({ engine }: Surface): Promise<void> {
  const research = await engine.research()
  const isOver = async () => expect((await research.show('last')).status).toBe('completed')
  await vi.waitFor(isOver, { timeout: 30_000, interval: 50 })
}

/** What a tool of MCP gives of an answer. */
function ofTool({ tool }: AnyOperation, { answer }: { readonly answer?: unknown }): unknown {
  return tool?.data?.(answer as never) ?? answer
}

it('every operation has a row', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
})

describe('by all surfaces', () => {
  it.each(Object.keys(ROWS))('%s has one answer, as its schema says', (name) => {
    const operation = named(name)
    const [cli, api, tool] = (outcomes.get(name) ?? []).map((outcome, at) =>
      steady(outcome, surfaces[at] as Surface),
    ) as [Outcome, Outcome, Outcome]
    if (OF_A_PERSON.includes(name)) {
      const fields = [cli, api].map((outcome) => Object.keys(Object(Object(outcome).answer)))
      return expect(fields[1]).toEqual(fields[0])
    }
    expect(api).toEqual(cli)
    if ('error' in cli) return expect(tool).toEqual(cli)
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
    const [{ answer: answered } = {}] = (outcomes.get(name) ?? []) as { readonly answer?: unknown }[]
    expect(ajv.validate(operation.output(), answered), ajv.errorsText()).toBe(true)
    const isFramed = operation.tool?.budget !== undefined
    const { answer } = tool as { readonly answer: unknown }
    if (!isFramed) return expect(withoutNotices(answer)).toEqual(ofTool(operation, cli))
    const { text } = answer as { readonly text?: string }
    expect(text).toMatch(/^</)
  })

  it.each(ERRORS)('%s of %j is the error %s', async (name, input, code) => {
    const [cli, api, tool] = await Promise.all(
      surfaces.map(async (surface) => steady(await surface.call(named(name), input), surface)),
    )
    expect(cli).toMatchObject({ error: { code } })
    expect([withoutHint(api), withoutHint(tool)]).toEqual([withoutHint(cli), withoutHint(cli)])
  })

  it.each(operations.map(({ name }) => name))('%s takes nothing that it does not know', async (name) => {
    const operation = named(name)
    const [cli, api] = surfaces as [Surface, Surface]
    const { code, out, err } = await typed(cli.engine, [...commandWords(operation), '--no-such-option', '--json'])
    const error = { code: 'invalid-input', message: expect.any(String), hint: expect.any(String) }
    expect([code, out, JSON.parse(err)]).toEqual([2, '', { error }])
    expect(await api.call(operation, { noSuchOption: true })).toMatchObject({ error: { code: 'invalid-input' } })
  })
})

describe('an older name', () => {
  it.each(OLDER)('%s with %j does what %s does with %j', async (older, input, newer, newerInput) => {
    for (const surface of surfaces.slice(0, 2)) {
      const at = (given: Input) =>
        Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, value === '.' ? surface.files.base : value]),
        )
      const [one, other] = [
        await surface.call(named(older), at(input)),
        await surface.call(named(newer), at(newerInput)),
      ]
      expect(steady(one, surface)).toEqual(steady(other, surface))
      expect(one).toHaveProperty('answer')
    }
  })

  it('is in no list, and has a help of its own', async () => {
    const [{ engine }] = surfaces as [Surface]
    expect((await typed(engine, ['--help'], commands)).out).not.toMatch(/^ {2}(rebuild|folders|bench) /m)
    expect((await typed(engine, ['collection', '--help'], commands)).out).not.toMatch(/collection (pause|resume)/)
    expect((await typed(engine, ['rebuild', '--help'], commands)).out).toContain('ambit index --rebuild')
  })
})

function withoutNotices(answer: unknown): unknown {
  const { notices: _, ...rest } = Object(answer)
  return rest
}

function withoutHint(outcome: unknown): unknown {
  const { code, message } = Object(Object(outcome).error)
  return { code, message }
}
