/** A person's way through collections, on the built program. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ambit, ambitInTurn, BIN, jsonLines, onTerminal, SHARED_ENV, startAmbit } from '../support/program.ts'
import { type Tree, tree } from '../support/tree.ts'

const DOCS = {
  'docs/api/errors.md': '---\nstatus: draft\n---\n# Errors\n\nAfter a timeout a request is sent again, twice.\n',
  'docs/install.md': '# Install\n\nRun the installer.\n',
  'docs/logo.png': '\u0000\u0001',
  'docs/page.html': '<title>Page</title><h1>Page</h1><p>A paragraph about pelicans.</p>',
}
const ERRORS = DOCS['docs/api/errors.md']

/** A place with a collection that is indexed, after some lines more; and what the program said to them. */
function indexed(...more: readonly (readonly string[])[]) {
  const at = tree(DOCS)
  const lines = [['collection', 'add', 'docs', 'docs'], ['index', '--json'], ...more]
  const [added, index, ...answers] = ambitInTurn(lines, { cwd: at.base })
  expect([added?.status, index?.status]).toEqual([0, 0])
  return { at, index, answers }
}

describe('collections', () => {
  let at: Tree
  let index: ReturnType<typeof indexed>['index']
  beforeAll(() => {
    ;({ at, index } = indexed())
  })
  afterAll(() => at[Symbol.dispose]())
  /** What is said to lines that change nothing. */
  const ask = (...lines: readonly (readonly string[])[]) => ambitInTurn(lines, { cwd: at.base })

  it('are named on stderr where a directory has the name, too', () => {
    for (const { status, stderr } of ask(['load', 'docs'], ['load', 'docs', '--json'], ['explain', 'docs', '--json'])) {
      expect(status).toBe(0)
      expect(stderr).toContain(
        'docs means the path on disk. For the place in the collection "docs", write ambit://docs.\n',
      )
    }
  })

  it('are added, indexed, searched and read, with what their places are for', () => {
    const { at, answers } = indexed(
      ['context', 'add', 'docs', 'The manual'],
      ['context', 'add', 'docs/api', 'The interface'],
      ['search', 'what happens after a timeout', '--json'],
      ['get', 'ambit://docs/api/errors.md', '--lines', '6'],
      ['search', 'pelican', '--format', 'files'],
      ['search', 'timeout', '--where', 'status=final'],
      ['ls', 'docs'],
    )
    using _ = at
    const [added, , found = '', ...read] = answers.map(({ stdout }) => stdout)
    expect(added).toBe('Added the path context of docs.\n')
    const { results } = JSON.parse(found)
    expect(results).toMatchObject([
      {
        collection: 'docs',
        path: 'api/errors.md',
        uri: 'ambit://docs/api/errors.md',
        title: 'Errors',
        lines: { start: 4, end: 6 },
        context: 'The manual\n\nThe interface',
      },
    ])
    expect(read).toEqual([
      'After a timeout a request is sent again, twice.\n',
      expect.stringMatching(/^#[0-9a-f]{8}\t0\.\d{4}\tambit:\/\/docs\/page\.html\t\d+\tThe manual\n$/),
      'Nothing was found for "timeout".\n',
      expect.stringMatching(/^docs\/api\/ {2}1 document {2}\[The interface\]\ndocs\/install\.md /),
    ])
    expect(ambit(['get', results[0].docid], { cwd: at.base }).stdout).toBe(ERRORS)
  })

  it('say beside a document what its place is for, and give nothing but the document', () => {
    const { at, answers } = indexed(
      ['context', 'add', 'docs', 'The manual'],
      ['get', 'docs/api/errors.md'],
      ['search', 'timeout', '--format', 'files'],
      ['multi-get', 'docs/api/*'],
      ['get', 'docs/api/errors.md', '--format', 'xml'],
    )
    using _ = at
    const [, got, ...others] = answers
    expect(got).toEqual({ status: 0, stdout: ERRORS, stderr: '[The manual]\n' })
    expect(others.map(({ stdout }) => stdout)).toEqual([
      expect.stringMatching(/\t\d+\tThe manual\n$/),
      `==> ambit://docs/api/errors.md <==\n  [The manual]\n${ERRORS}`,
      expect.stringMatching(
        /^<document uri="ambit:\/\/docs\/api\/errors\.md" .*>\n<path-context path="\/api\/errors\.md">\nThe manual\n/,
      ),
    ])
    expect(onTerminal(['get', 'docs/api/errors.md'], { cwd: at.base }).screen).toBe(`[The manual]\n${ERRORS}`)
    const toFile = `'${process.execPath}' '${BIN}' get docs/api/errors.md > out.md`
    const env = { ...SHARED_ENV, HOME: at.base }
    const { stdout } = spawnSync('script', ['-qec', toFile, '/dev/null'], { cwd: at.base, env, encoding: 'utf8' })
    expect([stdout, readFileSync(at.at('out.md'), 'utf8')]).toEqual(['[The manual]\r\n', ERRORS])
  })

  it('are the same in another database only when they are added there', () => {
    const [list, status] = ask(['collection', 'list', '--db', 'o.db', '--json'], ['status', '--db', 'docs/install.md'])
    expect(JSON.parse(list?.stdout ?? '')).toEqual({ collections: [] })
    expect(status).toMatchObject({ status: 1, stderr: expect.stringContaining('is damaged, or is not a database.') })
  })

  it('are drawn on a terminal, without what a file would do to it', () => {
    using at = tree({ 'notes/a.md': '# Pelican \u001b[31m\n\nA pelican \u001b]0;title\u0007 here.\n' })
    ambit(['collection', 'add', 'notes', 'notes'], { cwd: at.base })
    expect(onTerminal(['index'], { cwd: at.base }).screen).toMatch(/1 of 1[\s\S]*notes: 1 added/)
    const { screen } = onTerminal(['search', 'pelican'], { cwd: at.base })
    expect(screen).toContain('\u001b[33mpelican\u001b[39m')
    expect(screen).not.toContain('\u001b]0;')
  })

  it('tell a program that indexes them how far that is, in lines of JSON beside the result', () => {
    const lines = index?.stderr.trim().split('\n') ?? []
    expect(JSON.parse(lines[0] ?? '')).toEqual({ type: 'progress', what: 'docs', done: 0, total: 4 })
    const counts = { added: 3, changed: 0, moved: 0, removed: 0, unchanged: 0, skipped: 1, failed: 0 }
    expect(JSON.parse(index?.stdout ?? '')).toMatchObject({ ...counts, collections: [{ name: 'docs' }] })
  })

  it('are watched: a change is found without being asked for', async () => {
    using at = tree({ 'notes/a.md': 'one' })
    ambit(['collection', 'add', 'notes', 'notes'], { cwd: at.base })
    const { child, said, ended } = startAmbit(['watch'], { cwd: at.base })
    const tells = (line: string) => expect.poll(() => said.stdout, { timeout: 60_000 }).toContain(line)
    await tells('notes: 1 added\n')
    writeFileSync(at.at('notes/b.md'), 'pelicans')
    await tells('notes: 1 added\nnotes: 1 added\n')
    rmSync(at.at('notes/a.md'))
    await tells('notes: 1 removed\n')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ status: 130, signal: null })
    expect(ambit(['search', 'pelican', '--format', 'files'], { cwd: at.base }).stdout).toContain('notes/b.md')
  })

  it('are watched from none on, for a program in JSON alone', async () => {
    using at = tree({ 'notes/a.md': 'one' })
    const { child, said, ended } = startAmbit(['watch', '--json'], { cwd: at.base })
    ambit(['collection', 'add', 'notes', 'notes'], { cwd: at.base })
    await expect.poll(() => said.stdout, { timeout: 60_000 }).toContain('\n')
    expect(JSON.parse(said.stdout)).toMatchObject({ name: 'notes', added: 1 })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 0, signal: null, stderr: '' })
  })

  it('are answered about over MCP, by the built program', () => {
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'timeout' } } },
    ]
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
    const { stdout } = ambit(['mcp'], { cwd: at.base, input })
    expect(jsonLines(stdout).find(({ id }) => id === 2).result.content[0].text).toMatch(
      /^<results .*\n<hit .*uri="ambit:\/\/[^"]*api\/errors\.md"/,
    )
  })

  it('are answered about over HTTP, by the built program', async () => {
    const { child, ended } = startAmbit(['serve', '--port', '0', '--json'], { cwd: at.base })
    const [line] = await once(child.stdout, 'data')
    const { url, token } = JSON.parse(String(line).split('\n')[0] ?? '')
    const ask = (path: string, headers = {}) => fetch(new URL(path, url), { headers })
    expect((await ask('/api/search?query=timeout')).status).toBe(401)
    const answer = await ask('/api/search?query=timeout', { authorization: `Bearer ${token}` })
    expect(await answer.json()).toMatchObject({ results: [{ path: 'api/errors.md' }] })
    child.kill('SIGTERM')
    expect((await ended).status).toBe(0)
  })
})
