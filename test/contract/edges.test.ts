import type { CallToolResult } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { compactRequest } from '../../src/agent/loop/compaction.ts'
import {
  offerPrompts,
  offerResources,
  offerTools,
  promptQuestion,
  toolOutput,
} from '../../src/agent/tool-servers/offers.ts'
import { questionOf } from '../../src/agent/tool-servers/questions.ts'
import { parseCode } from '../../src/code/definitions.ts'
import type { RankedFile } from '../../src/code/rank.ts'
import { ProjectFiles } from '../../src/context/catalog/project-files.ts'
import { placeNotices } from '../../src/context/places.ts'
import { touchedPaths } from '../../src/context/reach/touched.ts'
import { partDigests, replacementFor } from '../../src/context/session.ts'
import { namesInBlock, withIgnoreBlock } from '../../src/context/sync/sync.ts'
import { excerptText, reasonFor, shownRanges } from '../../src/context/task/code-fragments.ts'
import { TaskLadder } from '../../src/context/task/task-ladder.ts'
import { ContextError, quoteValue } from '../../src/core/errors.ts'
import { suggestIdentifiers } from '../../src/engine/parts/task-names.ts'
import { refusalForError } from '../../src/files/confine.ts'
import { directoriesAbove, runInBounds } from '../../src/files/roots.ts'
import { isExpired, regionIn, withBucketErrors } from '../../src/files/s3/errors.ts'
import type { Message, StepRequest } from '../../src/models/language.ts'
import { local } from '../../src/models/providers/language-local.ts'
import { leftLines } from '../../src/operations/collections/indexing.ts'
import { loadOperation } from '../../src/operations/context/load.ts'
import { operations } from '../../src/operations/index.ts'
import { assistantTools } from '../../src/operations/tools.ts'
import { makeApprovalPrompt, makeTrustPrompt } from '../../src/surfaces/cli/person.ts'
import type { Stream } from '../../src/surfaces/cli/streams.ts'
import { ledgerView } from '../../src/surfaces/cli/views.ts'
import { deviceOf } from '../../src/surfaces/http/auth.ts'
import { jsonBody, taggedJsonResponse, tagsOf } from '../../src/surfaces/http/body.ts'
import { routeOf } from '../../src/surfaces/http/entry.ts'
import { HTTP_LIMITS } from '../../src/surfaces/http/http-parts.ts'
import { CONNECTION_LIMITS } from '../../src/surfaces/http/listen.ts'
import { Log } from '../../src/surfaces/http/log.ts'
import { chooseMediaType, disposition } from '../../src/surfaces/http/media-types.ts'
import { addressFor, bracketAddress, hostsFor } from '../../src/surfaces/http/options.ts'
import { addressPrefix, FailureCounter } from '../../src/surfaces/http/problem.ts'
import * as people from '../../src/surfaces/http/sign-on/person.ts'
import { refusalPage, returnPage, safeReturnUrl } from '../../src/surfaces/http/sign-on/sign-on.ts'
import { fitData } from '../../src/surfaces/mcp/fit-data.ts'
import { emptyText, fitText } from '../../src/surfaces/mcp/results.ts'
import { SECRET_LINE, tree } from '../support/tree.ts'
import { toolNamed } from '../surfaces/http/support.ts'
import { perform, record, valuesIn } from './recorded.ts'

/* What is given just within a bound, and just beyond it. */

const around = (bound: number) => [bound - 1, bound, bound + 1]
const x = (times: number) => 'x'.repeat(Math.max(0, times))

/** An answer on one line, without its long runs; an error as its code and message. */
async function show(read: () => unknown): Promise<string> {
  try {
    return String(JSON.stringify(await read())).replaceAll(/(.)\1{40,}/g, (run, one) => `${one}×${run.length}`)
  } catch (error) {
    return error instanceof ContextError ? `${error.code}: ${error.message} ${error.hint}` : `${error}`
  }
}

const tool = (more: object = {}) => ({ name: 'a', inputSchema: { type: 'object' }, ...more })
const tools = (all: readonly object[], settings: object = {}) => {
  const offered = offerTools('s', all as never, { settings, call: async () => ({ text: '' }) } as never)
  return { ...offered, tools: offered.tools.slice(-2), many: offered.tools.length }
}
const form = (properties: object, required: readonly string[] = []) =>
  questionOf('s', { message: `m\u202e${x(990)}`, requestedSchema: { type: 'object', properties, required } } as never)
const STRUCTURED = { content: [], structuredContent: { a: 1 }, isError: true }
const many = (count: number) => Array.from({ length: count }, (_, at) => at)

const TALK: readonly Message[] = [
  { role: 'user', text: `What of it? ${x(40)}` },
  { role: 'assistant', parts: [{ type: 'call', id: 'c', tool: 'look', input: { at: 'a' } }] },
  { role: 'tool', results: [{ id: 'c', tool: 'look', text: `<hit>\n${'y '.repeat(90)}\n</hit>\n`, isError: false }] },
  { role: 'assistant', parts: [{ type: 'text', text: `It is so. ${x(60)}` }] },
  { role: 'user', text: 'And why?' },
  { role: 'assistant', parts: [{ type: 'call', id: 'd', tool: 'look', input: { at: 'b' } }] },
  { role: 'tool', results: [{ id: 'd', tool: 'look', text: 'z '.repeat(300), isError: false }] },
]

const LOOK = { isTerminal: false, plain: true, columns: 60 }
const NEVER = new AbortController().signal
const OVER = { why: 'over-budget', decision: 'left' }
const numbered = (at: number) => ({ path: `p${at}`, title: `t${at}`, message: `m${at}`, detail: `d${at}`, ...OVER })
const callOf = (length: number) => ({ tool: 'write', input: { text: x(length), many: [1], none: null } }) as never

/** What is said on streams, and what comes of it. */
async function heard(work: (streams: { err: Stream }) => unknown) {
  const said: string[] = []
  const write = (text: string) => void said.push(text)
  const stream = { isTerminal: false, display: LOOK, write, draw: write, bytes: async () => {} }
  const came = await work({ err: stream })
  return [came, ...said]
}

/** What is said below the rows of a ledger. */
function notesOf(count: number, levels: number) {
  const explained = {
    ...{
      place: '/a',
      ledger: [],
      tokenCount: 12,
      frameTokens: 3,
      budget: levels === 0 ? null : 10,
      overBudget: levels === 0,
    },
    ...{ contextDir: { path: '/c', levels }, missingRequired: levels === 2 ? ['A.md'] : [], whyNot: null },
    warnings: many(count).map(numbered),
  }
  return ledgerView(explained as never, LOOK)
}

/** A conversation that is shortened to so many tokens, without a model. */
async function shorten(tokens: number, length = TALK.length) {
  const parts = {
    model: local(),
    maxTokens: tokens,
    maxSummaryUsage: 9,
    signal: AbortSignal.abort(),
    count: () => {},
    carryOver: () => [],
  }
  return (await compactRequest({ messages: TALK.slice(0, length) } as never, parts))?.messages ?? 'nothing is old'
}

/** The tools of the assistant over operations that only say what they are asked for. */
const ASKING = assistantTools(
  {} as never,
  operations.map((one) => ({ ...one, run: (_, input) => Promise.reject(new Error(JSON.stringify(input))) })),
)({} as never)
const VALUES: Readonly<Record<string, unknown>> = { array: ['a'], number: 0.5, string: '1' }

/** What a model is asked for the identifiers of a task, and what comes of its answer. */
async function namesOf(name: string, task: string, answer: string) {
  const asked: unknown[] = []
  async function* step({ maxOutputTokens, messages }: StepRequest) {
    asked.push(
      maxOutputTokens,
      messages.map((message) => Object(message).text),
    )
    yield { type: 'text', text: answer } as const
  }
  return [await suggestIdentifiers({ name, step } as never, task, undefined), ...asked]
}

/** A file for a task: a class, then so many functions; the first have the best scores. */
function rankedFile(path: string, count: number): RankedFile {
  const functions = many(count).map((at) => `function ${path[0]}${at}() {\n  work()\n}\n`)
  const parsed = parseCode(path, `class Shop {\n  open() {\n    unlock()\n  }\n}\n\n${functions.join('\n')}`)
  return { file: { path }, parsed, ranked: parsed.units.map((unit, at) => ({ ...unit, score: 40 - at })) } as never
}

/** What each number of rungs shows: the lines of each file, how many heads, and how it is cut. */
function climb(options: ConstructorParameters<typeof TaskLadder>[1], ...counts: readonly number[]) {
  const files = counts.map((count, at) => rankedFile(`${'abc'[at]}.ts`, count))
  const ladder = new TaskLadder(files, options)
  const code = [...files, ...(options?.further ?? [])].map(({ file: { path }, parsed }) => ({
    ...{ kind: 'code', title: path, text: parsed.lines.join('\n'), origin: { uri: path } },
  }))
  const passages = many(3).map((at) => ({ kind: 'passage', title: `p${at}`, text: '', origin: { uri: `p${at}` } }))
  const gathered = { kept: [...passages, ...code], left: [], warnings: [] }
  const steps = many(ladder.length + 1).map((rungs) => {
    const { kept, left } = ladder.upTo(rungs, gathered)
    const shown = kept.map((fragment) => {
      const { ranges, signatures } = ladder.excerptOf(fragment)
      const lines = ranges.map(({ start, end }) => `${start}-${end}`)
      return [fragment.title, ...lines, signatures.length, fragment.cut?.to, fragment.cut?.why].join(' ')
    })
    return [...shown, left.length].join('; ')
  })
  const last = ladder.upTo(ladder.length, gathered).kept.at(0)
  const ranges = files[0] && last ? shownRanges(files[0], ladder.excerptOf(last)) : []
  return [ladder.withCosts(gathered), steps, ranges.slice(0, 9), last?.text.slice(0, 300)]
}

const CASES: Readonly<Record<string, readonly (readonly [title: unknown, read: () => unknown])[]>> = {
  'a token of a server': [
    ...around(22).map((length) => [length, () => addressFor('0.0.0.0', `zyxwvutg${x(length - 8)}`)] as const),
    ...around(32).map(
      (length) => [`${length} digits`, () => addressFor('0.0.0.0', `1234567a${'0'.repeat(length - 8)}`)] as const,
    ),
    ...['abcdefg', 'abcdefgh'].map(
      (some) => [some, () => addressFor('::', some + x(24).replaceAll('x', 'a'))] as const,
    ),
    ...['', 'abcdexx', 'abcdexxx', 'abcdaaaa'].map(
      (some) => [`${some} at home`, () => addressFor('127.0.0.1', some)] as const,
    ),
    ...['localhost', '0.0.0.0', '::', '0'].map((host) => [`${host}, none`, () => addressFor(host, undefined)] as const),
  ],
  'what a tool of the assistant asks for': ASKING.map((tool) => {
    const inputs = Object.entries(tool.input.properties ?? {}).map(([name, { type }]) => [name, VALUES[`${type}`]])
    return [tool.name, () => tool.run(Object.fromEntries(inputs), NEVER, {} as never)]
  }),
  'limits of a server': [['all', () => ({ ...HTTP_LIMITS, ...CONNECTION_LIMITS })]],
  'a value in a message': around(200).map((length) => [length, () => quoteValue(x(length))]),
  'where a browser goes on': [
    ...around(1000).map((length) => [length, () => safeReturnUrl(`/search?q=${x(length - 10)}`)] as const),
    ...[undefined, null, ...valuesIn('return-urls.jsonl')].map(
      (to) => [to ?? `${to}`, () => safeReturnUrl(to)] as const,
    ),
  ],
  'the route of an address': (
    '/ /healthz /api/search /api/toString /api/chat /api/chat/models /api/chat/12345678/stream /api/sessions/x ' +
    '/api/sessions/x/events /api/sessions/x/files/y/text /api/sessions/x/secret /files/docs/a.md /assets/a.js /browse/docs'
  )
    .split(' ')
    .map((path) => [path, () => routeOf(path, new Set(['search']))]),
  'the name of a browser': [...valuesIn('browsers.jsonl'), `${x(100_000)} Firefox/1 Linux`].map((agent) => [
    agent.slice(0, 120),
    () => deviceOf(new Request('http://127.0.0.1/', { headers: { 'user-agent': agent } })),
  ]),
  'failures of an address': [
    [
      'seconds to wait after each',
      () => {
        const failures = new FailureCounter()
        return many(22).map(() => failures.count('1.2.3.4', 5000))
      },
    ],
  ],
  'the client of an address': [
    'unknown',
    '1.2.3.4',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    '2001:db8::6',
    '2001:db8:1:2:3:4:5:6',
    '2001:DB8::1%eth0',
    '1:2:3:4:5:6:7:8',
    '::1',
    '1::2:3:4:5:6',
  ].map((address) => [address, () => addressPrefix(address)]),
  'directories that confined work sees': ['/none', '/none/a/b', '/none/c', '/'].map((directory) => [
    directory,
    () => [runInBounds(['/none/a', '/none/c'], () => directoriesAbove(directory)), directoriesAbove(directory)],
  ]),
  'a tool of a server': [
    ...around(1500).map((length) => [`${length} bytes`, () => tools([tool({ description: x(length) })])] as const),
    ...around(16_000).map(
      (length) =>
        [`takes ${length}`, () => tools([tool({ inputSchema: { type: 'object', a: x(length - 24) } })]).left] as const,
    ),
    ...around(64).map((length) => [`called ${length}`, () => tools([tool({ name: x(length - 3) })]).left] as const),
    ...around(64).map(
      (count) => [`${count} tools`, () => tools(many(count).map((at) => tool({ name: `t${at}` }))).left] as const,
    ),
    ['twice', () => tools([tool(), tool({ title: 'T' })])],
    ['odd', () => tools([tool({ name: 'a b\n' }), tool({ name: 'b', inputSchema: { type: 'string' } })])],
    ...[{}, { trustReadOnly: true }, { readOnly: ['a'] }].map(
      (settings) =>
        [
          settings,
          () =>
            [{ readOnlyHint: true }, { readOnlyHint: true, destructiveHint: true }, undefined].map(
              (annotations) => tools([tool({ annotations })], settings).tools[0]?.effect,
            ),
        ] as const,
    ),
  ],
  'prompts and resources of a server': [
    ...around(200).map(
      (count) =>
        [
          count,
          () => [
            offerPrompts(many(count).map((at) => ({ name: `${at}` }))).length,
            offerResources(many(count).map((at) => ({ uri: 'u', name: `${at}` }))).length,
          ],
        ] as const,
    ),
    ...around(300).map(
      (length) =>
        [
          length,
          () => [
            offerPrompts([{ name: x(length), title: 'T', arguments: [{ name: 'a' }, { name: 'b', required: true }] }]),
            offerResources([
              { uri: 'u', name: 'n', description: x(length) },
              { uri: 'v', name: 'n', title: 't' },
            ]),
          ],
        ] as const,
    ),
    ...(valuesIn('contents.jsonl') as CallToolResult['content']).map(
      (content) =>
        [
          content,
          () => [
            promptQuestion({ messages: ['user', 'assistant'].map((role) => ({ role, content })) as never }),
            toolOutput({ server: 's', tool: 't', declined: [] }, { content: [content] }),
          ],
        ] as const,
    ),
    ['structured', () => toolOutput({ server: 's', tool: 't', declined: ['Why?'] }, STRUCTURED)],
  ],
  'rungs of code': [
    ['a large and a small file', () => climb({}, 30, 2)],
    ['precise', () => climb({ isPrecise: true }, 3, 2)],
    ['with passages and rules', () => climb({ passages: 2, rules: 1 }, 1, 1)],
    ['with heads', () => climb({ isPrecise: true, further: [rankedFile('f.ts', 24)] }, 14, 1)],
    ['without files', () => climb({ passages: 1 })],
    ...around(1000).map(
      (length) => [length, () => excerptText([x(length)], { ranges: [{ start: 0, end: 1 }], signatures: [] })] as const,
    ),
  ],
  'a shortened conversation': [
    ...[10, 100, 300, 600, 1200, 4000].map((tokens) => [tokens, () => shorten(tokens)] as const),
    ...many(7).map((length) => [`${length} messages`, () => shorten(80, length)] as const),
  ],
  'a question of a server': [
    ...around(20).map(
      (count) =>
        [
          count,
          () => form(Object.fromEntries(many(count).map((at) => [`f${at}`, { type: 'number' }])))?.fields.length,
        ] as const,
    ),
    [
      'fields',
      () =>
        form(
          {
            a: { type: 'boolean', title: 'A' },
            b: { type: 'array', items: { enum: ['x', 'y'] }, description: 'D' },
            c: { type: 'string', enum: ['z'] },
            d: { oneOf: [{ const: 'k', title: 'K' }] },
            e: { type: 'integer', title: x(1001), minimum: 1 },
          },
          ['a'],
        ),
    ],
    ...['https://a.b/c', 'javascript:x', 'no'].map(
      (url) => [url, () => questionOf('s', { message: 'm', url } as never)] as const,
    ),
  ],
}

it.each(Object.entries(CASES))('%s', async (name, cases) => {
  const shown: string[] = []
  for (const [title, read] of cases) shown.push(`${JSON.stringify(title)}: ${await show(read)}`)
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(`snapshots/edges/${name.replaceAll(' ', '-')}.txt`)
})

/** What a page says, without its frame. */
async function pageOf(response: Response) {
  const main = (await response.text()).replace(/^.*?<main>|<\/main>\s*$/gs, '')
  return [response.status, [...response.headers].filter(([name]) => name !== 'content-type'), main]
}

/** What becomes of an error of the SDK of S3. */
async function bucketError({ message = 'It failed.', status, ...given }: Record<string, string>, more: object = {}) {
  const error = Object.assign(new Error(message), given, { $metadata: { httpStatusCode: status } })
  const request = { place: 's3://b/k', host: undefined, isAnonymous: false, ...more }
  const told = await withBucketErrors(request, undefined, () => Promise.reject(error)).catch((thrown) => {
    return [thrown.constructor.name, thrown.code, thrown.message, thrown.hint]
  })
  return [...told, regionIn(error), isExpired(error)]
}

it('small functions of rooms give these answers', async () => {
  using at = tree({
    'p/.git/': '',
    'p/a/b.md': 'one\ntwo\nthree\n',
    'p/a/c.md': 'one\ntwo',
    'p/a/empty': '',
    'p/a/bin': 'a\0b',
    'p/a/key.md': SECRET_LINE,
    'p/a/.env': 'A=1\n',
    'p/a/env -> .env': '',
    'p/a/out -> ../../out.md': '',
    'p/a/nowhere -> none': '',
    'out.md': 'x',
    'p/d3/only': '',
    ...Object.fromEntries(many(18).map((number) => [`p/d${number}/f`, ''])),
  })
  const files = new ProjectFiles(at.at('p/a'))
  const body = (type: string, text: string, limit: number) =>
    jsonBody(
      new Request('http://h/', {
        method: 'POST',
        body: text,
        headers: { 'content-type': type, 'content-length': `${text.length}` },
      }),
      limit,
    )
  const replaced = (text: string, before: string, title = 'a.md') => {
    const fragment = { origin: { uri: 'u', labels: { path: 'p' } }, kind: 'context', title, text }
    const { fragment: shown, parts } = replacementFor(fragment, partDigests(before))
    return [shown.origin.labels, shown.text, parts?.length]
  }
  const tagged = async (method: string, known = '') => {
    const request = new Request('http://h/', { method, headers: { 'if-none-match': known } })
    const response = taggedJsonResponse(request, { a: 1 })
    return [response.status, [...response.headers], await response.text()]
  }
  const touched = async (paths: readonly string[], results: string, more: object = {}) => {
    const request = { touched: paths, commands: [], results, variable: () => undefined, ...more }
    return await touchedPaths(request as never, { cwd: at.at('p'), root: at.at('p'), home: at.at('p/a') })
  }
  /** The line that a log writes, without its time. */
  const logged = (how: 'logBug' | 'logUnavailable' | 'logEvent' | 'logRequest', given: unknown, where: unknown) => {
    const lines: string[] = []
    const log = new Log({ debug: false, secrets: ['abc', 'abcd'], write: (line) => lines.push(line) })
    const [thrown, code] = Array.isArray(given) ? given : [given]
    const cause = code && new Error(code)
    const error =
      code === undefined ? new Error(thrown) : new ContextError('unavailable', thrown, { hint: 'Wait.', cause })
    log[how]((typeof thrown === 'string' && how !== 'logEvent' ? error : thrown) as never, where as never)
    return lines.map((line) => line.replace(/"time":"[^"]+",/, ''))
  }
  const targets = {
    s3: { fails: bucketError },
    page: {
      refused: (...[refusal, to]: Parameters<typeof refusalPage>) => pageOf(refusalPage(refusal, to)),
      returns: (to: string) => pageOf(returnPage(to)),
    },
    http: { chooseMediaType, disposition, tagsOf, bracketAddress, body, hostsFor, tagged, logged },
    mcp: { fitData, fitText, emptyText },
    tool: { meta: (name: string, of: never, text: string) => toolNamed(name)?.tool?.meta?.(of, text) },
    person: people,
    project: {
      list: (path: string) => files.list(path),
      read: (path: string, lines?: string) => files.read(path, lines),
      bytes: (path: string, most: number) => files.bytes(path, most).bytes.length,
    },
    many: {
      left: (count: number) => leftLines(many(count).map(numbered)),
      cut: (count: number) => loadOperation.tool?.meta?.({ ledger: many(count).map(numbered) } as never, ''),
      notes: notesOf,
      approved: (length: number) =>
        heard(({ err }) => makeApprovalPrompt({ err }, async () => true)(callOf(length), NEVER)),
      trusted: (said: string) => heard(({ err }) => makeTrustPrompt({ err }, async () => said)('a\u0007', ['b', 'c'])),
    },
    task: { reasonFor, namesOf },
    place: { notices: placeNotices, replaced, touched, namesInBlock, withIgnoreBlock },
    disk: { refused: (code: string) => refusalForError(Object.assign(new Error('x'), { code, syscall: 'open' }), 'a') },
  }
  await record(await perform('edges', targets, at.base), 'edges/calls')
})
