import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { SILENT } from '../../../src/core/flow.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openWith } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { mcpHttp } from '../../../src/surfaces/mcp/http.ts'
import type { McpParts } from '../../../src/surfaces/mcp/parts.ts'
import { serverFactory } from '../../../src/surfaces/mcp/server.ts'
import { ROOT } from '../../source-files.ts'
import type { Shape } from '../../support/tree.ts'

/** The two eras of the protocol, as a client chooses them. */
export const ERAS = [
  ['2025', 'legacy'],
  ['2026', 'auto'],
] as const

export type Era = (typeof ERAS)[number][1]

export const PROJECT: Shape = {
  '.git/': '',
  'AGENTS.md': '# Root\n\nTests first.\n',
  'pkg/AGENTS.md': '# Package\n',
  '.context/CONSTITUTION.md': '# Constitution\n\n- Never log a password.\n',
  '.context/TASKS.md': '# Tasks\n\n- [ ] Measure\n',
}

export function partsOf(parts: Partial<McpParts> = {}): McpParts {
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
  return { engine, operations, version: '0.0.0', allowWrite: false, debug: false, ...parts }
}

/** What an operation answers. */
export async function answerOf(engine: Engine, name: string, input: object): Promise<unknown> {
  const operation = operations.find((each) => each.name === name)
  return operation?.run(engine, operation.input.parse(input), SILENT)
}

/** `roots`: the directories that it says it works in; `name`: what it calls itself. */
function newClient(era: Era, roots?: readonly string[], name = 'test'): Client {
  const capabilities = roots ? { roots: { listChanged: true } } : {}
  const client = new Client({ name, version: '0.0.0' }, { versionNegotiation: { mode: era }, capabilities })
  if (roots) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((path) => ({ uri: pathToFileURL(path).href })) }))
  }
  return client
}

/** A client of a server that is asked over HTTP, without a socket. */
export async function connected(
  era: Era,
  parts: Partial<McpParts> = {},
  name?: string,
): Promise<Client & AsyncDisposable> {
  const handler = mcpHttp(partsOf(parts))
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  })
  return disposable(newClient(era, undefined, name), (client) => client.connect(transport))
}

/** A client of a server in this process, over a connection that stays. */
export async function linked(parts: Partial<McpParts>, roots: readonly string[]) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await serverFactory(partsOf(parts))().connect(ours)
  return disposable(newClient('legacy', roots), (client) => client.connect(theirs))
}

/** A client of the program in a process of its own. */
export async function spawned(era: Era, cwd: string, argv: readonly string[] = [], roots?: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT, 'src/bin.ts'), 'mcp', ...argv],
    env: { PATH: process.env.PATH ?? '', HOME: cwd, AMBIT_DB: join(cwd, 'ambit.db') },
    cwd,
    stderr: 'ignore',
  })
  return disposable(newClient(era, roots), (client) => client.connect(transport))
}

async function disposable(client: Client, connect: (client: Client) => Promise<void>) {
  await connect(client)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

/** What a tool said. */
export function textOf({ content }: { readonly content?: unknown }): string {
  return (Array.isArray(content) ? content : []).map((part: { text?: string }) => part.text ?? '').join('')
}

/** What is told beside a text. */
export function metaOf({ _meta }: { readonly _meta?: Record<string, unknown> | undefined }): unknown {
  return _meta?.['ambit/answer']
}
