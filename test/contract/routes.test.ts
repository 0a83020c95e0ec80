import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWith } from '../../src/open.ts'
import { aliases, operations } from '../../src/operations/index.ts'
import { mcpHttp } from '../../src/surfaces/mcp/http.ts'
import { tree } from '../support/tree.ts'
import { appOf, BEARER, echo, fail, HOST, rootsOf, TOKEN, write } from '../surfaces/http/support.ts'
import { REGISTRY } from '../surfaces/rows.ts'

/*
 * What a server answers. A line of requests.txt is one: who asks, the method, the path, headers as `name=value`, the body after `{`, `[` or `|`.
 * Headers are those that differ from the first answer's. `alice` may read, `nobody` has no token, `stranger` a wrong one, `browser` the cookie of a person who signed in.
 */

const TREE = {
  'docs/guide.md': '# Guide\n\nCheck the token at noon.\n',
  'docs/a b.html': '<b>no</b>\n',
  'docs/pic.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
  'web/index.html': '<!doctype html><title>Ambit</title><div id="root"></div>\n',
  'web/assets/app-1.js': 'export {}\n',
  'web/assets/style-2.css': 'a{}\n',
  'web/assets/worker-3.min.mjs': 'export {}\n',
  'web/assets/deep/a.js': 'no\n',
  'web/assets/link.js -> /out/secret.js': '',
  'web/secret.txt': 'not an asset\n',
  'out/secret.js': 'no\n',
  'w/.git/': '',
  'w/AGENTS.md': '# Here\n\nBe kind.\n',
  'w/lab/digits.txt': '0123456789',
  'w/lab/draw.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>\n',
  'w/lab/paper.pdf': '%PDF-1.7\n',
  'w/lab/sound.mp3': 'ID3',
  'w/lab/run.exe': 'MZ',
  'w/lab/.env': 'KEY=1\n',
  'w/lab/.git/config': 'secret\n',
  ...Object.fromEntries(Object.entries(REGISTRY).map(([path, text]) => [`w/${path}`, text])),
}

/** Without what differs from run to run. */
function steady(text: string, base: string): string {
  return text
    .replaceAll(base, '@')
    .replaceAll(/^id: [\w-]{22}\./gm, 'id: RUN.')
    .replaceAll(/[^\P{Cc}\n]|\ufffd/gu, '?')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/("uri":"[^"]*","digest":)"[0-9a-f]{16}"|ambit_[\w-]{40,}|(?<="id":")[0-9a-f]{16}/g, '$1…')
    .replaceAll(/("(?:etag|version|ms|bytes|seconds)":|etag: |code=|session-\d+=|sha256-)"?[\w:.+/=-]{2,}"?/g, '$1…')
}

/** The fields of a long answer in JSON, a line each, and other texts as they are. Of a metric, its name. */
function linesOf(body: string): string[] {
  if (body.startsWith('# HELP')) return body.split('\n').filter((line) => line.startsWith('#'))
  if (body.length < 400 || !/^\{.*\}\s*$/.test(body)) return body === '' ? [] : body.trimEnd().split('\n')
  return Object.entries(JSON.parse(body)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
}

it('a server answers these requests so', async () => {
  using planted = tree(TREE)
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:', embedding: false })
  await using _ = { [Symbol.asyncDispose]: () => engine.close() }
  const { collections, contexts } = await engine.library()
  await collections.add({ name: 'docs', root: planted.at('docs') })
  await contexts.set('docs', '/', 'All of it')
  await collections.index()
  const { token: alice } = await (await engine.tokens()).create({ name: 'alice', scopes: ['read'] })
  const mcp: Parameters<typeof appOf>[0] = {
    mcp: (all, seen) => mcpHttp({ version: '0.0.0', debug: false, ...seen, operations: all }),
  }
  const shown: string[] = []
  const log = (error: unknown, where: string) => void shown.push(`logged, ${where}: ${Object(error).name}`)
  const parts = { engine, aliases, roots: rootsOf(planted.at('w')), web: planted.at('web'), logBug: log, ...mcp }
  const app = appOf({ ...parts, operations: [...operations.filter(({ isAlone }) => !isAlone), echo, write, fail] })
  const people: Record<string, Record<string, string>> = {
    owner: BEARER,
    alice: { host: HOST, authorization: `Bearer ${alice}` },
    stranger: { host: HOST, authorization: 'Bearer wrong' },
    nobody: { host: HOST },
    elsewhere: { ...BEARER, host: 'evil.example' },
  }
  let usual: readonly string[] | undefined
  for (const line of readFileSync(join(import.meta.dirname, 'requests.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, asked = '', body] = /^(.*?)(?: ([{[|].*))?$/.exec(line) ?? []
    const [who = '', method = '', path = '', ...given] = asked.split(' ')
    const own = body?.startsWith('|') ? {} : body && { 'content-type': 'application/json' }
    const pairs = given.map((one) => /^([\w-]+)=(.*)$/.exec(one)?.slice(1).map(decodeURIComponent) ?? [])
    const text = body?.replace(/^\|/, '').replaceAll('TOKEN', TOKEN).replaceAll('@', planted.base)
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
    const headers = { ...people[who], ...own, ...length, ...Object.fromEntries(pairs) }
    const init = { method, headers, ...(text !== undefined && { body: text }) }
    const response = await app.fetch(new Request(`http://${HOST}${path.replaceAll('@', planted.base)}`, init))
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0]
    if (cookie) people.browser = { host: HOST, cookie, origin: `http://${HOST}` }
    const answered = [...response.headers].map(([name, value]) => `${name}: ${value}`).sort()
    usual ??= answered
    const other = [
      ...answered.filter((one) => !usual?.includes(one)),
      ...usual.filter((one) => !answered.includes(one)).map((one) => `not ${one}`),
    ]
    shown.push(`> ${line}`, `${response.status} ${other.join(' | ')}`.trimEnd(), ...linesOf(await response.text()))
  }
  const all = [...(usual ?? []), ...shown].join('\n')
  await expect(`${steady(all, planted.base)}\n`).toMatchFileSnapshot('snapshots/routes.txt')
})
