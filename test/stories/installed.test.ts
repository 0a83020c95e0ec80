/**
 * Every command, from the packed package in a prefix where nothing else is: what the program needs and the package lacks is seen here.
 *
 * @module-tag long
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { installPackage } from '../../scripts/install-package.ts'
import type { ServiceName } from '../../src/operations/index.ts'
import { docx, paragraph, pdf } from '../ingest/extract/documents.ts'
import { odt, pptx, shape, xlsx } from '../ingest/extract/office.ts'
import { type Tree, tree } from '../support/tree.ts'

const installed = installPackage()
afterAll(() => installed[Symbol.dispose]())

// The table of operations runs here, too: see BIN.
process.env.AMBIT_TEST_BIN = installed.bin
await import('./json.test.ts')
const { ambit, BIN, PROJECT, startAmbit } = await import('../support/program.ts')

it('is what these tests run, and brings no other package', () => {
  expect(BIN).toBe(installed.bin)
  expect(readdirSync(join(installed.prefix, 'lib/node_modules'))).toEqual(['ambit'])
  expect(readdirSync(join(installed.prefix, 'lib/node_modules/ambit'))).not.toContain('node_modules')
})

type Finished = ReturnType<typeof ambit>

/** Runs until it says something that a pattern is in, and is then stopped as Ctrl-C stops it. */
async function interrupted(args: readonly string[], cwd: string, ready: RegExp): Promise<Finished> {
  const { child, said, ended } = startAmbit(args, { cwd })
  await vi.waitUntil(() => child.exitCode !== null || ready.test(said.stdout + said.stderr), { timeout: 60_000 })
  child.kill('SIGINT')
  return ended
}

const SERVICES: Readonly<Record<ServiceName, (at: Tree) => Finished | Promise<Finished>>> = {
  ask: (at) => ambit(['ask', 'what of a password?'], { cwd: at.base }),
  chat: (at) => ambit(['chat'], { cwd: at.base, input: 'What of a password?\n' }),
  research: (at) => ambit(['research', 'What of a password?', '--extractive'], { cwd: at.base }),
  'research.resume': (at) => {
    ambit(['research', 'What of tests?', '--extractive'], { cwd: at.base })
    // What is over has nothing to go on with.
    return ambit(['research', 'resume', 'last'], { cwd: at.base })
  },
  serve: (at) => interrupted(['serve', '--port', '0', '--json'], at.base, /"token"/),
  watch: (at) => {
    ambit(['collection', 'add', 'pkg', 'pkg'], { cwd: at.base })
    return interrupted(['watch', '--json'], at.base, /"added"/)
  },
  hook: (at) => {
    const event = { hook_event_name: 'SessionStart', session_id: 's', cwd: at.base, source: 'startup' }
    return ambit(['hook', 'codex'], { cwd: at.base, input: JSON.stringify(event) })
  },
  demo: (at) => ambit(['demo'], { cwd: at.base }),
  mcp: (at) => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    return ambit(['mcp'], { cwd: at.base, input: `${JSON.stringify(message)}\n` })
  },
}

it.each(Object.entries(SERVICES))('%s runs', async (_, run) => {
  using at = tree(PROJECT)
  const { status, stdout, stderr } = await run(at)
  expect([status, stderr]).toEqual([expect.toBeOneOf([0, 1, 130]), expect.not.stringMatching(/bug in|Cannot find/)])
  expect(stdout + stderr).not.toBe('')
})

it('reads documents, and counts tokens exactly', () => {
  using at = tree({
    'docs/a.pdf': pdf([['The walrus sleeps.']]),
    'docs/b.docx': docx(paragraph('The walrus swims.')),
    'docs/c.xlsx': xlsx({
      One: [
        ['animal', 'legs'],
        ['walrus', 0],
      ],
    }),
    'docs/d.pptx': pptx([{ body: shape('title', 'The walrus talks') }]),
    'docs/e.odt': odt('<text:p>The walrus writes.</text:p>'),
    'docs/f.html': '<h1>Walrus</h1><p>It <b>walks</b>.</p>',
    'docs/g.csv': 'animal,legs\nwalrus,0\n',
    '.context/CONSTITUTION.md': '# Constitution\n\nA walrus.\n',
  })
  const run = (...args: string[]) => ambit(args, { cwd: at.base })
  run('collection', 'add', 'docs', 'docs')
  expect(JSON.parse(run('index', '--json').stdout)).toMatchObject({ added: 7, failed: 0 })
  const found = JSON.parse(run('search', 'walrus', '--json').stdout).results.map((hit: { path: string }) => hit.path)
  expect(found.toSorted()).toEqual(['a.pdf', 'b.docx', 'c.xlsx', 'd.pptx', 'e.odt', 'f.html', 'g.csv'])
  expect(run('load', '.', '--tokens', 'o200k')).toMatchObject({ status: 0, stdout: expect.stringContaining('walrus') })
})

it.each([
  [['package', 'list', 's3://bucket'], {}, '@aws-sdk/client-s3'],
  [['status'], { AMBIT_DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'pg'],
  [['ask', 'what?'], { AMBIT_MODEL: 'bedrock/a' }, '@ai-sdk/amazon-bedrock'],
])('%j says the line that installs what it needs', (args, env, packages) => {
  using at = tree(PROJECT)
  const { status, stdout, stderr } = ambit(args, { cwd: at.base, env })
  expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(`npm install -g ${packages} (`)])
})
