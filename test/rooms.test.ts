import { describe, expect, it } from 'vitest'
import { importsOf, readSources, type SourceFile } from './source-files.ts'

interface Room {
  /** The rooms it may import besides `core` and `text`: all stand above it in the table. */
  readonly may: readonly string[]
  /** The packages it may import; absent: any. */
  readonly packages?: readonly string[]
  /** Most files directly in its folder: its doors. */
  readonly doors: number
}

const FREE = Number.POSITIVE_INFINITY

/** The table of docs/DESIGN.md, from the ground up: an import goes to a room that stands above. A room is added here with its first file. */
const ROOMS: Readonly<Record<string, Room>> = {
  core: { may: [], packages: ['node:vm'], doors: FREE },
  text: { may: [], packages: ['markdown-it', 'yaml', 'node:buffer'], doors: FREE },
  files: { may: [], doors: 19 },
  retrieval: { may: [], packages: ['stemmer'], doors: 15 },
  stores: { may: ['files'], doors: 18 },
  internet: {
    may: [],
    packages: ['node:dns', 'node:http', 'node:net', 'node:stream', 'node:timers', 'node:tls', 'node:util', 'node:zlib'],
    doors: 6,
  },
  models: {
    may: ['files', 'retrieval', 'internet'],
    packages: (
      '@huggingface/tokenizers node:crypto onnxruntime-node node:path ai @ai-sdk/anthropic ' +
      '@ai-sdk/amazon-bedrock @ai-sdk/google @ai-sdk/openai @ai-sdk/openai-compatible node:timers'
    ).split(' '),
    doors: 7,
  },
  ingest: { may: ['files', 'retrieval', 'stores', 'models'], doors: 10 },
  code: { may: ['files', 'retrieval'], packages: [], doors: 8 },
  drift: { may: ['files'], doors: 1 },
  quilt: { may: ['files', 'retrieval'], packages: ['node:crypto', 'node:url', 'yaml', 'ajv'], doors: 12 },
  collections: { may: ['files', 'retrieval', 'stores', 'models', 'ingest'], doors: 10 },
  context: { may: ['files', 'retrieval', 'ingest', 'code', 'drift', 'quilt', 'collections'], doors: 14 },
  agent: {
    may: ['stores', 'models', 'context'],
    packages: ['@modelcontextprotocol/client', '@opentelemetry/api', 'node:crypto', 'node:path'],
    doors: 12,
  },
  research: {
    may: ['files', 'retrieval', 'stores', 'internet', 'models', 'ingest', 'collections', 'agent'],
    packages:
      'better-sqlite3 jsonrepair node:child_process node:crypto node:path node:timers node:util node:worker_threads'.split(
        ' ',
      ),
    doors: 10,
  },
  engine: {
    may: ['files', 'stores', 'models', 'ingest', 'quilt', 'collections', 'context', 'agent', 'research'],
    doors: 5,
  },
  operations: { may: ['agent', 'context', 'engine', 'research'], doors: 5 },
  surfaces: { may: ['files', 'internet', 'agent', 'research', 'engine', 'operations'], doors: 0 },
}

/** Above all rooms: they put together what the rooms are, and take from any place in them. */
const ROOT_FILES = ['index.ts', 'open.ts', 'main.ts', 'quick-main.ts', 'start.ts', 'bin.ts']

/** Where each file or folder stands for itself. What has its name before a dash is its part. */
const EXTENSION_POINTS = (
  'context/sources context/passes context/renderers internet/search/providers operations ' +
  'operations/context surfaces'
).split(' ')

function roomOf(file: string): string {
  return file.split('/')[0] ?? file
}

/** How deep a file stands in its room: 0 is a door. */
function depthOf(file: string): number {
  return file.split('/').length - 2
}

function packageProblem(file: string, name: string): string | undefined {
  const allowed = ROOMS[roomOf(file)]?.packages
  const own = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  if (!/^[@\w]/.test(name)) return `${file} imports something that is not a literal: ${name}`
  return allowed === undefined || allowed.includes(own) ? undefined : `${file} imports ${name}`
}

/** `sources/home.ts` and `sources/home/read.ts` → `home`; undefined outside of the folder. */
function siblingIn(folder: string, file: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined
}

function siblingProblem(file: string, target: string): string | undefined {
  const isTied = EXTENSION_POINTS.some((folder) => {
    const [own, other] = [siblingIn(folder, file), siblingIn(folder, target)]
    if (own === undefined || other === undefined || (folder === 'operations' && (isFile(own) || isFile(other))))
      return false
    const [ownName, otherName] = [own, other].map((name) => name.replace(/\.ts$/, '')) as [string, string]
    return ownName !== otherName && !otherName.startsWith(`${ownName}-`) && !ownName.startsWith(`${otherName}-`)
  })
  return isTied ? `${file} imports its sibling ${target}` : undefined
}

const isFile = (name: string): boolean => name.endsWith('.ts')

function importProblem(file: string, target: string): string | undefined {
  if (!target.endsWith('.ts')) return packageProblem(file, target)
  const [from, to] = [roomOf(file), roomOf(target)]
  if (from === to) return siblingProblem(file, target)
  if (ROOT_FILES.includes(from)) return undefined
  const { may = [] } = ROOMS[from] ?? {}
  const isAllowed =
    (from !== 'core' && to === 'core') || (from !== 'core' && from !== 'text' && to === 'text') || may.includes(to)
  if (!isAllowed) return `${file} imports ${target}`
  return depthOf(target) === 0 || ROOMS[to]?.doors === FREE
    ? undefined
    : `${file} imports ${target}, which is not a door`
}

/** A room with more doors than it may have. */
function doorProblems(files: readonly SourceFile[]): string[] {
  return Object.entries(ROOMS).flatMap(([room, { doors }]) => {
    const count = files.filter(({ file }) => roomOf(file) === room && depthOf(file) === 0).length
    return count > doors ? [`${room} has ${count} doors of ${doors}`] : []
  })
}

/** Files in the place of a door that no other room imports: a program of its own, and services. */
const NO_DOORS = ['ingest/worker.ts', 'operations/services.ts']

/** Doors through which nobody comes: such a file belongs into a sub-folder. */
function unusedDoorProblems(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const used = new Set([...imports].flatMap(([file, targets]) => targets.filter((to) => roomOf(to) !== roomOf(file))))
  const doors = [...imports.keys()].filter((file) => depthOf(file) === 0 && Number.isFinite(ROOMS[roomOf(file)]?.doors))
  return doors
    .filter((file) => !used.has(file) && !NO_DOORS.includes(file))
    .map((file) => `${file} is a door that no other room uses`)
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
  const unknown = files
    .filter(({ file }) => !(roomOf(file) in ROOMS) && !ROOT_FILES.includes(file))
    .map(({ file }) => `${file} is in no room`)
  const wrong = [...imports].flatMap(([file, targets]) => targets.map((target) => importProblem(file, target)))
  const loop = loopIn(imports)
  return [
    ...unknown,
    ...doorProblems(files),
    ...wrong.filter((problem) => problem !== undefined),
    ...(loop.length > 0 ? [loop.join(' → ')] : []),
  ]
}

describe('the rooms', () => {
  it('have only doors that another room uses', () => {
    const imports = new Map(readSources('src').map((source) => [source.file, importsOf(source)]))
    expect(unusedDoorProblems(imports)).toEqual([])
    expect(unusedDoorProblems(new Map([...imports, ['stores/alone.ts', []]]))).toHaveLength(1)
  })

  it('import only what their floor allows', () => {
    expect(roomProblems(readSources('src'))).toEqual([])
  })

  it('are listed so that imports go down', () => {
    const order = Object.keys(ROOMS)
    for (const [name, { may }] of Object.entries(ROOMS)) {
      for (const other of may)
        expect([name, other, order.indexOf(other) < order.indexOf(name)]).toEqual([name, other, true])
    }
  })
})

describe('the check itself', () => {
  it.each([
    ['a node module in core', 'core/a.ts', `import { join } from 'node:path'`],
    ['a package in core', 'core/a.ts', `import yaml from 'yaml'`],
    ['a strange package in text', 'text/a.ts', `import picomatch from 'picomatch'`],
    ['a node module in text', 'text/a.ts', `import 'node:fs'`],
    ['an import upwards', 'core/a.ts', `import { b } from '../text/b.ts'`],
    ['an import upwards of a type', 'text/a.ts', `import type { B } from '../context/b.ts'`],
    ['an import upwards over several lines', 'files/disk/a.ts', `import {\n  b,\n  c,\n} from '../../context/b.ts'`],
    ['an import upwards when it is needed', 'collections/search/a.ts', `const b = await import('../../context/b.ts')`],
    ['a type that is imported in place', 'drift/a.ts', `let b: import('../context/b.ts').B`],
    ['an export of what is above', 'text/a.ts', `export * from '../context/b.ts'`],
    ['an export of names from above', 'text/a.ts', `export { b } from '../context/b.ts'`],
    ['an import that is not a literal', 'context/a.ts', `const b = await import(name)`],
    ['an import that is made up', 'context/a.ts', `const b = await import('./' + name)`],
    ['a sibling source', 'context/sources/a.ts', `import { b } from './b.ts'`],
    ['a sibling surface', 'surfaces/cli/a.ts', `import { b } from '../mcp/b.ts'`],
    ['a sibling operation', 'operations/context/a.ts', `import { b } from './b.ts'`],
    ['operations of another kind', 'operations/context/a.ts', `import { b } from '../search/b.ts'`],
    ['what is not a door', 'context/a.ts', `import { b } from '../files/disk/b.ts'`],
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
    ['a lower room', 'context/sources/a.ts', `import { b } from '../../text/b.ts'`],
    ['a part of its own', 'context/sources/a.ts', `import { b } from './a/b.ts'`],
    ['a part with its name', 'context/sources/a.ts', `import { b } from './a-cache.ts'`],
    ['operations, in their list', 'operations/index.ts', `import { b } from './context/b.ts'`],
    ['a package, where any is free', 'context/sources/a.ts', `import picomatch from 'picomatch'`],
    ['a part of a package that is its own', 'text/a.ts', `import { b } from 'markdown-it/lib/token.mjs'`],
    ['what is only said in a comment', 'core/a.ts', `/** import { b } from 'b' */ // import 'c'\nconst a = '//'`],
    ['its own address', 'core/a.ts', 'const a = import.meta.dirname'],
    ['nothing, though a string says so', 'core/a.ts', `const a = ['import', 'b', "import 'c'", "export from 'd'"]`],
    ['nothing, though a method is called so', 'core/a.ts', 'this.#import(a); b.import(c)'],
  ])('lets a file import %s', (_, file, text) => {
    expect(roomProblems([{ file, text }])).toEqual([])
  })
})
