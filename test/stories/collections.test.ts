/** A person's way through collections, on the built program. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ambit, BIN, onTerminal, SHARED_ENV } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const DOCS = {
  'docs/api/errors.md': '---\nstatus: draft\n---\n# Errors\n\nAfter a timeout a request is sent again, twice.\n',
  'docs/install.md': '# Install\n\nRun the installer.\n',
  'docs/logo.png': '\u0000\u0001',
  'docs/page.html': '<title>Page</title><h1>Page</h1><p>A paragraph about pelicans.</p>',
}

/** A place with a collection that is indexed. */
function indexed() {
  const at = tree(DOCS)
  expect(ambit(['collection', 'add', 'docs', 'docs'], { cwd: at.base }).status).toBe(0)
  const { stdout } = ambit(['index', '--json'], { cwd: at.base })
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({ added: 3, changed: 0, moved: 0, removed: 0, unchanged: 0, skipped: 1, failed: 0 })
  return at
}

describe('collections', () => {
  it.each([
    ['load', ['load', 'docs']],
    ['load, with JSON', ['load', 'docs', '--json']],
    ['explain, with JSON', ['explain', 'docs', '--json']],
  ])('are named on stderr where a directory has the name, too: %s', (_, args) => {
    using at = indexed()
    const { status, stderr } = ambit(args, { cwd: at.base })
    expect(status).toBe(0)
    expect(stderr).toContain('docs is taken for the one on disk. The one in the collection "docs" is ambit://docs.\n')
  })

  it('are added, indexed, searched and read, with what their places are for', () => {
    using at = indexed()
    const run = (...args: string[]) => ambit(args, { cwd: at.base })
    expect(run('context', 'add', 'docs', 'The manual').stdout).toBe('Added the path context of docs.\n')
    expect(run('context', 'add', 'docs/api', 'The interface').status).toBe(0)
    const { results } = JSON.parse(run('search', 'what happens after a timeout', '--json').stdout)
    expect(results).toMatchObject([
      {
        collection: 'docs',
        path: 'api/errors.md',
        uri: 'ambit://docs/api/errors.md',
        title: 'Errors',
        lines: { start: 6, end: 6 },
        context: 'The manual\n\nThe interface',
      },
    ])
    expect(run('get', results[0].uri, '--lines', '6').stdout).toBe('After a timeout a request is sent again, twice.\n')
    expect(run('get', results[0].docid).stdout).toBe(DOCS['docs/api/errors.md'])
    expect(run('search', 'pelican', '--format', 'files').stdout).toMatch(
      /^#[0-9a-f]{8}\t0\.\d{4}\tambit:\/\/docs\/page\.html\t\d+\tThe manual\n$/,
    )
    expect(run('search', 'timeout', '--where', 'status=final').stdout).toBe('Nothing was found for "timeout".\n')
    expect(run('ls', 'docs').stdout).toMatch(/^docs\/api\/ {2}1 document {2}\[The interface\]\ndocs\/install\.md /)
  })

  it('say beside a document what its place is for, and give nothing but the document', () => {
    using at = indexed()
    ambit(['context', 'add', 'docs', 'The manual'], { cwd: at.base })
    const document = DOCS['docs/api/errors.md']
    expect(onTerminal(['get', 'docs/api/errors.md'], { cwd: at.base }).screen).toBe(`[The manual]\n${document}`)
    const toFile = `'${process.execPath}' '${BIN}' get docs/api/errors.md > out.md`
    const env = { ...SHARED_ENV, HOME: at.base }
    const { stdout } = spawnSync('script', ['-qec', toFile, '/dev/null'], { cwd: at.base, env, encoding: 'utf8' })
    expect([stdout, readFileSync(at.at('out.md'), 'utf8')]).toEqual(['[The manual]\r\n', document])
    expect(ambit(['get', 'docs/api/errors.md'], { cwd: at.base })).toEqual({
      status: 0,
      stdout: document,
      stderr: '[The manual]\n',
    })
    expect(ambit(['search', 'timeout', '--format', 'files'], { cwd: at.base }).stdout).toMatch(/\t\d+\tThe manual\n$/)
    expect(ambit(['multi-get', 'docs/api/*'], { cwd: at.base }).stdout).toBe(
      `==> ambit://docs/api/errors.md <==\n  [The manual]\n${document}`,
    )
    expect(ambit(['get', 'docs/api/errors.md', '--format', 'xml'], { cwd: at.base }).stdout).toMatch(
      /^<document uri="ambit:\/\/docs\/api\/errors\.md" .*>\n<path-context path="\/api\/errors\.md">\nThe manual\n/,
    )
  })

  it('are read by the end of a path, by lines, and several at once', () => {
    using at = indexed()
    const run = (...args: string[]) => ambit(args, { cwd: at.base })
    const [first = '', second = ''] = DOCS['docs/api/errors.md'].split('\n')
    expect(run('get', 'errors.md:1:2').stdout).toBe(`${first}\n${second}\n`)
    expect(run('get', 'errors.md', '--lines', '1:2').stdout).toBe(`${first}\n${second}\n`)
    expect(run('get', 'errors.md', '-l', '1').stdout).toBe(`${first}\n`)
    expect(run('multi-get', 'errors.md:1:1', 'install.md', '-l', '1').stdout).toBe(
      `==> ambit://docs/api/errors.md <==\n${first}\n\n==> ambit://docs/install.md <==\n# Install\n`,
    )
    expect(run('get', 'eror.md')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'ambit: There is no document eror.md.\nSimilar: docs/api/errors.md.\n',
    })
  })

  it('say what is near to a word or a path that is not there', () => {
    using at = indexed()
    const { stdout, stderr } = ambit(['search', 'timeuot', '--format', 'files'], { cwd: at.base })
    expect(stdout).toContain('api/errors.md')
    expect(stderr).toBe('No document holds "timeuot"; also searched: timeout.\n')
    expect(ambit(['get', 'docs/api/eror.md'], { cwd: at.base })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'ambit: There is no document docs/api/eror.md.\nSimilar: docs/api/errors.md.\n',
    })
    expect(ambit(['search', '--json', 'x', '-c', 'none'], { cwd: at.base }).stderr).toContain('"code":"not-found"')
  })

  it('are the same in another database only when they are added there', () => {
    using at = indexed()
    const { stdout } = ambit(['collection', 'list', '--db', 'other.db', '--json'], { cwd: at.base })
    expect(JSON.parse(stdout)).toEqual({ collections: [] })
    const { status, stderr } = ambit(['status', '--db', 'docs/install.md'], { cwd: at.base })
    expect([status, stderr]).toEqual([1, expect.stringContaining('is damaged, or is not a database.')])
  })

  it('are drawn on a terminal, without what a file would do to it', () => {
    using at = tree({ 'notes/a.md': '# Pelican \u001b[31m\n\nA pelican \u001b]0;title\u0007 here.\n' })
    ambit(['collection', 'add', 'notes', 'notes'], { cwd: at.base })
    expect(onTerminal(['index'], { cwd: at.base }).screen).toContain('notes: 1 added')
    const { screen } = onTerminal(['search', 'pelican'], { cwd: at.base })
    expect(screen).toContain('\u001b[33mpelican\u001b[39m')
    expect(screen).not.toContain('\u001b]0;')
  })

  it('a bar is drawn while they are indexed, and a program hears lines of JSON beside the result', () => {
    using at = tree(DOCS)
    ambit(['collection', 'add', 'docs', 'docs'], { cwd: at.base })
    const { stdout, stderr } = ambit(['index', '--json'], { cwd: at.base })
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toEqual({ type: 'progress', what: 'docs', done: 0, total: 4 })
    expect(JSON.parse(stdout)).toMatchObject({ added: 3, skipped: 1, collections: [{ name: 'docs' }] })
    expect(onTerminal(['index', '--force'], { cwd: at.base }).screen).toContain('4 of 4')
  })

  it('are watched: a change is found without being asked for', async () => {
    using at = tree({ 'notes/a.md': 'one' })
    ambit(['collection', 'add', 'notes', 'notes'], { cwd: at.base })
    const env = { ...SHARED_ENV, HOME: at.base }
    const watching = spawn(process.execPath, [BIN, 'watch'], { cwd: at.base, env })
    let told = ''
    watching.stdout.on('data', (data) => {
      told += data
    })
    const tells = async (line: string) => {
      for (let tries = 0; tries < 1200 && !told.includes(line); tries++) await setTimeout(50)
      expect(told).toContain(line)
    }
    await tells('notes: 1 added\n')
    writeFileSync(at.at('notes/b.md'), 'pelicans')
    await tells('notes: 1 added\nnotes: 1 added\n')
    rmSync(at.at('notes/a.md'))
    await tells('notes: 1 removed\n')
    watching.kill('SIGINT')
    expect(await once(watching, 'exit')).toEqual([130, null])
    expect(ambit(['search', 'pelican', '--format', 'files'], { cwd: at.base }).stdout).toContain('notes/b.md')
  })

  it('are watched from none on, for a program in JSON alone', async () => {
    using at = tree({ 'notes/a.md': 'one' })
    const env = { ...SHARED_ENV, HOME: at.base }
    const watching = spawn(process.execPath, [BIN, 'watch', '--json'], { cwd: at.base, env })
    const told = { stdout: '', stderr: '' }
    for (const end of ['stdout', 'stderr'] as const) {
      watching[end].on('data', (data) => {
        told[end] += data
      })
    }
    ambit(['collection', 'add', 'notes', 'notes'], { cwd: at.base })
    await expect.poll(() => told.stdout, { timeout: 60_000 }).toContain('\n')
    expect(JSON.parse(told.stdout)).toMatchObject({ name: 'notes', added: 1 })
    watching.kill('SIGTERM')
    expect([await once(watching, 'exit'), told.stderr]).toEqual([[0, null], ''])
  })

  it('are answered about over MCP, by the built program', () => {
    using at = indexed()
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
    const env = { ...SHARED_ENV, HOME: at.base }
    const { stdout } = spawnSync(process.execPath, [BIN, 'mcp'], {
      cwd: at.base,
      env,
      input,
      encoding: 'utf8',
      timeout: 120_000,
    })
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.find(({ id }) => id === 2).result.content[0].text).toMatch(
      /^<results .*\n<hit .*uri="ambit:\/\/[^"]*api\/errors\.md"/,
    )
  })

  it('are answered about over HTTP, by the built program', async () => {
    using at = indexed()
    const env = { ...SHARED_ENV, HOME: at.base }
    const serving = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--json'], { cwd: at.base, env })
    const [line] = await once(serving.stdout, 'data')
    const { url, token } = JSON.parse(String(line).split('\n')[0] ?? '')
    const ask = (path: string, headers = {}) => fetch(new URL(path, url), { headers })
    expect((await ask('/api/search?query=timeout')).status).toBe(401)
    const answer = await ask('/api/search?query=timeout', { authorization: `Bearer ${token}` })
    expect(await answer.json()).toMatchObject({ results: [{ path: 'api/errors.md' }] })
    serving.kill('SIGTERM')
    expect((await once(serving, 'exit'))[0]).toBe(0)
  })
})
