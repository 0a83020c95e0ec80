import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Left, Run } from '../../core/flow.ts'
import { runStepsAsync, yieldToEvents } from '../../core/steps.ts'
import { type Entry, type LocalRoot, openRoot } from '../../files/disk.ts'
import { isDirectory } from '../../files/file-version.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/roots.ts'
import { byCodeUnit, isWithin, pathDepth, relativeTo } from '../../text/paths.ts'
import type { DiscoveryTree } from '../discovery/tree.ts'
import type { Profile } from '../profiles/profile.ts'
import { readContextDir } from '../sources/context-dir.ts'
import { Instructions } from '../workspace/instructions.ts'

/** The place of a check, and the tool whose files are checked. */
export interface FilesRequest {
  /** Absolute path of a directory. */
  readonly directory: string
  readonly profile: Profile
  /** The user's home directory; `false` leaves it out. Default: the system's. */
  readonly home?: string | false | undefined
  /** Maximum number of directories at and below the place. Default: `MAX_DIRECTORIES`. */
  readonly maxDirectories?: number
}

/** The context files of a tree. */
export type ContextFiles = Awaited<ReturnType<typeof contextFiles>>

interface UnreadableFile {
  readonly path: string
  readonly detail: string
}

/** Maximum number of directories at and below a place. */
export const MAX_DIRECTORIES = 20_000

/** Reasons why an existing file cannot be read. */
const UNREADABLE: readonly Left['why'][] = ['unreadable', 'binary', 'denied', 'over-limit', 'failed', 'untrusted']

/** Finds the context directory, and the instruction files that apply at the place and in every directory below it. */
export async function contextFiles(request: FilesRequest, run: Run) {
  const { directory, profile, home, maxDirectories = MAX_DIRECTORIES } = request
  const reading = await readContextDir({ start: directory }, run)
  const instructions = new Instructions({ cwd: directory, profile: { ...profile, reach: 'touched' }, home })
  const { unlistable, ...walk } = await touchBelow(instructions.tree, { start: directory, maxDirectories }, run)
  const sources = [instructions.project, ...instructions.homes]
  const selections = await Promise.all(sources.map((source) => source.gather({}, run)))
  const kept = selections.flatMap((one) => one.kept)
  // A directory can have the name of an instruction file, such as a route of a web site.
  const files = selections.flatMap((one) => one.left.filter(({ origin }) => !isDirectory(fileURLToPath(origin.uri))))
  const left = [...files, ...reading.selection.left]
  // Files that do not apply here are checked, too. A file that seems empty may hold invisible characters.
  const readableLeft = left.filter(({ why }) => why === 'irrelevant' || why === 'empty')
  const contextDir = reading.dir?.path
  const contextRoot = contextDir === undefined ? instructions.root : projectRootOf(dirname(contextDir))
  const root = isWithin(contextRoot, instructions.root) ? contextRoot : instructions.root
  const rootOf = rootsOf(root, home)
  const uris = new Set([...reading.files.keys(), ...[...kept, ...readableLeft].map(({ origin }) => origin.uri)])
  const paths = [...uris].map((uri) => fileURLToPath(uri))
  return {
    ...walk,
    /** Absolute path of the project's root, or of the root of an outer project that contains the context directory. */
    root,
    /** Paths of files that another file asks to read, but that no tool loads by itself. */
    referencedPaths: new Set(
      sources.flatMap(({ findings }) => [...findings.values()].flatMap((one) => (one.isReferenced ? [one.path] : []))),
    ),
    /** Absolute paths, each once, shallow ones first. */
    paths: paths.sort((a, b) => pathDepth(a) - pathDepth(b) || byCodeUnit(a, b)),
    /** Existing files and directories that cannot be read. */
    unreadable: [...left.flatMap((item) => collectUnreadable(item, rootOf)), ...unlistable],
    /** Required files that the context directory lacks: absolute paths. Empty without a context directory. */
    missingRequired: contextDir === undefined ? [] : reading.missingRequired.map((name) => join(contextDir, name)),
    contextDir,
    tree: instructions.tree,
    /** Returns the opened root through which a path is read. */
    rootOf,
  }
}

function collectUnreadable({ origin, why, detail = '' }: Left, rootOf: RootFinder): UnreadableFile[] {
  const path = fileURLToPath(origin.uri)
  // `@/mocks` is an alias of code, and not a path from the root of the disk.
  if (why === 'denied' && /^\/[^/.]+$/.test(path)) return []
  if (UNREADABLE.includes(why)) return [{ path, detail }]
  if (why !== 'missing') return []
  const links = rootOf(path).list(dirname(path), ({ name, kind }) => kind === 'link' && name === basename(path))
  return links.ok && links.entries.length > 0 ? [{ path, detail: 'It is a link that leads nowhere.' }] : []
}

type RootFinder = (path: string) => LocalRoot

/** Finds the root of a path: the project, the home directory or its parent, else the directory of the path. Opens each root once. */
function rootsOf(root: string, home: string | false | undefined): RootFinder {
  const homeRoot = home === false ? root : resolve(home ?? systemHome() ?? root)
  const opened = new Map<string, LocalRoot>()
  return (path) => {
    const rootPath = [root, homeRoot, dirname(homeRoot)].find((one) => isWithin(one, path)) ?? dirname(path)
    const openedRoot = opened.get(rootPath) ?? openRoot(rootPath, { unbounded: true })
    opened.set(rootPath, openedRoot)
    return openedRoot
  }
}

/**
 * Walks a directory and the directories below it, the nearest first. For each directory, yields the wanted entries, or why it cannot be listed. Skips
 * ignored directories, `node_modules`, and other repositories. At the maximum, yields `undefined` and ends.
 */
async function* walkBelow(
  tree: DiscoveryTree,
  { start, maxDirectories, isWanted }: { start: string; maxDirectories: number; isWanted(entry: Entry): boolean },
  { signal }: Run,
): AsyncGenerator<{ directory: string; entries: readonly Entry[]; detail: string | undefined } | undefined> {
  const isRelevant = (entry: Entry) => entry.kind === 'directory' || entry.name === '.git' || isWanted(entry)
  const queue = [start]
  for (const [index, directory] of queue.entries()) {
    if (index === maxDirectories) return yield undefined
    if (index % 256 === 255) await yieldToEvents(signal)
    const listed = await runStepsAsync(tree.root.listing(directory, isRelevant), signal)
    const entries = listed.ok ? listed.entries : []
    const isOtherRepo = () => entries.some(({ name }) => name === '.git') || !isWithin(tree.options.root, directory)
    if (directory !== start && (isOtherRepo() || (await tree.gitignore.excludes(join(directory, '.gitkeep'))))) continue
    yield { directory, entries, detail: listed.ok || listed.why === 'missing' ? undefined : listed.detail }
    for (const { name, kind } of entries)
      if (kind === 'directory' && name !== '.git' && name !== 'node_modules') queue.push(join(directory, name))
  }
}

/**
 * Touches (marks as used by a session) every directory below `start` that may contain instruction files, and the first
 * `maxFiles` files.
 *
 * @returns `isComplete`: whether all directories were visited. `unlistable`: directories that cannot be listed.
 * `misnamedFiles`: files that have the name of an instruction file, except for its case.
 */
export async function touchBelow(
  tree: DiscoveryTree,
  { start, maxDirectories, maxFiles = 0 }: { start: string; maxDirectories: number; maxFiles?: number },
  run: Run,
) {
  let remainingFiles = maxFiles
  let isComplete = true
  const unlistable: UnreadableFile[] = []
  const misnamedFiles: { readonly path: string; readonly expectedName: string }[] = []
  const { names, fallback = [], rules = [] } = tree.options.profile
  const paths = [...names.flat(), ...fallback]
  // An entry with one of these names shows that a directory may contain instruction files.
  const markers = new Set([...paths, ...rules.map(({ folder }) => folder)].map((path) => path.split('/')[0]))
  const rightNames = new Map(paths.flatMap((name) => (name.includes('/') ? [] : [[name.toLowerCase(), name] as const])))
  // The correct name of an instruction file whose name differs only in case.
  const expectedNameFor = (name: string) => {
    const expectedName = rightNames.get(name.toLowerCase())
    return expectedName === name ? undefined : expectedName
  }
  const isWanted = ({ name }: Entry) => markers.has(name) || remainingFiles > 0 || expectedNameFor(name) !== undefined
  for await (const visit of walkBelow(tree, { start, maxDirectories, isWanted }, run)) {
    isComplete = visit !== undefined
    const { directory = start, entries = [], detail } = visit ?? {}
    if (detail !== undefined) unlistable.push({ path: directory, detail })
    if (entries.some(({ name }) => markers.has(name))) tree.touch(directory)
    for (const { name, kind } of entries) {
      const expectedName = expectedNameFor(name)
      if (kind === 'file' && remainingFiles-- > 0) tree.touch(join(directory, name))
      if (expectedName !== undefined && !entries.some((one) => one.name === expectedName))
        misnamedFiles.push({ path: join(directory, name), expectedName })
    }
  }
  return { isComplete, unlistable, misnamedFiles }
}

/** All files of a tree, relative to its root; undefined if there are too many. */
export async function listTree(tree: DiscoveryTree, maxDirectories: number, run: Run) {
  const files: string[] = []
  const { root } = tree.options
  for await (const visit of walkBelow(tree, { start: root, maxDirectories, isWanted: () => true }, run)) {
    if (!visit) return undefined
    for (const { name, kind } of visit.entries)
      if (kind !== 'directory') files.push(relativeTo(root, join(visit.directory, name)) ?? '')
  }
  return files
}
