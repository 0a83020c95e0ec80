import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Meter } from '../../../src/agent/loop/meter.ts'
import { toolServers } from '../../../src/agent/mcp-servers.ts'
import { AGENT_LIMITS, type AnswerServer, type ServerQuestion, type ToolOutput } from '../../../src/agent/tool.ts'
import type { ToolServerConfig, ToolServers } from '../../../src/agent/tool-servers.ts'
import { elementsOf } from '../../../src/text/elements.ts'
import { ROOT } from '../../source-files.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { FIXTURE, fixtureServer } from '../../support/mcp-fixture.ts'
import { tree } from '../../support/tree.ts'

const SOON = () => AbortSignal.timeout(20_000)

const opened: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(opened.map((close) => close()))
})

function started(settings: Readonly<Record<string, ToolServerConfig>>, connectMs = 15_000): ToolServers {
  const servers = toolServers(settings, { home: ROOT, roots: ['/work here'], timeouts: { connectMs, probeMs: 3000 } })
  opened.push(() => servers.close())
  return servers
}

async function ready(fix: ToolServerConfig): Promise<ToolServers> {
  const servers = started({ fix })
  await servers.settled()
  return servers
}

/** The fixture over HTTP on loopback, and what was sent to it. */
async function overHttp(answer?: (send: (status: number, headers: object, body?: string) => void) => void) {
  const handler = createMcpHandler(fixtureServer)
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    headers.push(request.headers)
    if (answer) {
      answer((status, head, body) => response.writeHead(status, { ...head }).end(body))
      return
    }
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = parts.length > 0 ? Buffer.concat(parts) : undefined
    const asked = new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ...(body && { body }),
    })
    const given = await handler.fetch(asked)
    response.writeHead(given.status, Object.fromEntries(given.headers))
    for await (const part of given.body ?? []) response.write(part)
    response.end()
  })
  const at = await listenOnLoopback(server)
  opened.push(async () => {
    await at[Symbol.asyncDispose]()
    await handler.close()
  })
  return { url: `${at.url}/mcp`, headers }
}

interface Person {
  readonly signal?: AbortSignal
  readonly answer?: AnswerServer
}

async function called(
  servers: ToolServers,
  name: string,
  { signal = SOON(), answer }: Person = {},
): Promise<ToolOutput> {
  const tool = servers
    .states()
    .flatMap(({ tools }) => tools)
    .find((one) => one.name === name)
  if (!tool) throw new Error(`There is no ${name}.`)
  const around = { id: 'c', limits: AGENT_LIMITS, meter: new Meter(), answer, emit: () => {} }
  const output = await tool.run({ text: 'hi' }, signal, around)
  return typeof output === 'string' ? { text: output } : output
}

describe.each(['a program', 'an address'] as const)('an MCP server that is %s', (kind) => {
  const settingsOf = async (): Promise<ToolServerConfig> =>
    kind === 'a program' ? FIXTURE : { url: (await overHttp()).url, trustReadOnly: true }

  let shared: ToolServers
  beforeAll(async () => {
    shared = started({ fix: await settingsOf() })
  })

  it('is idle until it is needed, then ready, and its tools are named by it', async () => {
    expect(shared.states()).toMatchObject([{ name: 'fix', state: 'idle', tools: [] }])
    await expect(shared.resource('fix', 'fix://plan', SOON())).rejects.toThrow('The MCP server fix is not ready.')
    const [server] = await shared.settled()
    expect(server).toMatchObject({ name: 'fix', state: 'ready' })
    const effects = Object.fromEntries(server?.tools.map(({ name, effect }) => [name, effect]) ?? [])
    expect(effects).toMatchObject({ fix__echo: 'read', fix__write: 'write', fix__unsaid: 'write', fix__liar: 'write' })
    expect(server?.left).toEqual([
      expect.stringMatching(/^bad name!: Its name has characters/),
      expect.stringMatching(/^large: .*longer than 16000 characters/),
      expect.stringMatching(/^l+: Its name is longer/),
    ])
    const echo = server?.tools.find(({ name }) => name === 'fix__echo')
    expect(echo?.description).toBe('From the MCP server fix, which describes it so: Says it again.')
    expect(echo?.input).toEqual({ type: 'object', properties: { text: { type: 'string' } } })
  })

  it.each([
    ['fix__echo', '<result server="fix" tool="echo">\necho: hi\n</result>\n'],
    ['fix__fails', '<result server="fix" tool="fails" failed="true">\nIt went wrong.\n</result>\n'],
  ])('is called: %s', async (name, text) => {
    await shared.settled()
    expect(await called(shared, name)).toEqual({ text })
  })

  it('gives what leaves no frame, and hides nothing', async () => {
    await shared.settled()
    const { text } = await called(shared, 'fix__evil')
    expect(elementsOf(text).map(({ tag }) => tag)).toEqual(['result'])
    expect(text).not.toMatch(/[\u{e0000}-\u{e007f}\u202e]/u)
  })

  it('gives pictures as pictures, four at most', async () => {
    await shared.settled()
    expect(await called(shared, 'fix__picture')).toMatchObject({
      text: expect.stringContaining('(a picture, image/png)'),
      images: Array.from({ length: 4 }, () => ({ mediaType: 'image/png' })),
    })
  })

  it('that throws is told as what did not do it', async () => {
    await shared.settled()
    await expect(called(shared, 'fix__throws')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('that hangs is left when the question is', async () => {
    await shared.settled()
    await expect(called(shared, 'fix__hangs', { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      code: 'cancelled',
    })
  })
})

let program: ToolServers | undefined

/** The fixture as a program, for what leaves it as it is. */
async function shared(): Promise<ToolServers> {
  program ??= started({ fix: FIXTURE })
  await program.settled()
  return program
}

describe('a call of an MCP server', () => {
  const asked: ServerQuestion[] = []

  it.each<[string, AnswerServer | undefined, string, string]>([
    ['is answered', async () => ({ size: 3, colour: 'red' }), '"action":"accept"', '{"size":3,"colour":"red"}'],
    ['is declined', async () => undefined, '"action":"decline"', ''],
    ['is declined and told, where nobody can be asked', undefined, '"action":"decline"', '<declined server="fix">'],
  ])('that asks the person %s, and is told the directories', async (_, answer, action, more) => {
    asked.length = 0
    const servers = await shared()
    const asking = answer && {
      answer: (...[question, signal]: Parameters<AnswerServer>) => {
        asked.push(question)
        return answer(question, signal)
      },
    }
    const { text } = await called(servers, 'fix__asks', asking)
    expect(text).toContain(action)
    expect(text).toContain(more)
    expect(text.includes('<declined')).toBe(answer === undefined)
    expect(text).toContain('file:///work%20here')
    expect(asked).toEqual(
      answer
        ? [
            {
              server: 'fix',
              message: 'Which one?',
              fields: [
                { name: 'size', about: 'Size', type: 'integer', isRequired: true },
                { name: 'colour', about: 'colour', type: 'text', isRequired: false, choices: ['red', 'blue'] },
              ],
            },
          ]
        : [],
    )
  })

  it('ends when nothing was heard of it for its time, which progress and the person begin again', async () => {
    const servers = started({ fix: { url: (await overHttp()).url, timeout: 1500 } })
    await servers.settled()
    expect((await called(servers, 'fix__slow')).text).toContain('slow: hi')
    const thinking: AnswerServer = () => new Promise((resolve) => setTimeout(resolve, 2000, { size: 1 }))
    expect((await called(servers, 'fix__asks', { answer: thinking })).text).toContain('"accept"')
    await expect(called(servers, 'fix__hangs')).rejects.toThrow(/It did not respond for 1.5 seconds/)
  })
})

describe('prompts and resources of an MCP server', () => {
  it('are told of on one line, without what is not seen', async () => {
    const [server] = (await shared()).states()
    expect(server?.prompts).toEqual([
      {
        name: 'review',
        about: 'Looks it through.',
        arguments: [
          { name: 'file', isRequired: true },
          { name: 'about', isRequired: false },
        ],
      },
    ])
    expect(server?.resources).toEqual([{ uri: 'fix://plan', about: 'plan: What is planned' }])
  })

  it.each<[readonly string[], string]>([
    [['a.ts'], 'Review a.ts.\n\nLook for anything.'],
    [['a.ts', 'dead', 'code'], 'Review a.ts.\n\nLook for dead code.'],
  ])('ask by their arguments in order, the last of which takes the rest: %j', async (values, question) => {
    const servers = await shared()
    expect(await servers.prompt('fix', { name: 'review', values }, SOON())).toBe(question)
  })

  it.each([
    ['none', 'review', 'not-found', 'There is no MCP server none.', 'MCP servers: fix.'],
    ['fix', 'nothing', 'not-found', 'The MCP server fix has no prompt nothing.', 'Its prompts: review.'],
    ['fix', 'review', 'invalid-input', 'The prompt review needs file.', undefined],
  ])('are refused where they are none, or lack something: %s %s', async (server, name, code, message, hint) => {
    const servers = await shared()
    await expect(servers.prompt(server, { name, values: [] }, SOON())).rejects.toMatchObject({ code, message, hint })
  })

  it('are read in a frame that they cannot leave', async () => {
    const servers = await shared()
    const text = await servers.resource('fix', 'fix://plan', SOON())
    expect(elementsOf(text).map(({ tag }) => tag)).toEqual(['resource'])
    expect(text).toContain('Ship on Monday.')
  })

  it('end at once where they are closed while they are connecting', async () => {
    const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] }
    const servers = toolServers({ silent }, { home: ROOT })
    const began = performance.now()
    await servers.close()
    expect(performance.now() - began).toBeLessThan(3000)
    expect(await servers.settled()).toMatchObject([{ state: 'idle' }])
    const none = toolServers({}, { home: ROOT })
    await expect(none.resource('fix', 'fix://plan', SOON())).rejects.toThrow('There is no MCP server fix.')
  })
})

describe('an MCP server', () => {
  it('is not believed that its tools only read, unless the person says so', async () => {
    const { command, args } = FIXTURE
    const servers = started({ none: { command, args }, some: { command, args, readOnly: ['unsaid'] } })
    const [none, some] = await servers.settled()
    expect(none?.tools.every(({ effect }) => effect === 'write')).toBe(true)
    expect(some?.tools.filter(({ effect }) => effect === 'read').map(({ name }) => name)).toEqual(['some__unsaid'])
  })

  it('that dies in mid-call is told with what it last said, and is back with the next question, three times', async () => {
    const servers = await ready(FIXTURE)
    for (const state of ['ready', 'ready', 'ready', 'failed']) {
      await expect(called(servers, 'fix__dies')).rejects.toMatchObject({ code: 'unavailable' })
      await expect
        .poll(() => servers.states())
        .toMatchObject([{ state: 'failed', problem: expect.stringContaining('I cannot go on.'), tools: [] }])
      expect(await servers.settled()).toMatchObject([{ state }])
      if (state === 'ready') expect((await called(servers, 'fix__echo')).text).toContain('echo: hi')
    }
  })

  it('whose list of tools changes has the new ones from then on', async () => {
    const servers = await ready(FIXTURE)
    await called(servers, 'fix__grow')
    const names = () => servers.states().flatMap(({ tools }) => tools.map(({ name }) => name))
    await expect.poll(names).toContain('fix__new')
  })

  it.each<[string, ToolServerConfig, RegExp]>([
    ['is not there', { command: '/nowhere/at/all' }, /ENOENT/],
    [
      'ends at once',
      { command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(1)'] },
      /It said: no key/,
    ],
    ['has secrets others may read', { ...FIXTURE, env: { KEY: 'k' }, problem: 'Run "chmod 600 /a".' }, /chmod 600/],
    ['answers nowhere', { url: 'http://127.0.0.1:9/mcp' }, /./],
  ])('that %s has failed, and the others are ready', (_, settings, problem) => expectOneFailed(settings, problem))

  it('that says what is not a protocol has failed, and the others are ready', { tags: 'long' }, () =>
    expectOneFailed(
      { command: process.execPath, args: ['-e', 'console.log("hello"); setTimeout(() => {}, 60000)'] },
      /within|timed out/i,
    ),
  )

  async function expectOneFailed(settings: ToolServerConfig, problem: RegExp): Promise<void> {
    const servers = started({ bad: settings, good: { url: (await overHttp()).url } }, 8_000)
    expect(await servers.settled()).toMatchObject([
      { name: 'bad', state: 'failed', problem: expect.stringMatching(problem), tools: [] },
      { name: 'good', state: 'ready' },
    ])
  }

  it('is sent the headers that are set, and is not followed elsewhere', async () => {
    const good = await overHttp()
    const servers = started({ http: { url: good.url, headers: { authorization: 'Bearer abc' } } })
    expect(await servers.settled()).toMatchObject([{ state: 'ready' }])
    expect(new Set(good.headers.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer abc']))
    const other = await overHttp()
    const away = await overHttp((send) => send(307, { location: other.url }))
    const led = started({ away: { url: away.url, headers: { authorization: 'Bearer abc' } } }, 30_000)
    expect(await led.settled()).toMatchObject([{ state: 'failed' }])
    expect(other.headers).toEqual([])
  })

  it('that answers without end is left', async () => {
    const endless = await overHttp((send) => send(200, { 'content-type': 'application/json' }, 'x'.repeat(11_000_000)))
    expect(await started({ endless: { url: endless.url } }, 30_000).settled()).toMatchObject([{ state: 'failed' }])
  })

  it('runs where the person says, with nothing of our secrets', async () => {
    using planted = tree({ 'here/': '' })
    const script =
      'require("fs").writeFileSync("seen.json", JSON.stringify([process.cwd(), Object.keys(process.env), process.env.OWN]))'
    process.env.SECRET_OF_OURS = 's'
    const servers = started(
      { fix: { command: process.execPath, args: ['-e', script], cwd: planted.at('here'), env: { OWN: 'o' } } },
      30_000,
    )
    await servers.settled()
    delete process.env.SECRET_OF_OURS
    expect(existsSync(planted.at('here/seen.json'))).toBe(true)
    const [cwd, names, own] = JSON.parse(readFileSync(planted.at('here/seen.json'), 'utf8'))
    expect([cwd, own, names.includes('SECRET_OF_OURS')]).toEqual([planted.at('here'), 'o', false])
  })

  it('that connects too slowly leaves no process behind', async () => {
    using planted = tree({ pids: '' })
    // It knows only the older protocol, as many do, and does not answer to what it does not know.
    const script = `require('fs').appendFileSync(${JSON.stringify(planted.at('pids'))}, process.pid + '\\n')
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line)
        const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: 'old', version: '1' } }
        if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
      setInterval(() => {}, 1000)`
    const settings = { old: { command: process.execPath, args: ['-e', script] } }
    const servers = toolServers(settings, { home: ROOT, timeouts: { connectMs: 900, probeMs: 1000 } })
    expect(await servers.settled()).toMatchObject([{ state: 'failed' }])
    // Longer than the search for the newer protocol takes.
    await sleep(2500)
    const pids = readFileSync(planted.at('pids'), 'utf8').trim().split('\n').map(Number)
    expect(pids.filter(isAlive)).toEqual([])
    await servers.close()
  })

  it('leaves no process behind', { tags: 'long' }, async () => {
    using planted = tree({})
    const script = `require("fs").writeFileSync(${JSON.stringify(planted.at('pid'))}, String(process.pid)); process.stdin.resume()`
    const servers = started({ fix: { command: process.execPath, args: ['-e', script] } }, 10_000)
    await servers.settled()
    await servers.close()
    const pid = Number(readFileSync(planted.at('pid'), 'utf8'))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
