/** Whatever names a file outside of the roots of a server, in whichever input of whichever operation. */

import { readFileSync, rmSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Input } from '../../../../src/core/input.ts'
import { openWith } from '../../../../src/open.ts'
import { type AnyOperation, operations } from '../../../../src/operations/index.ts'
import type { HttpApp } from '../../../../src/surfaces/http/http-parts.ts'
import { mcpHttp } from '../../../../src/surfaces/mcp/http.ts'
import { toolsOf } from '../../../../src/surfaces/mcp/tools.ts'
import { tree } from '../../../support/tree.ts'
import { textOf } from '../../mcp/support.ts'
import { appOf, ask, BEARER, HOST, post, rootsOf } from '../support.ts'

const SECRET = 'the-canary-of-what-is-outside'
const planted = tree({
  '.git/': '',
  'AGENTS.md': `# ${SECRET}\n`,
  '.context/TASKS.md': `- [ ] ${SECRET}\n`,
  '.claude/settings.json': `{"hooks":{"${SECRET}":[]}}`,
  '.kodelet/context.md': `${SECRET}\n`,
  '.agents/rules/above.md': `${SECRET}\n`,
  'served/AGENTS.md': '# Served\n',
  'served/pkg/a.md': '# A\n',
  'served/file-out.md -> ../secret/AGENTS.md': '',
  'served/out -> ../secret': '',
  'served/deep/out -> /secret': '',
  'served-too/AGENTS.md': `# ${SECRET}\n`,
  'swapped -> secret': '',
  'secret/AGENTS.md': `# ${SECRET}\n`,
  'secret/collections.yml': `collections:\n  ${SECRET}:\n    path: .\n`,
})
const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
const app = appOf({
  engine,
  operations: operations.filter(({ isAlone }) => !isAlone),
  roots: rootsOf(planted.at('served')),
  allowWrite: true,
  mcp: (own, { engine: seen, allowWrite }) =>
    mcpHttp({ engine: seen, operations: own, allowWrite, version: '0.0.0', debug: false }),
})
/** A collection that was added before its root became a link; some operations remove it, and some write to the root. */
beforeEach(async () => {
  rmSync(planted.at('served/.context'), { recursive: true, force: true })
  const { port } = await engine.library()
  if (await port.collections.get('swapped')) return
  const access = { realPath: planted.at('swapped') }
  await port.collections.add({ name: 'swapped', root: planted.at('swapped'), patterns: [], exclude: [], access })
})
afterAll(async () => {
  const library = await engine.library()
  const found = await Promise.allSettled([
    library.collections.index({ names: ['swapped'] }),
    library.search({ query: SECRET }),
  ])
  expect(found).toMatchObject([{ reason: { code: 'denied' } }, { value: { results: [] } }])
  await engine.close()
  planted[Symbol.dispose]()
})

/** What lies in the root, of which no operation shows what is above. */
const WITHIN = ['.', './pkg/a.md']

/** What leads outside by a collection: on disk there is nothing of these names in the root. */
const SWAPPED = ['swapped', 'swapped/AGENTS.md', 'ambit://swapped/AGENTS.md']

const WORDS = [
  ...WITHIN,
  '/etc/passwd',
  '../../../etc/passwd',
  '~',
  '~/.ssh/id_ed25519',
  '/',
  'out',
  'out/.context',
  'out/absent',
  'deep/out',
  'file-out.md',
  'pkg\0',
  planted.base,
  planted.at('absent'),
  planted.at('served-too'),
  `${planted.at('served')}/pkg/../../secret`,
  planted.at('secret'),
  planted.at('secret/AGENTS.md'),
  planted.at('secret/collections.yml'),
  '../secret/AGENTS.md',
  '..',
  ...SWAPPED,
]

/** What is in the files that the words lead to. */
const CONTENTS = [SECRET, /^root:.*/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? SECRET]

/** Kinds of paths that a word which is none on disk may be, such as `out`: the name of a collection, of a profile, or a key. */
const MAY_BE_ELSEWHERE = ['collection', 'documents', 'profile']

function isDisk(field: Input, word: string): boolean {
  if (WITHIN.includes(word) || SWAPPED.includes(word)) return false
  if (field.is === 'file') return true
  if (field.is !== 'path' || field.path === 'package') return false
  return !MAY_BE_ELSEWHERE.includes(field.path) || /^(?:\/.|[~.])/.test(word)
}

function isWord({ is }: Input): boolean {
  return is === 'text' || is === 'path' || is === 'file'
}

/** What must be given besides, so that the word is not refused for the want of it. */
function restOf({ input }: AnyOperation): object {
  const needed = Object.entries(input.fields).filter(([, { required }]) => required)
  return Object.fromEntries(needed.map(([name, field]) => [name, isList(field) ? [fitting(field)] : fitting(field)]))
}

function fitting(field: Input): string | number {
  if (field.is === 'choice') return field.of[0] ?? ''
  if (field.is === 'integer' || field.is === 'number') return field.minimum ?? 1
  return ('examples' in field && field.examples?.[0]) || 'word'
}

const isList = (field: Input) => 'list' in field && field.list === true

const CASES = operations
  .filter(({ isAlone }) => !isAlone)
  .flatMap((operation) =>
    Object.entries(operation.input.fields)
      .filter(([, field]) => isWord(field))
      .map(([name, field]) => ({ operation, name, field, of: operation.name })),
  )

const inputWith = ({ operation, name, field }: (typeof CASES)[number], word: string) => ({
  ...restOf(operation),
  [name]: isList(field) ? [word] : word,
})

/** It reads what is around a place, so that an answer without the content means that it looked and did not see. */
const standsAt = ({ operation, field }: (typeof CASES)[number]) =>
  operation.effect === 'read' && field.is === 'path' && (field.path === 'place' || field.path === 'directory')

/** An answer repeats what it was asked; that is no content. */
const withoutWord = (text: string, word: string) =>
  text.replaceAll(word, '').replaceAll(JSON.stringify(word).slice(1, -1), '')

describe('over HTTP', () => {
  it('there are inputs to try, of every kind that a word can have', () => {
    expect(CASES.length).toBeGreaterThan(60)
    expect(new Set(CASES.map(({ field }) => field.is))).toEqual(new Set(['text', 'path', 'file']))
  })

  it.each(CASES)('nothing outside is shown by $name of $of', async (one) => {
    for (const word of WORDS) {
      const { json, body } = await ask(app, `/api/${one.of}`, post(inputWith(one, word)))
      for (const content of CONTENTS)
        expect([word, withoutWord(body, word)]).toEqual([word, expect.not.stringContaining(content)])
      if (isDisk(one.field, word)) {
        expect([word, json.status, json.code]).toEqual([word, 403, 'denied'])
        expect([word, withoutWord(body, word)]).toEqual([word, expect.not.stringContaining(planted.base)])
      }
      if (word === '.' && standsAt(one)) expect([word, json.detail]).toEqual([word, undefined])
    }
  })
})

describe('over MCP', () => {
  const tools = [...toolsOf(operations, { allowWrite: true })].flatMap(([tool, { operation, definition }]) =>
    CASES.filter(
      (one) => one.operation === operation && Object.hasOwn(definition.inputSchema.properties ?? {}, one.name),
    ).map((one) => ({ ...one, tool })),
  )

  it('there are inputs to try', () => expect(tools.length).toBeGreaterThan(15))

  it.each(tools)('nothing outside is shown by $name of $tool', async (one) => {
    await using client = await clientOf(app)
    for (const word of WORDS) {
      const answer = await client.callTool({ name: one.tool, arguments: inputWith(one, word) })
      const body = JSON.stringify(answer)
      for (const content of CONTENTS)
        expect([word, withoutWord(body, word)]).toEqual([word, expect.not.stringContaining(content)])
      if (isDisk(one.field, word))
        expect([word, answer.isError, textOf(answer)]).toEqual([word, true, expect.stringMatching(/^denied: /)])
    }
  })
})

async function clientOf(server: HttpApp) {
  const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const url = new URL(`http://${HOST}/mcp`)
  const own = async (to: URL | string, init: RequestInit = {}) =>
    server.fetch(
      new Request(String(to), { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...BEARER } }),
    )
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: own }))
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}
