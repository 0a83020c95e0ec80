/** Measures the time of the assistant itself, without the model. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Assistant } from '../src/agent/assistant.ts'
import type { AgentEvent } from '../src/agent/events.ts'
import { runAgent } from '../src/agent/loop.ts'
import { contextTextIn } from '../src/agent/transcript.ts'
import { createEngine } from '../src/engine/engine.ts'
import type { LanguageModel, StepPart } from '../src/models/language.ts'
import { anthropic } from '../src/models/providers/language-anthropic.ts'
import { promptOf } from '../src/models/sdk/prompt.ts'
import { operations } from '../src/operations/index.ts'
import { assistantTools } from '../src/operations/tools.ts'
import { openSqlite } from '../src/stores/sqlite/sqlite.ts'
import { languageServer } from '../test/support/language-server.ts'
import { ambitBeside } from '../test/support/program.ts'
import { bound, inTurn, medianOf, timingOf, type Verdict, within } from './harness.ts'

const CONTEXTS = 50
const EXCHANGES = 40
const TOKENS = 200

/** Milliseconds that an exchange may take besides the model. */
const MOST_MS = 5

export async function agentFigures(): Promise<Verdict[]> {
  return [...(await overheads()), await tokenFigure(), await serversFigure()]
}

/** A model that answers at once. Its prompt is built and serialized as for a service. */
function instant(): LanguageModel & { bytes: number } {
  return {
    name: 'bench/instant',
    canSee: false,
    bytes: 0,
    async *step(request): AsyncGenerator<StepPart> {
      this.bytes = JSON.stringify(promptOf(request)).length
      yield { type: 'text', text: 'Yes.' }
      yield { type: 'part', part: { type: 'text', text: 'Yes.' } }
      yield { type: 'finish', reason: 'stop', usage: { input: 1, cached: 0, output: 1 } }
    },
  }
}

/** Measures repeated questions at a place with 50 instruction files. */
async function overheads(): Promise<Verdict[]> {
  const root = mkdtempSync(join(tmpdir(), 'ambit-bench-'))
  mkdirSync(join(root, '.git'))
  let place = root
  for (let depth = 0; depth < CONTEXTS; depth++) {
    writeFileSync(join(place, 'AGENTS.md'), `# Level ${depth}\n\n${`Rule ${depth} of this place. `.repeat(12)}\n`)
    place = join(place, `d${depth}`)
    mkdirSync(place)
  }
  const model = instant()
  const config = { db: ':memory:', home: false, file: undefined, unknown: [] } as const
  const engine = createEngine(config, { store: async () => openSqlite(':memory:'), language: async () => model })
  const run = { emit: () => {} }
  const first = async () =>
    new Assistant({ engine, makeTools: assistantTools(engine, operations), place }).ask('First?', run)
  const assistant = new Assistant({ engine, makeTools: assistantTools(engine, operations), place })
  await assistant.ask('First?', run)
  const contexts = contextTextIn(assistant.messages).split('# Level ').length - 1
  if (contexts !== CONTEXTS) throw new Error(`The model got ${contexts} contexts.`)
  const [firsts = [], repeats = []] = await inTurn(
    [
      { name: 'first', run: first },
      { name: 'more', run: () => assistant.ask('And now?', run) },
    ],
    { runs: EXCHANGES },
  )
  await engine.close()
  rmSync(root, { recursive: true })
  return [
    within(`agent: an exchange without the model, ${CONTEXTS} contexts`, repeats, MOST_MS),
    within(`agent: the first exchange without the model, ${CONTEXTS} contexts read`, firsts, Number.POSITIVE_INFINITY),
  ]
}

/** Measures from when a service on loopback writes a token until the loop emits it. The text of a token is its time. */
async function tokenFigure(): Promise<Verdict> {
  const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const usage = { input_tokens: 1, output_tokens: 1 }
  const start = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  const delta = () => ({ index: 0, delta: { type: 'text_delta', text: `${performance.now()} ` } })
  const server = createServer(async (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event('message_start', { message: start }))
    response.write(event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }))
    for (let token = 0; token < TOKENS; token++) {
      await pause(2)
      response.write(event('content_block_delta', delta()))
    }
    response.write(event('content_block_stop', { index: 0 }))
    const ends = { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } }
    response.end(event('message_delta', ends) + event('message_stop', {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const model = anthropic({ provider: 'anthropic', model: 'm', url, key: 'k' })
  const times: number[] = []
  const emit = (one: AgentEvent) => {
    if (one.type === 'text') times.push(performance.now() - Number(one.text))
  }
  await runAgent([{ role: 'user', text: 'Well?' }], { model, system: 's', tools: [] }, { emit })
  server.closeAllConnections()
  server.close()
  return within('agent: from a token of the model to the token out of the loop', times, MOST_MS)
}

/** Measures how much longer `ask` takes with five configured MCP servers that it does not need. */
async function serversFigure(): Promise<Verdict> {
  const root = mkdtempSync(join(tmpdir(), 'ambit-bench-'))
  await using model = await languageServer('chat', [{ text: 'Yes.' }])
  const command = `{ command: ${process.execPath}, args: [-e, 'process.stdin.resume()'] }`
  const servers = ['a', 'b', 'c', 'd', 'e'].map((name) => `  ${name}: ${command}\n`).join('')
  const configured = { none: '', five: `mcpServers:\n${servers}` }
  const subjects = Object.entries(configured).map(([name, config]) => {
    mkdirSync(join(root, name, 'ambit'), { recursive: true })
    writeFileSync(join(root, name, 'ambit', 'config.yaml'), config)
    const env = { XDG_CONFIG_HOME: join(root, name), AMBIT_MODEL: 'openai-compatible/m', AMBIT_MODEL_URL: model.url }
    return { name, run: async () => assertAnswer(await ambitBeside(['ask', 'Well?'], { cwd: root, env })) }
  })
  const [none = [], five = []] = await inTurn(subjects, { runs: 15, warmup: 2 })
  rmSync(root, { recursive: true })
  const figure = 'agent: ask, with five MCP servers that are not needed, beyond none'
  const verdict = bound(figure, medianOf(five) - medianOf(none), { unit: 'ms', limit: 100 })
  return { ...verdict, measured: timingOf('five servers', five), baseline: timingOf('none', none) }
}

function assertAnswer({ status, stdout, stderr }: Awaited<ReturnType<typeof ambitBeside>>): void {
  if (status !== 0 || stdout !== 'Yes.\n') throw new Error(`ask failed: ${stdout}${stderr}`)
}
