import { createServer } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { type MessageParts, questionMessage } from '../../src/agent/assistant/attachments.ts'
import { boundedFetch } from '../../src/agent/tool-servers/transport.ts'
import { libraryOver } from '../../src/collections/library.ts'
import { readConfiguration, writeConfiguration } from '../../src/collections/path-contexts/configuration.ts'
import { normaliseContextText } from '../../src/collections/path-contexts/resolver.ts'
import { readAttachment } from '../../src/context/catalog/preview.ts'
import { BOUNDS } from '../../src/core/bounds.ts'
import { defineInputs } from '../../src/core/define-inputs.ts'
import { Tokens } from '../../src/engine/auth/tokens.ts'
import { openDirectory } from '../../src/files/directory.ts'
import { openRoot } from '../../src/files/disk.ts'
import { isKey } from '../../src/files/objects.ts'
import { readZip } from '../../src/ingest/extract/zip.ts'
import { requirePageUrl } from '../../src/internet/guard.ts'
import { readJson } from '../../src/quilt/packages/json.ts'
import { readLines } from '../../src/quilt/packages/manifest.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { readEvent } from '../../src/surfaces/hook/hook.ts'
import { jsonBody } from '../../src/surfaces/http/body.ts'
import { parseChatRequest } from '../../src/surfaces/http/chat/request.ts'
import { HTTP_LIMITS } from '../../src/surfaces/http/http-parts.ts'
import { LineTransport } from '../../src/surfaces/mcp/stdio.ts'
import { parseFrontMatter } from '../../src/text/metadata.ts'
import { placePath } from '../../src/text/paths.ts'
import { zip } from '../ingest/extract/zip.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { sparse, tree } from '../support/tree.ts'

/** What is said of so many; `''` where they are taken. Where nothing can be said, the number of the bound. */
type Probe = (many: number) => unknown

const refusalOf = async (work: () => unknown) => {
  try {
    await work()
    return ''
  } catch (error) {
    const { message, hint = '' } = Object(error)
    return `${message} ${hint}`
  }
}

const chat = ({ text = 'x', ...more }: { text?: string; place?: string; view?: object }) =>
  parseChatRequest({
    id: 'abcdefgh',
    messages: [{ id: 'abcdefgh', role: 'user', parts: [{ type: 'text', text }] }],
    ...more,
  })

async function bodyRefusal(bytes: number, limit: number): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = `"${'x'.repeat(bytes - 2)}"`
  const reading = jsonBody(new Request('http://localhost', { method: 'POST', headers, body }), limit)
  return reading.then(
    () => '',
    (error) => JSON.stringify(error.refusal),
  )
}

const sent = (sizes: readonly number[]) => {
  const parts = {
    model: { canSee: true, readsPdf: true },
    reader: { attachment: readAttachment },
    hasFile: () => false,
  }
  const files = sizes.map((size) => ({ name: 'a.png', bytes: picture(size) }))
  return questionMessage('x', files, parts as unknown as MessageParts)
}

const picture = (size: number) => {
  const bytes = Buffer.alloc(size)
  Buffer.from('%PDF-').copy(bytes)
  return bytes
}

async function toolAnswer(bytes: number): Promise<void> {
  await using server = await listenOnLoopback(createServer((_, response) => response.end(Buffer.alloc(bytes))))
  await (await boundedFetch(server.url)).arrayBuffer()
}

async function mcpAnswer(bytes: number): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const lines = new LineTransport(input, output)
  lines.onmessage = () => {}
  await lines.start()
  const message = JSON.stringify({ jsonrpc: '2.0', method: 'a', params: { text: '' } })
  input.end(`${message.replace('""', `"${'x'.repeat(bytes - message.length)}"`)}\n`)
  await new Promise((resolve) => input.once('end', resolve))
  return output.read()?.toString() ?? ''
}

const PROBES: Readonly<Record<keyof typeof BOUNDS, Probe>> = {
  file: (bytes) => {
    using at = tree({ a: sparse(bytes) })
    const read = openRoot(at.base).read('a')
    return read.ok ? '' : read.detail
  },
  object: async (bytes) => {
    using at = tree({ a: sparse(bytes) })
    return await refusalOf(() => openDirectory(at.base).read('a'))
  },
  key: (bytes) => (isKey('k'.repeat(bytes)) ? '' : BOUNDS.key),
  list: (values) => {
    const touched = Array.from({ length: values }, (_, at) => `${at}.ts`)
    return refusalOf(() =>
      defineInputs({ touched: { is: 'text', list: true, description: 'paths' } }).parse({ touched }),
    )
  },
  pathInput: (characters) => {
    const fields = { at: { is: 'path', path: 'disk', list: true, description: 'paths' } } as const
    return refusalOf(() => defineInputs(fields).parse({ at: ['a', 'p'.repeat(characters)] }))
  },
  names: async (names) => {
    const store = openSqlite(':memory:')
    const pattern = Array.from({ length: names }, (_, at) => `${at}.md`).join(',')
    const documents = await libraryOver(store).documents()
    return await refusalOf(() => documents.multiGet(pattern)).finally(() => store.close())
  },
  placePath: (characters) => Object(placePath('p'.repeat(characters))).problem ?? '',
  frontMatter: (bytes) => parseFrontMatter(`a: ${'x'.repeat(bytes - 3)}`).warnings.join(),
  hookEvent: async (characters) => {
    const stdin = new PassThrough()
    const event = readEvent(stdin as unknown as NodeJS.ReadStream)
    stdin.end('x'.repeat(characters))
    return (await event)?.length === characters ? '' : BOUNDS.hookEvent
  },
  mcpLine: mcpAnswer,
  request: (bytes) => bodyRefusal(bytes, HTTP_LIMITS.body),
  chatRequest: (bytes) => bodyRefusal(bytes, BOUNDS.chatRequest),
  question: (characters) => refusalOf(() => chat({ text: 'q'.repeat(characters) })),
  chatName: (characters) => refusalOf(() => chat({ place: 'p'.repeat(characters) })),
  view: (characters) => refusalOf(() => chat({ view: { a: 'x'.repeat(characters - 'a: '.length) } })),
  viewFields: (fields) =>
    refusalOf(() => chat({ view: Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, at])) })),
  sentFiles: (files) => refusalOf(() => sent(Array(files).fill(8))),
  sentBytes: (bytes) => refusalOf(() => sent([5_000_000, bytes - 5_000_000])),
  toolMessage: (bytes) => refusalOf(() => toolAnswer(bytes)),
  pathContext: (characters) => refusalOf(() => normaliseContextText('🛟'.repeat(characters))),
  configuration: (bytes) => {
    const base = writeConfiguration([], [])
    return refusalOf(() => readConfiguration(`${base}#${'x'.repeat(bytes - base.length - 1)}`))
  },
  manifestLine: (bytes) =>
    refusalOf(async () => {
      for await (const _ of readLines(asChunks(`${'x'.repeat(bytes)}\n`)));
    }),
  jsonDepth: (depth) => refusalOf(() => readJson('['.repeat(depth) + ']'.repeat(depth))),
  pageUrl: (characters) => refusalOf(() => requirePageUrl('https://example.org/'.padEnd(characters, 'x'))),
  archiveEntries: (entries) =>
    refusalOf(() => readZip(zip(Array(entries).fill({ name: 'a', content: '' })), () => false, 1)),
  image: (bytes) => {
    const png = Buffer.alloc(bytes)
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').copy(png)
    return refusalOf(() => readAttachment({ name: 'a', bytes: png }, () => false, undefined))
  },
  tokenDays: async (expires) => {
    const store = openSqlite(':memory:')
    return await refusalOf(() => new Tokens(store).create({ name: 'a', expires })).finally(() => store.close())
  },
}

async function* asChunks(text: string) {
  yield Buffer.from(text)
}

it.each(Object.entries(BOUNDS))(
  '%s: what is at the bound of %i is taken, and one more is refused by its number',
  async (name, most) => {
    const probe = PROBES[name as keyof typeof BOUNDS]
    expect(await probe(most)).toBe('')
    expect(String(await probe(most + 1)).replaceAll(',', '')).toContain(String(most))
  },
)

it('the bounds are those that were promised', async () => {
  const lines = Object.entries(BOUNDS).map(([name, most]) => `${name} ${most}\n`)
  await expect(lines.join('')).toMatchFileSnapshot('../contract/snapshots/bounds.txt')
})
