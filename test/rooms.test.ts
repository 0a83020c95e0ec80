import { describe, expect, it } from 'vitest'
import { importsOf, readSources, type SourceFile } from './source-files.ts'

interface Room {
  /** An import goes to a lower floor; within a floor only where `may` says so. */
  readonly floor: number
  /** The rooms it may import. */
  readonly may: readonly string[]
  /** The packages it may import; absent: any. */
  readonly packages?: readonly string[]
}

const RECIPES = ['faces', 'drift', 'profiles', 'discovery', 'sources', 'passes', 'renderers', 'objects']

/** The table of docs/DESIGN.md. A room is added here with its first file. */
const ROOMS: Readonly<Record<string, Room>> = {
  core: { floor: 1, may: [], packages: [] },
  text: { floor: 1, may: [], packages: ['markdown-it', 'yaml'] },
  objects: { floor: 2, may: ['core', 'text'] },
  models: {
    floor: 2,
    may: ['core', 'text', 'retrieval'],
    packages: [
      'ai',
      '@ai-sdk/anthropic',
      '@ai-sdk/amazon-bedrock',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
      'node:timers',
    ],
  },
  vectors: { floor: 2, may: [], packages: [] },
  retrieval: { floor: 2, may: ['core', 'text', 'lexical'] },
  lexical: { floor: 2, may: ['core', 'text'], packages: ['stemmer'] },
  stores: { floor: 2, may: ['core', 'text'] },
  jobs: { floor: 2, may: ['core'], packages: ['pg-boss', 'node:timers'] },
  renderers: { floor: 2, may: ['core', 'text'] },
  extract: { floor: 2, may: ['core', 'text'] },
  internet: {
    floor: 2,
    may: ['core', 'text', 'extract'],
    packages: ['node:dns', 'node:http', 'node:net', 'node:stream', 'node:timers', 'node:tls', 'node:util', 'node:zlib'],
  },
  profiles: { floor: 2, may: ['core', 'text'] },
  'schema.ts': { floor: 2, may: ['core'] },
  passes: { floor: 3, may: ['core', 'text'] },
  discovery: { floor: 3, may: ['core', 'text', 'profiles', 'objects'] },
  drift: { floor: 3, may: ['core', 'text', 'objects'] },
  packages: { floor: 3, may: ['core', 'text', 'objects'], packages: ['node:crypto'] },
  config: { floor: 3, may: ['core'], packages: ['node:os', 'node:path'] },
  'config.ts': { floor: 3, may: ['core', 'config', 'objects'] },
  agent: { floor: 3, may: ['core', 'text', 'models'], packages: ['@opentelemetry/api'] },
  'tool-servers': {
    floor: 4,
    may: ['config', 'core', 'text', 'models', 'agent'],
    packages: ['@modelcontextprotocol/client'],
  },
  indexing: { floor: 3, may: ['core', 'text', 'extract', 'lexical', 'models', 'objects', 'stores', 'vectors'] },
  searching: { floor: 3, may: ['core', 'text', 'lexical', 'stores', 'vectors'] },
  sources: { floor: 4, may: ['core', 'text', 'objects', 'profiles', 'discovery'] },
  faces: {
    floor: 5,
    may: ['core', 'text', 'objects', 'profiles', 'discovery', 'sources', 'passes', 'renderers'],
  },
  collections: {
    floor: 6,
    may: ['core', 'text', 'jobs', 'stores', 'objects', 'lexical', 'models', 'indexing', 'searching'],
  },
  catalog: { floor: 6, may: ['core', 'text', 'packages', 'collections', 'places', 'indexing', ...RECIPES] },
  places: { floor: 6, may: ['core', 'text', ...RECIPES] },
  transfer: { floor: 3, may: ['core', 'stores'] },
  uploads: { floor: 3, may: ['core', 'text', 'objects', 'stores'], packages: ['node:crypto'] },
  conversations: { floor: 6, may: ['core', 'text', 'models', 'agent', 'stores'], packages: ['node:crypto'] },
  'adapters.ts': { floor: 6, may: ['core', 'agent', 'jobs', 'models', 'objects', 'stores', 'uploads'] },
  auth: { floor: 6, may: ['core', 'stores'], packages: ['node:crypto'] },
  research: {
    floor: 6,
    may: [
      'core',
      'text',
      'config',
      'config.ts',
      'lexical',
      'models',
      'objects',
      'extract',
      'jobs',
      'stores',
      'collections',
      'internet',
    ],
    packages: ['node:crypto', 'node:path', 'node:timers'],
  },
  'works.ts': { floor: 7, may: ['core', 'collections', 'jobs', 'research', 'stores'] },
  'engine.ts': {
    floor: 7,
    may: [
      'core',
      'adapters.ts',
      'auth',
      'config.ts',
      'agent',
      'places',
      'research',
      'collections',
      'conversations',
      'catalog',
      'indexing',
      'jobs',
      'models',
      'objects',
      'stores',
      'transfer',
      'uploads',
      'works.ts',
    ],
  },
  operations: { floor: 8, may: ['core', 'text', 'schema.ts', 'engine.ts'] },
  'open.ts': {
    floor: 8,
    may: ['core', 'config.ts', 'engine.ts', 'jobs', 'models', 'objects', 'stores', 'collections', 'tool-servers'],
  },
  assistant: {
    floor: 9,
    may: ['core', 'text', 'models', 'agent', 'conversations', 'engine.ts', 'operations'],
    packages: ['node:crypto', 'node:path'],
  },
  surfaces: {
    floor: 10,
    may: [
      'core',
      'text',
      'models',
      'objects',
      'auth',
      'conversations',
      'engine.ts',
      'operations',
      'agent',
      'assistant',
      'research',
      'schema.ts',
    ],
  },
  'index.ts': {
    floor: 10,
    may: ['core', 'text', 'places', ...RECIPES, 'catalog', 'collections', 'stores', 'engine.ts', 'open.ts'],
  },
  'main.ts': { floor: 11, may: ['core', 'config.ts', 'open.ts', 'operations', 'surfaces'] },
  'bin.ts': { floor: 12, may: ['main.ts', 'core'] },
}

/** Where each file stands for itself. A folder or file of the same name, or with the name before a dash, is its part. */
const SIBLINGS = ['sources', 'passes', 'renderers', 'faces', 'surfaces', 'operations']

function roomOf(file: string): string {
  return file.split('/')[0] ?? file
}

/** `sources/home.ts` and `sources/home/read.ts` → `home`. */
function siblingOf(file: string): string {
  return (file.split('/')[1] ?? '').replace(/\.ts$/, '')
}

function packageProblem(file: string, name: string): string | undefined {
  const allowed = ROOMS[roomOf(file)]?.packages
  const own = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  if (!/^[@\w]/.test(name)) return `${file} imports something that is not a literal: ${name}`
  return allowed === undefined || allowed.includes(own) ? undefined : `${file} imports ${name}`
}

function siblingProblem(file: string, target: string): string | undefined {
  const [own, other] = [siblingOf(file), siblingOf(target)]
  const isPart = other === own || other.startsWith(`${own}-`) || own.startsWith(`${other}-`)
  if (!SIBLINGS.includes(roomOf(file)) || isPart) return undefined
  return file === 'operations/index.ts' ? undefined : `${file} imports its sibling ${target}`
}

function importProblem(file: string, target: string): string | undefined {
  if (!target.endsWith('.ts')) return packageProblem(file, target)
  const [from, to] = [roomOf(file), roomOf(target)]
  if (from === to) return siblingProblem(file, target)
  return ROOMS[from]?.may.includes(to) ? undefined : `${file} imports ${target}`
}

/** The files of one import loop, the first again at the end; none when there is no loop. */
function loopIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const target of imports.get(file) ?? []) {
      const loop = visit(target, [...path, file])
      if (loop.length > 0) return loop
    }
    done.add(file)
    return []
  }
  return [...imports.keys()].map((file) => visit(file, [])).find((loop) => loop.length > 0) ?? []
}

/** Everything that is wrong with who imports what, a line each. */
function roomProblems(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map((source) => [source.file, importsOf(source)]))
  const unknown = files.filter(({ file }) => !(roomOf(file) in ROOMS)).map(({ file }) => `${file} is in no room`)
  const wrong = [...imports].flatMap(([file, targets]) => targets.map((target) => importProblem(file, target)))
  const loop = loopIn(imports)
  return [
    ...unknown,
    ...wrong.filter((problem) => problem !== undefined),
    ...(loop.length > 0 ? [loop.join(' → ')] : []),
  ]
}

describe('the rooms', () => {
  it('import only what their floor allows', () => {
    expect(roomProblems(readSources('src'))).toEqual([])
  })

  it('are listed so that imports go down, or stay on a floor without going round', () => {
    for (const [name, { floor, may }] of Object.entries(ROOMS)) {
      for (const other of may) expect([name, other, (ROOMS[other]?.floor ?? 99) <= floor]).toEqual([name, other, true])
    }
    expect(loopIn(new Map(Object.entries(ROOMS).map(([name, { may }]) => [name, may])))).toEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    ['a node module in core', 'core/a.ts', `import { join } from 'node:path'`],
    ['a package in core', 'core/a.ts', `import yaml from 'yaml'`],
    ['a strange package in text', 'text/a.ts', `import picomatch from 'picomatch'`],
    ['a node module in text', 'text/a.ts', `import 'node:fs'`],
    ['an import upwards', 'core/a.ts', `import { b } from '../text/b.ts'`],
    ['an import upwards of a type', 'text/a.ts', `import type { B } from '../sources/b.ts'`],
    ['an import upwards over several lines', 'objects/a.ts', `import {\n  b,\n  c,\n} from '../passes/b.ts'`],
    ['an import upwards when it is needed', 'passes/a.ts', `const b = await import('../faces/b.ts')`],
    ['a type that is imported in place', 'passes/a.ts', `let b: import('../faces/b.ts').B`],
    ['an export of what is above', 'text/a.ts', `export * from '../faces/b.ts'`],
    ['an export of names from above', 'text/a.ts', `export { b } from '../faces/b.ts'`],
    ['an import that is no literal', 'sources/a.ts', `const b = await import(name)`],
    ['an import that is made up', 'sources/a.ts', `const b = await import('./' + name)`],
    ['a sibling source', 'sources/a.ts', `import { b } from './b.ts'`],
    ['a sibling surface', 'surfaces/cli/a.ts', `import { b } from '../mcp/b.ts'`],
    ['a sibling operation', 'operations/a.ts', `import { b } from './b.ts'`],
    ['the list of operations', 'operations/a.ts', `import { b } from './index.ts'`],
    ['a room that is not listed', 'helpers/a.ts', ''],
    ['a file that imports itself', 'text/a.ts', `import { b } from './a.ts'`],
  ])('finds %s', (_, file, text) => {
    expect(roomProblems([{ file, text }])).toHaveLength(1)
  })

  it('finds a loop, and names its files in order', () => {
    const files = ['a', 'b', 'c'].map((name, index) => ({
      file: `text/${name}.ts`,
      text: `import './${['b', 'c', 'a'][index]}.ts'`,
    }))
    expect(roomProblems(files)).toEqual(['text/a.ts → text/b.ts → text/c.ts → text/a.ts'])
  })

  it.each([
    ['a lower room', 'sources/a.ts', `import { b } from '../text/b.ts'`],
    ['a part of its own', 'sources/a.ts', `import { b } from './a/b.ts'`],
    ['a part with its name', 'sources/a.ts', `import { b } from './a-cache.ts'`],
    ['operations, in their list', 'operations/index.ts', `import { b } from './b.ts'`],
    ['a package, where any is free', 'sources/a.ts', `import picomatch from 'picomatch'`],
    ['a part of a package that is its own', 'text/a.ts', `import { b } from 'markdown-it/lib/token.mjs'`],
    ['what is only said in a comment', 'core/a.ts', `/** import { b } from 'b' */ // import 'c'\nconst a = '//'`],
    ['its own address', 'core/a.ts', 'const a = import.meta.dirname'],
    ['nothing, though a string says so', 'core/a.ts', `const a = ['import', 'b', "import 'c'", "export from 'd'"]`],
    ['nothing, though a method is called so', 'core/a.ts', 'this.#import(a); b.import(c)'],
  ])('lets a file import %s', (_, file, text) => {
    expect(roomProblems([{ file, text }])).toEqual([])
  })
})
