/**
 * `--json` works everywhere: each operation has a row here, and a new one without a row fails.
 *
 * @module-tag long
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { commandWords } from '../../src/surfaces/cli/command.ts'
import { packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { ambit, PROJECT } from '../support/program.ts'
import { type Tree, tree } from '../support/tree.ts'

const first = packageOf({ 'README.md': { text: '# One\n' } }, { message: 'first' })
const second = packageOf({ 'README.md': { text: '# Two\n', key: 'two/README.md' } })
const PACKAGES = registryV1({ 'team/data': { 1680720300: first, 1680720661: second } })

/** Stands for the id of the one conversation that there is. */
const TALK = 'TALK'

/** What stands behind the words of a command; in this order, since the later ones see what the earlier ones wrote. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  load: [],
  task: ['token'],
  explain: ['--why-not', 'pkg/api/AGENTS.md'],
  check: [],
  diff: ['--profile', 'claude,codex'],
  sync: ['--dry-run'],
  init: ['pkg', '--agent', 'claude'],
  doctor: [],
  'doctor.repair': [],
  'collections.add': ['docs', 'docs'],
  'collections.list': [],
  'collections.show': ['docs'],
  'collections.set': ['docs', '--paused'],
  'collections.rename': ['docs', 'handbook'],
  index: [],
  'indexing.start': [],
  'indexing.list': [],
  'indexing.stop': ['handbook'],
  search: ['token'],
  get: ['handbook/guide.md'],
  'multi-get': ['handbook/*.md'],
  ls: ['handbook'],
  browse: ['handbook'],
  status: [],
  'contexts.add': ['handbook', 'How it is done'],
  'contexts.list': [],
  'contexts.check': [],
  'contexts.export': [],
  'contexts.import': ['contexts.yml'],
  'contexts.remove': ['handbook'],
  'packages.list': ['lab'],
  'packages.search': ['second'],
  'packages.show': ['lab/team/data'],
  'packages.log': ['lab/team/data'],
  'packages.diff': [`lab/team/data@${first.hash}`, 'lab/team/data'],
  'packages.ls': ['lab/team/data'],
  'packages.cat': ['lab/team/data', 'README.md'],
  'packages.verify': ['lab/team/data'],
  'packages.get': ['lab/team/data', 'home'],
  'packages.push': ['docs', 'team/docs', '--registry', 'lab', '--yes'],
  'conversations.list': [],
  'conversations.show': [TALK],
  'conversations.rename': [TALK, 'Tokens'],
  'conversations.export': [TALK],
  'conversations.remove': [TALK],
  // Of research it takes nothing over.
  'index.rebuild': ['--yes'],
  migrate: [],
  export: ['all.jsonl'],
  import: ['all.jsonl', '--replace'],
  'research.start': ['When is the token checked?', '--files', 'docs/guide.md', '--extractive'],
  'research.list': [],
  'research.show': ['last'],
  'research.export': ['last'],
  'research.plan': ['last'],
  'research.redo': ['last'],
  'research.resume': ['last'],
  'research.stop': ['last'],
  'token.create': ['alice', '--scope', 'read', '--expires', '1'],
  'token.list': [],
  'token.revoke': ['alice'],
  'settings.show': [],
  'settings.set': ['--search', 'searxng', '--search-url', 'http://127.0.0.1:8888'],
  embed: [],
  // No name of a model: nothing is asked of the network.
  'embed.get': ['small'],
  'collections.remove': ['handbook'],
}

/** What ends with 1: what is found, and what needs a model that is not set here, or is over. */
const FAILING = ['check', 'contexts.check']
const REFUSED = ['embed', 'embed.get', 'research.resume', 'research.stop']

let at: Tree
beforeAll(() => {
  at = tree({
    ...PROJECT,
    'docs/guide.md': '# Guide\n\nCheck the token.\n\u001b[31mRed\n',
    'contexts.yml': 'global_context: Ours\n',
    'lab/': '',
  })
  for (const [key, value] of Object.entries(PACKAGES)) {
    mkdirSync(dirname(at.at('lab', key)), { recursive: true })
    writeFileSync(at.at('lab', key), String(value).replaceAll('s3://bucket/', ''))
  }
  run('collection', 'add', 'lab', 'lab')
  ambit(['chat'], { cwd: at.base, input: 'What of tokens?\n' })
  talk = JSON.parse(ambit(['conversation', 'list', '--json'], { cwd: at.base }).stdout).conversations[0].id
})
afterAll(() => at[Symbol.dispose]())

let talk = ''
const run = (...args: readonly string[]) =>
  ambit(
    args.map((word) => (word === TALK ? talk : word)),
    { cwd: at.base },
  )
const named = new Map(operations.map((operation) => [operation.name, operation]))

/** The lines of JSON. */
function linesIn(text: string): unknown[] {
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))
}

/** Without what an index of code says of the look at it: how many files were new, and how long it took. */
const withoutTimes = (text: string): string => text.replace(/"index":\{[^}]*\}/, '')

it('every operation has a row', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual([...named.keys()].toSorted())
})

describe('with --json', () => {
  it.each(Object.entries(ROWS))('%s prints one value, as its schema says, and nothing else', (name, args) => {
    const operation = named.get(name)
    if (!operation) throw new Error(`There is no operation ${name}.`)
    const { status, stdout, stderr } = run(...commandWords(operation), ...args, '--json')
    const told = linesIn(stderr)
    if (REFUSED.includes(name)) {
      expect([status, stdout, told]).toEqual([
        1,
        '',
        [{ error: expect.objectContaining({ code: expect.any(String) }) }],
      ])
      return
    }
    const [value, ...more] = linesIn(stdout)
    expect([more, status]).toEqual([[], FAILING.includes(name) ? 1 : 0])
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
    expect(ajv.validate(operation.output(), value), ajv.errorsText()).toBe(true)
    // What a program may want to draw while it waits.
    expect(told.filter((line) => !Object.hasOwn(Object(line), 'type'))).toEqual([])
    if (operation.effect === 'read')
      expect(withoutTimes(run(...commandWords(operation), ...args, '--format', 'json').stdout)).toBe(
        withoutTimes(stdout),
      )
  })

  it.each(operations.map((operation) => [operation.name, commandWords(operation)] as const))(
    '%s that is used wrongly prints its error only, as one line',
    (_, words) => {
      const { status, stdout, stderr } = run(...words, '--no-such-option', '--json')
      expect([status, stdout]).toEqual([2, ''])
      const error = { code: 'invalid-input', message: expect.any(String), hint: expect.any(String) }
      expect(linesIn(stderr)).toEqual([{ error }])
    },
  )
})
