/**
 * Every operation, by every way out of the product, asked for what holds something that is not seen in every place where a text
 * of a stranger can stand. The list is made of the operations: a new one is tried the day it is written.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Input } from '../../src/core/input.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openWith } from '../../src/open.ts'
import { type AnyOperation, operations } from '../../src/operations/index.ts'
import { commandWords } from '../../src/operations/schema.ts'
import { flagsOf } from '../../src/surfaces/cli/arguments.ts'
import { type Served, served } from '../internet/served.ts'
import { packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { exchange } from '../stores/conversations.contract.ts'
import { type Tree, tree } from '../support/tree.ts'
import { appOf, ask, post, rootsOf } from './http/support.ts'
import { answerOf, connected, textOf } from './mcp/support.ts'

/** Tags, an override, a blank of no width, a selector, a control of a terminal. */
const HIDDEN = '\u{e0049}\u{e0067}\u202e\u200b\u{e0100}\u009b2J'
const UNSEEN = /[\u007f-\u009f\u200b\u202e\u{e0000}-\u{e0fff}]/u

/** What stands at each place. The word tells which place it came from. */
const at = (position: string) => `canary${position}${HIDDEN}`
const POSITIONS = [
  ...(['title', 'path', 'context', 'body', 'question', 'answer'] as const),
  ...(['message', 'error', 'headline', 'page'] as const),
]
/** `pipe`: what another program reads, and so with control characters, which it is to get as they are. */
const SINKS = ['http', 'events', 'terminal', 'pipe', 'json', 'mcp'] as const
type Sink = (typeof SINKS)[number]

function leakIn({ sink, text }: Pick<Seen, 'sink' | 'text'>): RegExpExecArray | null {
  return UNSEEN.exec(sink === 'pipe' ? text.replace(/[\u007f-\u009f]/g, '') : text)
}

/** What is not asked, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = { 'embed.get': 'it asks the internet' }

const TALK = 'c'.repeat(32)
const SHOWN = ['conversations.show', 'conversations.export', 'conversations.rename', 'conversations.remove']

interface Planted {
  readonly at: Tree
  readonly db: string
  readonly engine: Engine
  /** Of a run that read files, and of one that read the web. */
  readonly sessions: readonly [string, string]
}

const FERRY = 'What does the ferry carry on each crossing?'
const PAGE = `<html><head><title>${at('headline')}</title></head><body><article><h1>${at('headline')}</h1><p>The ferry carries
  forty cars on each crossing ${at('page')} and has done so since it was built.</p></article></body></html>`

/** A search service, and the page that it finds. What the service says of the page is no evidence, and is shown nowhere. */
let web: Served
beforeAll(async () => {
  web = await served(({ url = '' }, response) => {
    const isSearch = url.startsWith('/search')
    const results = [{ url: `${web.url}/ferry`, title: at('found'), content: `The ferry carries cars. ${at('found')}` }]
    response.setHeader('content-type', isSearch ? 'application/json' : 'text/html; charset=utf-8')
    response.end(isSearch ? JSON.stringify({ query: 'x', results, unresponsive_engines: [] }) : PAGE)
  })
})

const opened: Planted[] = []
afterAll(async () => {
  await web[Symbol.asyncDispose]()
  for (const { engine, at } of opened) {
    await engine.close()
    at[Symbol.dispose]()
  }
})

async function plant(): Promise<Planted> {
  const made = packageOf(
    { 'a.txt': { text: at('body') } },
    { message: at('message'), user_meta: { [at('title')]: at('body') } },
  )
  const registry = Object.entries(registryV1({ 'team/data': { 1680720300: made } }))
  const planted = tree({
    '.git/': '',
    'AGENTS.md': `# ${at('title')}\n\nword ${at('body')}\n`,
    [`${at('path')}/AGENTS.md`]: `${at('body')}\n`,
    '.context/CONSTITUTION.md': `# C\n\n- ${at('body')}\n`,
    'facts.md': `# Facts\n\nThe boat leaves at nine. ${at('body')}\n`,
    'docs/a.md': `---\ntitle: ${at('title').replace('\u009b', '')}\n---\n# ${at('title')}\n\nword ${at('body')}\n`,
    [`docs/${at('path')}/b.md`]: `# ${at('title')}\n\nword\n${at('body')}\n`,
    'judged/a.md': '# A\n',
    ...Object.fromEntries(registry.map(([path, body]) => [`docs/${path}`, String(body)])),
  })
  const db = planted.at('ambit.db')
  const search = { provider: 'searxng', url: web.url } as const
  const engine = openWith({ file: undefined, unknown: [], home: false, db, search, allowLoopback: true })
  const run = (name: string, input: object) => answerOf(engine, name, input)
  await run('collections.add', { name: 'docs', root: planted.at('docs') })
  await run('index', {})
  await run('contexts.add', { path: 'docs', text: at('context').replace('\u009b', '') })
  const research = await engine.research()
  const begun = [
    { question: `When does the boat leave? ${at('question')}`, files: [planted.at('facts.md')] },
    { question: FERRY, web: 'default', depth: 1 },
  ].map((asked) => research.createAndStart({ ...asked, extractive: true }))
  const [files, pages] = await Promise.all(begun)
  const sessions = [files?.session_id ?? '', pages?.session_id ?? ''] as const
  for (const session of sessions)
    await expect.poll(async () => Object(await run('research.show', { session })).status).toBe('completed')
  const { conversations } = (await engine.library()).port
  await conversations.begin({ id: TALK, title: at('title'), place: '.', model: 'm' })
  const shown = { parts: [{ type: 'text', text: at('answer') }] }
  await conversations.put(
    TALK,
    0,
    exchange('one', { question: at('question'), shown, messages: [{ role: 'user', text: at('question') }] }),
  )
  const all = { at: planted, db, engine, sessions }
  opened.push(all)
  return all
}

/** What is asked: by turns each input is what it should be, or something hostile. */
function inputsOf(
  { name, input: { fields } }: AnyOperation,
  { at: planted, sessions: [session, pages] }: Planted,
): Record<string, unknown>[] {
  const fitting: Readonly<Record<string, string>> = {
    id: TALK,
    text: at('context').replace('\u009b', ''),
    root: planted.at('judged'),
    query: 'word',
    question: `When does the boat leave? ${at('question')}`,
    task: 'word',
    to: 'other',
    title: at('title'),
    package: 'docs/team/data',
  }
  const places = ['docs', 'docs/a.md', planted.at('AGENTS.md'), `docs/${at('path')}/b.md`, at('error')]
  return places.map((place, turn) => {
    const isFitting = place !== at('error')
    const known: Readonly<Record<string, string>> = { ...fitting, session: turn % 2 === 0 ? session : pages }
    const chosen = Object.entries(fields).filter(([field, { is, ...more }]) => {
      const isWord = ['text', 'path', 'file'].includes(is)
      return isWord && (('required' in more && more.required) || ASKED.includes(field) || known[field] !== undefined)
    })
    return Object.fromEntries(
      chosen.map(([field, kind]) => {
        const value = isFitting ? (known[field] ?? (SHOWN.includes(name) ? TALK : place)) : at('error')
        return [field, 'list' in kind ? [value] : value]
      }),
    )
  })
}

/** Inputs that need not be given, and lead to texts. */
const ASKED = ['place', 'path', 'names', 'pattern', 'collection', 'touched', 'whyNot']

function commandLine(operation: AnyOperation, input: Readonly<Record<string, unknown>>): string[] {
  const {
    positional = [],
    input: { fields },
  } = operation
  const words = (name: string) => [input[name] ?? []].flat().map(String)
  const flags = Object.keys(input).filter((name) => !positional.includes(name))
  const flagged = flags.flatMap((name) => {
    const [flag] = flagsOf(name, fields[name] as Input)
    return flag === undefined ? [] : words(name).map((word) => `--${flag}=${word}`)
  })
  return [...commandWords(operation), ...flagged, '--', ...positional.flatMap(words)]
}

interface Seen {
  readonly sink: Sink
  readonly name: string
  readonly text: string
}

const tried = operations.filter(({ name }) => !(name in LEFT_OUT))
/** What reads is asked of one place; what writes, of a place of its own each. */
const inTurn = [...tried].sort((one, other) => Number(one.effect === 'write') - Number(other.effect === 'write'))

async function overHttp(): Promise<Seen[]> {
  const seen: Seen[] = []
  let planted = await plant()
  for (const operation of inTurn.filter(({ isAlone }) => !isAlone)) {
    if (operation.effect === 'write') planted = await plant()
    const app = appOf({
      engine: planted.engine,
      operations: [...operations],
      roots: rootsOf(planted.at.base),
      allowWrite: true,
    })
    const url = `/api/${operation.name}`
    for (const input of inputsOf(operation, planted)) {
      seen.push({ sink: 'http', name: operation.name, text: (await ask(app, url, post(input))).body })
      const headers = { ...post({}).headers, accept: 'text/event-stream' }
      seen.push({ sink: 'events', name: operation.name, text: (await ask(app, url, { ...post(input), headers })).body })
    }
  }
  return seen
}

async function overMcp(): Promise<Seen[]> {
  const seen: Seen[] = []
  const planted = await plant()
  await using client = await connected('auto', { engine: planted.engine, allowWrite: true })
  for (const operation of inTurn) {
    const { tool, name } = operation
    if (!tool) continue
    for (const input of inputsOf(operation, planted)) {
      const given = Object.fromEntries(Object.entries(input).filter(([field]) => field in tool.inputs))
      const result = await client.callTool({ name: tool.name, arguments: given }).catch((error: Error) => error.message)
      const told = typeof result === 'string' ? result : [textOf(result), JSON.stringify(result)].join('\n')
      seen.push({ sink: 'mcp', name, text: told })
    }
  }
  return seen
}

/** By command lines, all in one process. `script` gives it a terminal. */
async function overCommandLine(sink: Sink): Promise<Seen[]> {
  const planted = await plant()
  await planted.engine.close()
  const own = sink === 'json' ? ['--json'] : []
  const calls = inTurn.flatMap((operation) =>
    inputsOf(operation, planted).map((input) => ({
      name: operation.name,
      argv: [...own, ...commandLine(operation, input)],
    })),
  )
  planted.at.plant({ 'calls.json': JSON.stringify(calls.map(({ argv }) => argv)) })
  const argv = [process.execPath, join(import.meta.dirname, 'canary-cli.ts'), planted.at.at('calls.json'), planted.db]
  const out = planted.at.at('out')
  const quoted = argv.map((word) => `'${word}'`).join(' ')
  const command =
    sink === 'terminal' ? `script -qec "${quoted} </dev/null" '${out}' >/dev/null` : `${quoted} >'${out}' 2>&1`
  const { status } = spawnSync('sh', ['-c', command], { cwd: planted.at.base, stdio: 'ignore' })
  const written = readFileSync(out, 'utf8')
    .split(/\r?\n@@ \d+\r?\n/)
    .slice(1)
  expect([sink, status, written.length]).toEqual([sink, 0, calls.length])
  return calls.map(({ name }, index) => ({ sink, name, text: written[index] ?? '' }))
}

describe('what leaves', { tags: 'long' }, () => {
  it('holds nothing that is not seen: of any operation, by any way out, from any place', async () => {
    const seen = [...(await overHttp()), ...(await overMcp())]
    for (const sink of ['terminal', 'pipe', 'json'] as const) seen.push(...(await overCommandLine(sink)))
    const leaks = seen.filter((one) => leakIn(one) !== null).map(({ sink, name, text }) => [sink, name, around(text)])
    expect(leaks).toEqual([])
    const cells = new Set(
      seen.flatMap(({ sink, name, text }) =>
        POSITIONS.filter((position) => text.includes(`canary${position}`)).map(
          (position) => `${sink} ${name} ${position}`,
        ),
      ),
    )
    const count = (word: string) => [...cells].filter((cell) => cell.split(' ').includes(word)).length
    const counts = [...SINKS, ...POSITIONS].map((word) => `${word} ${count(word)}`).join(', ')
    process.stdout.write(
      `canaries: ${seen.length} answers of ${tried.length} operations; ${cells.size} places reached: ${counts}\n`,
    )
    // They reached the operations, by each way, from each place.
    expect(new Set(seen.map(({ name }) => name)).size).toBe(tried.length)
    for (const word of [...SINKS, ...POSITIONS]) expect([word, count(word) >= 5]).toEqual([word, true])
  })

  it('is found where an exit is missing', () => {
    expect(UNSEEN.test(JSON.stringify({ title: at('title') }))).toBe(true)
  })

  it('leaves out what is an operation', () => {
    expect(Object.keys(LEFT_OUT).filter((name) => !operations.some((one) => one.name === name))).toEqual([])
  })
})

function around(text: string): string {
  const index = UNSEEN.exec(text)?.index ?? 0
  return JSON.stringify(text.slice(Math.max(0, index - 80), index + 40))
}
