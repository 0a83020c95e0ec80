import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { loadOperation } from '../../../src/operations/context/load.ts'
import { type AnyOperation, operations } from '../../../src/operations/index.ts'
import { tree } from '../../support/tree.ts'
import { fail, operation, toolNamed, waiter } from '../http/support.ts'
import { connected, ERAS, linked, metaOf, PROJECT, textOf } from './support.ts'

/** A tool may have any operation behind it: these stand behind `status`. */
function asTool(one: AnyOperation): AnyOperation {
  return { ...one, name: 'status', ...toolNamed('status') }
}

describe.each(ERAS)('a client of %s', (_, era) => {
  it('gets what to read for a task as a text alone, which is within the budget, with figures beside it', async () => {
    const code = Array.from({ length: 60 }, (_, at) => `export function parseLine${at}() {\n  return ${at}\n}\n`)
    using planted = tree({ ...PROJECT, 'src/parser.ts': code.join('\n') })
    await using client = await connected(era)
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'task_context')?.outputSchema).toBeUndefined()
    const given = { task: 'parseLine7 is wrong', place: planted.base, budget: 300 }
    const result = await client.callTool({ name: 'task_context', arguments: given })
    expect(textOf(result)).toContain('parseLine7')
    expect([result.structuredContent, result.content.length]).toEqual([undefined, 1])
    expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(4 * 300)
    expect(JSON.stringify(result._meta)).toContain('"files":1,"indexed":1')
  })

  it('loads the context of a place: a text alone, and beside it what no model is shown', async () => {
    using planted = tree(PROJECT)
    await using client = await connected(era)
    await client.listTools()
    const result = await client.callTool({
      name: 'load_context',
      arguments: { place: planted.base, touched: [planted.at('pkg/a.ts')] },
    })
    expect(textOf(result)).toContain('Never log a password.')
    expect(textOf(result)).toContain('# Package')
    expect([result.structuredContent, result.content]).toEqual([undefined, [{ type: 'text', text: textOf(result) }]])
    expect(metaOf(result)).toEqual({
      tokens: Math.ceil(Buffer.byteLength(textOf(result)) / 4),
      budget: 8000,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      truncated: false,
      cut: [],
    })
  })

  it('names twenty of the files that the budget cut', async () => {
    const at = (depth: number) => `a/${'b/'.repeat(depth)}`
    const rules = Array.from({ length: 22 }, (_, depth) => [`${at(depth)}AGENTS.md`, `Rule ${depth}. `.repeat(99)])
    using planted = tree({ '.git/': '', ...Object.fromEntries(rules) })
    await using client = await connected(era)
    const given = { place: planted.at(at(21)), budget: 300 }
    const result = await client.callTool({ name: 'load_context', arguments: given })
    expect(metaOf(result)).toMatchObject({ cut: { length: 20 }, cutMore: 2 })
  })

  it.each([
    ['See "ambit ls docs/a b".', 'See the tool list with {"place":"docs/a b"}.'],
    ['See "ambit context list".', 'See the tool context_list.'],
    ['Run "ambit index docs".', 'Run "ambit index docs".'],
    ['Run "ambit index --rebuild".', 'Run "ambit index --rebuild".'],
  ])('reads hints that it can follow, where there is a tool: %s', async (hint, told) => {
    const hinting = operation('status', () => {
      throw new ContextError('not-found', 'It is not there.', { hint })
    })
    await using client = await connected(era, {
      operations: [...operations.filter(({ name }) => name !== 'status'), hinting],
    })
    const result = await client.callTool({ name: 'status', arguments: {} })
    expect(textOf(result)).toBe(`not-found: It is not there.\n${told}`)
  })

  it('is told nothing of a bug', async () => {
    const bug = operation('status', () => {
      throw new TypeError('SELECT * FROM secrets')
    })
    await using client = await connected(era, { operations: [bug] })
    const result = await client.callTool({ name: 'status', arguments: {} })
    expect([result.isError, textOf(result)]).toEqual([true, 'internal: The server failed. This is a bug in Ambit.'])
  })

  it('hears a short and clean error for a name of any length', async () => {
    await using client = await connected(era)
    const name = `<b>${'x'.repeat(100_000)}`
    for (const answer of [client.callTool({ name }), client.getPrompt({ name })]) {
      const { message } = await answer.then(() => ({ message: 'none' }), Object)
      expect(message).toContain('called &lt;b>xx')
      expect(message.length).toBeLessThan(2100)
    }
  })

  it('hears how far the work is when it asks for it', async () => {
    const steps = operation('steps', async (_, { emit }) => {
      for (const what of ['a', 'b']) emit({ type: 'progress', what, done: 1, total: 1 })
      return { said: 'done' }
    })
    await using client = await connected(era, { operations: [asTool(steps)] })
    const heard: (string | undefined)[] = []
    const onprogress = ({ progress, message }: { progress: number; message?: string | undefined }) => {
      heard.push(`${progress} ${message}`)
    }
    const result = await client.callTool({ name: 'status', arguments: {} }, { onprogress })
    expect(result.structuredContent).toEqual({ said: 'done' })
    expect(heard).toEqual(['1 a: 1 of 1', '2 b: 1 of 1'])
  })

  it('gets a task with its context by the prompt', async () => {
    using planted = tree(PROJECT)
    await using client = await connected(era)
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['context', 'research'])
    const given = { task: 'fix <the> login', place: planted.at('pkg') }
    const { messages } = await client.getPrompt({ name: 'context', arguments: given })
    const [{ role, content } = { role: '', content: { type: '' } }] = messages
    const text = 'text' in content ? content.text : ''
    expect([messages.length, role]).toEqual([1, 'user'])
    expect(text).toContain('# Package\n\n</context>')
    expect(text).toMatch(/The task: fix <the> login$/)
  })

  it('has no prompt, and no resources, where there is nothing behind them', async () => {
    await using client = await connected(era, { operations: [asTool(fail)] })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
  })
})

it.each(ERAS)('a request that is cancelled of %s stops the work', async (_, era) => {
  const { seen, wait } = waiter()
  await using client = await connected(era, { operations: [asTool(wait)] })
  const controller = new AbortController()
  const called = client.callTool({ name: 'status', arguments: {} }, { signal: controller.signal })
  await expect.poll(() => seen.started).toBe(1)
  controller.abort()
  await expect(called).rejects.toThrow()
  // The stateless way of 2025 has no stream to close, and no session to cancel in.
  if (era === 'auto') await expect.poll(() => seen.stopped).toBe(1)
})

describe('an operation', () => {
  const GONE = { place: '/gone', warnings: [{ path: '/gone', message: 'There is no /gone.' }] }
  const SENT_BEFORE = { ledger: [{ pass: 'unsent', title: 'AGENTS.md' }] }
  const BEFORE = 'Given before in this session, so left out: AGENTS.md. For all of it: fresh: true.'
  it.each([
    [{}, [], ['Nothing applies here.']],
    [{}, ['There is no a.ts.'], ['Nothing applies here.', 'There is no a.ts.']],
    [SENT_BEFORE, [], [BEFORE]],
    [GONE, ['There is no /gone.', 'There is no a.ts.'], ['There is no /gone.', 'There is no a.ts.']],
    [{ ...GONE, ...SENT_BEFORE }, [], ['There is no /gone.', BEFORE]],
  ])('is run with its presets, and where its text is empty says something: %j %j', async (output, notices, shown) => {
    const seen: unknown[] = []
    const run: AnyOperation['run'] = async (_, input) => seen.push(input) && { ledger: [], ...output }
    const silent = { ...loadOperation, run, text: () => '', notices: () => notices } as AnyOperation
    await using client = await connected('auto', { operations: [silent] })
    const framed = shown.map((text) => `<notice>\n${text}\n</notice>\n`)
    expect(textOf(await client.callTool({ name: 'load_context', arguments: {} }))).toBe(framed.join(''))
    expect(seen).toMatchObject([{ format: 'xml', full: false, drift: false }])
  })

  it('that throws after it told of its progress is an error like others', async () => {
    const broken = operation('status', async (_, { emit }) => {
      emit({ type: 'rendered', tokens: 1 })
      throw new ContextError('conflict', 'It broke.')
    })
    await using client = await connected('auto', { operations: [broken] })
    const result = await client.callTool({ name: 'status', arguments: {} }, { onprogress: () => {} })
    expect(textOf(result)).toBe('conflict: It broke.')
  })
})

it('a client that has roots is asked for them once, and again when they change', async () => {
  const [roots, used] = [['/a', '/b c'], [] as unknown[]]
  await using client = await linked({ useRoots: (all) => used.push(all) }, roots)
  const call = () => client.callTool({ name: 'status', arguments: {} })
  expect([(await call()).isError, (await call()).isError, used]).toEqual([undefined, undefined, [roots]])
  await client.sendRootsListChanged()
  await call()
  expect(used).toEqual([roots, roots])
})
