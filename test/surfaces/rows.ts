/** An input for each operation, of a fixture that has a registry of packages, `lab`, and one conversation. */

import type { AnyOperation } from '../../src/operations/index.ts'
import { commandWords } from '../../src/operations/schema.ts'
import { flagsOf } from '../../src/surfaces/cli/arguments.ts'
import { packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import type { Tree } from '../support/tree.ts'

const first = packageOf({ 'README.md': { text: '# One\n' } }, { message: 'first' })
const second = packageOf({ 'README.md': { text: '# Two\n', key: 'two/README.md' } })
const PACKAGES = Object.entries(registryV1({ 'team/data': { 1680720300: first, 1680720661: second } }))

/** The files of the registry. */
export const REGISTRY = Object.fromEntries(
  PACKAGES.map(([key, text]) => [`lab/${key}`, String(text).replaceAll('s3://bucket/', '')]),
)

/** The id of the conversation. */
export const TALK = 'c'.repeat(32)

export type Input = Readonly<Record<string, unknown>>

/** The input of each operation; `at` gives a path of the fixture. Later rows see what the earlier ones wrote. */
export const ROWS: Readonly<Record<string, (at: Tree['at']) => Input>> = {
  load: (at) => ({ place: at('.') }),
  task: (at) => ({ task: 'checkToken', place: at('.') }),
  explain: (at) => ({ place: at('.'), whyNot: at('pkg/api/AGENTS.md') }),
  check: (at) => ({ place: at('.') }),
  diff: (at) => ({ place: at('.'), profile: 'claude,codex' }),
  init: (at) => ({ place: at('pkg'), agent: 'claude' }),
  sync: (at) => ({ place: at('.'), agent: ['gemini'], dryRun: true }),
  doctor: () => ({ report: true }),
  'doctor.repair': () => ({}),
  'collections.add': (at) => ({ name: 'docs', root: at('docs') }),
  'collections.list': () => ({}),
  'collections.show': () => ({ name: 'docs' }),
  'collections.set': () => ({ name: 'docs', paused: true }),
  'collections.rename': () => ({ name: 'docs', to: 'handbook' }),
  index: () => ({}),
  'indexing.list': () => ({}),
  'indexing.stop': () => ({ names: ['handbook'] }),
  search: () => ({ query: 'token', collections: ['handbook'] }),
  get: () => ({ path: 'handbook/guide.md' }),
  'multi-get': () => ({ pattern: 'handbook/*.md' }),
  ls: () => ({ place: 'handbook' }),
  browse: () => ({ place: 'handbook' }),
  status: () => ({}),
  'contexts.add': () => ({ path: 'handbook', text: 'How it is done' }),
  'contexts.list': () => ({}),
  'contexts.check': () => ({}),
  'contexts.export': () => ({}),
  'contexts.import': (at) => ({ file: at('contexts.yml') }),
  'contexts.remove': () => ({ path: 'handbook' }),
  'packages.list': () => ({ registry: 'lab' }),
  'packages.search': () => ({ words: ['second'] }),
  'packages.show': () => ({ package: 'lab/team/data' }),
  'packages.log': () => ({ package: 'lab/team/data' }),
  'packages.diff': () => ({ before: `lab/team/data@${first.hash}`, after: 'lab/team/data' }),
  'packages.ls': () => ({ package: 'lab/team/data' }),
  'packages.cat': () => ({ package: 'lab/team/data', path: 'README.md' }),
  'packages.verify': () => ({ package: 'lab/team/data' }),
  'packages.get': (at) => ({ package: 'lab/team/data', dir: at('home') }),
  'packages.push': (at) => ({ dir: at('docs'), name: 'team/docs', registry: 'lab', dryRun: true }),
  'conversations.list': () => ({}),
  'conversations.show': () => ({ id: TALK }),
  'conversations.rename': () => ({ id: TALK, title: 'Tokens' }),
  'conversations.export': () => ({ id: TALK }),
  'conversations.remove': () => ({ id: TALK }),
  'research.start': (at) => ({
    question: 'When is the token checked?',
    files: [at('docs/guide.md')],
    extractive: true,
  }),
  'research.list': () => ({}),
  'research.show': () => ({ session: 'last' }),
  'research.export': () => ({ session: 'last' }),
  'research.plan': () => ({ session: 'last' }),
  'research.redo': () => ({ session: 'last' }),
  'research.resume': () => ({ session: 'last' }),
  'research.stop': () => ({ session: 'last' }),
  'token.create': () => ({ name: 'alice', scope: ['read'], expires: 1 }),
  'token.list': () => ({}),
  'token.revoke': () => ({ token: 'alice' }),
  'settings.show': () => ({}),
  'settings.set': () => ({ search: 'searxng', searchUrl: 'http://127.0.0.1:8888' }),
  embed: () => ({}),
  'embed.get': () => ({ model: 'small' }),
  'index.rebuild': () => ({ yes: true }),
  migrate: () => ({}),
  export: (at) => ({ file: at('all.jsonl') }),
  import: (at) => ({ file: at('all.jsonl'), replace: true }),
  'collections.remove': () => ({ name: 'handbook' }),
  'indexing.start': () => ({ names: ['lab'] }),
}

/** The words of a command line for an input. */
export function argvOf({ positional = [], input: { fields }, ...operation }: AnyOperation, input: Input): string[] {
  const words = (value: unknown) => [value].flat().map(String)
  const flags = Object.entries(input).flatMap(([name, value]) => {
    if (positional.includes(name)) return []
    const [flag = name] = flagsOf(name, fields[name])
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    return words(value).map((word) => `--${flag}=${word}`)
  })
  const named = positional.flatMap((name) => (input[name] === undefined ? [] : words(input[name])))
  return [...commandWords({ input: { fields }, ...operation } as AnyOperation), ...flags, ...named]
}
