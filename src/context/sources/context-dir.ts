import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ContextError } from '../../core/errors.ts'
import { EMPTY_SELECTION, type Fragment, type Left, type Run, type Selection, type Source } from '../../core/flow.ts'
import { runStepsAsync, yieldToEvents } from '../../core/steps.ts'
import { toRefusal } from '../../files/confine.ts'
import { type Entry, type FileRefusal, type LocalRoot, openRoot } from '../../files/disk.ts'
import { statOf } from '../../files/file-version.ts'
import { projectRootOf } from '../../files/roots.ts'
import { MAX_READER_BYTES, NO_ROOM, readText, type TextFile } from '../../files/text-file.ts'
import { neutralise } from '../../text/invisible.ts'
import { byCodeUnit, relativeTo } from '../../text/paths.ts'
import { CONTEXT_DIR, type ContextDir, findContextDir, openContextDir } from './context-dir-walk.ts'

export { CONTEXT_DIR, isContextFile } from './context-dir-walk.ts'

/** The headings of the files in the assembled context. */
const HEADINGS: Readonly<Record<string, string>> = {
  'CONSTITUTION.md': 'Constitution',
  'TASKS.md': 'Current Tasks',
  'DECISIONS.md': 'Key Decisions',
  'CONVENTIONS.md': 'Conventions',
  'ARCHITECTURE.md': 'Architecture Overview',
  'GLOSSARY.md': 'Glossary',
  'LEARNINGS.md': 'Recent Learnings',
  'DEPENDENCIES.md': 'Dependencies',
  'DRIFT.md': 'Drift',
  'AGENT_PLAYBOOK.md': 'Agent Playbook',
}

/** The expected files of a context directory, the most important first. */
export const PRIORITY_ORDER: readonly string[] = Object.keys(HEADINGS)

const REQUIRED: readonly string[] = ['CONSTITUTION.md', 'TASKS.md', 'DECISIONS.md']

/** The file that is shown completely under any budget. */
export const PINNED_FILE = 'CONSTITUTION.md'

/** Number of files between two pauses. */
const FILES_PER_TURN = 256

/** The text of a file of a context directory, on disk or in a bucket. */
export interface ContextDirText
  extends Pick<TextFile, 'path' | 'content' | 'text' | 'warnings'>,
    Partial<Pick<TextFile, 'identity'>> {
  /** The name with its extension. */
  readonly fileName: string
  /** The path from the project's root. */
  readonly source: string
}

/** Options of reading a context directory. */
export interface ContextDirOptions {
  /** Absolute path of the start of the walk. */
  readonly start: string
  /** Default: `.context`. */
  readonly name?: string
  /** File names, with or without `.md`, the most important first. Default: `PRIORITY_ORDER`. */
  readonly priorityOrder?: readonly string[]
}

/** A context directory that was read: its files, and the selection (kept and left-out files) for a recipe. */
export interface ContextDirReading {
  /** Null without a readable directory. */
  readonly dir: ContextDir | null
  /** Absolute path of a file that has the name of the context directory; absent without such a file. */
  readonly notADirectory?: string
  /** Files by uri. */
  readonly files: ReadonlyMap<string, ContextDirText>
  /** File names of the priority order that are absent. */
  readonly missing: readonly string[]
  /** Absent files among CONSTITUTION.md, TASKS.md and DECISIONS.md. */
  readonly missingRequired: readonly string[]
  readonly selection: Selection
}

/** A source that stores its last reading. */
export interface ContextDirSource extends Source {
  /** The last reading; empty before the first. */
  readonly reading: ContextDirReading
}

/** A source of the files of a context directory on disk. */
export function contextDir(options: ContextDirOptions): ContextDirSource {
  return contextDirSource(options.priorityOrder ?? PRIORITY_ORDER, (run) => readContextDir(options, run))
}

/** A source of the files of a context directory that `read` reads. */
export function contextDirSource(
  priorityOrder: readonly string[],
  read: (run: Run) => Promise<ContextDirReading>,
): ContextDirSource {
  let reading = absentReading(fileNames(priorityOrder))
  return {
    name: 'context-dir',
    kind: 'context',
    get reading() {
      return reading
    },
    async gather(_, run) {
      reading = await read(run)
      return reading.selection
    },
  }
}

/** Finds and reads a context directory. Unreadable files are left out, with the reason. @throws ContextError `cancelled`. */
export async function readContextDir(
  { start, name = CONTEXT_DIR, priorityOrder = PRIORITY_ORDER }: ContextDirOptions,
  { signal }: Run,
): Promise<ContextDirReading> {
  const order = fileNames(priorityOrder)
  const walk = findContextDir(start, name)
  if (!walk) {
    // Every file counts as missing in the directory where the walk starts.
    const left = order.map((file) => missingFile(file, pathToFileURL(join(start, name, file)).href))
    return { ...absentReading(order), selection: { ...EMPTY_SELECTION, left } }
  }
  if ('untrusted' in walk) return absentReading(order, walk.untrusted, OF_ANOTHER_USER)
  if ('notADirectory' in walk) return { ...absentReading(order, walk.notADirectory, NOT_A_DIRECTORY), ...walk }
  const { dir } = walk
  const opened = await runStepsAsync(openContextDir(dir), signal)
  if (!opened.ok) return absentReading(order, dir.path, opened)
  const readFile = fileReader(opened.root, dir.path)
  const listedFiles: ListedFile[] = []
  for (const [index, entry] of opened.entries.toSorted(byPriority(order)).entries()) {
    if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await yieldToEvents(signal)
    listedFiles.push(readFile(entry.name))
  }
  return readingOf(dir, listedFiles, { order, uriOf: (name) => pathToFileURL(join(dir.path, name)).href })
}

/** Reads the files of a directory on disk, up to the memory limit. */
function fileReader(root: LocalRoot, directory: string): (fileName: string) => ListedFile {
  const base = pathToFileURL(directory).href
  let bytes = 0
  return (fileName) => {
    const path = join(directory, fileName)
    // Converting each path to a uri would take a tenth of the time of reading.
    const uri = /^[\w.-]+$/.test(fileName) ? `${base}/${fileName}` : pathToFileURL(path).href
    const read = bytes > MAX_READER_BYTES ? NO_ROOM : readText(root, path)
    if (!read.ok) return { uri, fileName, path, refused: read }
    bytes += read.version.size
    return { uri, fileName, path, file: { ...read, fileName, source: relativeTo(root.path, path) ?? path } }
  }
}

/** The names with their extension, each once. */
export function fileNames(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => (/\.md$/i.test(name) ? name : `${name}.md`)))]
}

const OF_ANOTHER_USER = toRefusal('untrusted', 'It is above the place, and belongs to another user.')
const NOT_A_DIRECTORY = toRefusal('unreadable', 'It is a file, and not a directory.')

/** The reading if no context directory can be read. `path`: a file or directory that was refused; `reason`: why. */
export function absentReading(order: readonly string[], path?: string, reason?: FileRefusal): ContextDirReading {
  const selection = path && reason ? selectionOfLeft(path, reason) : EMPTY_SELECTION
  return { dir: null, files: new Map(), ...missingOf(order), selection }
}

function missingOf(missing: readonly string[]) {
  return { missing, missingRequired: missing.filter((name) => REQUIRED.includes(name)) }
}

function selectionOfLeft(path: string, { why, detail }: FileRefusal): Selection {
  const title = basename(path)
  return {
    kept: [],
    left: [{ origin: { uri: pathToFileURL(path).href }, title, why, detail, required: true }],
    warnings: [{ path, message: `${title} cannot be read: ${detail}` }],
  }
}

/** Compares files by name: names in `order` come first, in this order; other names follow, by code unit. */
export function byPriority(order: readonly string[]): (a: Pick<Entry, 'name'>, b: Pick<Entry, 'name'>) => number {
  const ranks = new Map(order.map((name, index) => [name, index]))
  const rank = (name: string) => ranks.get(name) ?? order.length
  return ({ name: a }, { name: b }) => rank(a) - rank(b) || byCodeUnit(a, b)
}

/** A listed file of a context directory: its text, or why it could not be read. */
export type ListedFile = { readonly uri: string; readonly fileName: string; readonly path: string } & (
  | { readonly file: ContextDirText }
  | { readonly refused: Pick<FileRefusal, 'why' | 'detail'> }
)

/** The reading of a context directory on disk or in a bucket. `uriOf`: the uri of a file by its name. */
export function readingOf(
  dir: ContextDir,
  listed: readonly ListedFile[],
  { order, uriOf }: { readonly order: readonly string[]; uriOf(name: string): string },
): ContextDirReading {
  const kept = listed.flatMap((one) => ('file' in one ? [fragmentOf(one.file, one.uri)] : []))
  const refused = listed.flatMap((one) => ('refused' in one ? [one] : []))
  const exists = (one: ListedFile) => 'file' in one || one.refused.why !== 'missing'
  const presentNames = new Set(listed.filter(exists).map(({ fileName }) => fileName))
  const missing = order.filter((name) => !presentNames.has(name))
  const uris = new Set(refused.map(({ uri }) => uri))
  const absent = missing.map((name) => missingFile(name, uriOf(name))).filter(({ origin }) => !uris.has(origin.uri))
  return {
    dir,
    ...missingOf(missing),
    files: new Map(listed.flatMap((one) => ('file' in one ? [[one.uri, one.file] as const] : []))),
    selection: {
      kept,
      left: [
        ...refused.map(({ uri, fileName, refused: { why, detail } }): Left => {
          const required = order.includes(fileName)
          return { origin: { uri }, title: headingOf(fileName), why, detail, ...(required && { required }) }
        }),
        ...absent,
      ],
      warnings: listed.flatMap((one) =>
        'file' in one
          ? one.file.warnings.map((message) => ({ path: one.path, message }))
          : [{ path: one.path, message: `${one.fileName} is not loaded: ${one.refused.detail}` }],
      ),
    },
  }
}

function missingFile(name: string, uri: string): Left {
  return { origin: { uri }, title: headingOf(name), why: 'missing', required: REQUIRED.includes(name) }
}

function fragmentOf({ path, fileName, source, text, identity }: ContextDirText, uri: string): Fragment {
  const filename = neutralise(path).text
  const labels = { filename, source: filename === path ? source : neutralise(source).text }
  return {
    origin: { uri, labels, ...(identity !== undefined && { id: identity }) },
    kind: 'context',
    title: headingOf(fileName),
    text,
    syntax: 'markdown',
    scope: 'context-dir',
    ...(fileName === PINNED_FILE && { pinned: true }),
  }
}

function headingOf(fileName: string): string {
  return HEADINGS[fileName] ?? neutralise(fileName).text
}

/**
 * Reads one context file.
 *
 * @throws ContextError `not-found`; `invalid-input` for a binary file, or a path that is not a file; `denied` outside its
 * project; `unavailable` when it cannot be read; `over-limit` when it is too large.
 */
export function readContextFile(path: string) {
  const directory = dirname(path)
  // Without a mark of the project's root, the root is the directory that contains the context directory.
  const root = openRoot(projectRootOf(basename(directory) === CONTEXT_DIR ? dirname(directory) : directory))
  const file = readText(root, path)
  if (file.ok) return { ...file, fileName: basename(path), source: relativeTo(root.path, path) ?? path }
  const isOther = file.why === 'unreadable' && statOf(path)?.isFile() === false
  const code = isOther ? 'invalid-input' : (CODES[file.why] ?? 'unavailable')
  throw new ContextError(code, `${path} cannot be loaded: ${file.detail}`)
}

const CODES: Readonly<Partial<Record<FileRefusal['why'], ContextError['code']>>> = {
  missing: 'not-found',
  binary: 'invalid-input',
  denied: 'denied',
  'over-limit': 'over-limit',
}
