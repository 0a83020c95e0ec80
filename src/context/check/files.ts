import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Left, Run } from '../../core/flow.ts'
import { inTurns, yieldToEvents } from '../../core/steps.ts'
import { type Entry, type LocalRoot, openRoot } from '../../files/disk.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/roots.ts'
import { byCodeUnit, isWithin, pathDepth, relativeTo } from '../../text/paths.ts'
import type { DiscoveryTree } from '../discovery/tree.ts'
import type { Profile } from '../profiles/profile.ts'
import { PRIORITY_ORDER, readContextDir } from '../sources/context-dir.ts'
import { Instructions } from '../workspace/instructions.ts'

/** Scope of a check, and its files. */
export interface FilesRequest {
  /** Absolute path of a directory. */
  readonly directory: string
  readonly profile: Profile
  /** The user's home directory; `false` leaves it out. Default: the system's. */
  readonly home?: string | false | undefined
  /** Most directories at and below the place that are looked into. Default: `MOST_DIRECTORIES`. */
  readonly most?: number
}

interface Unreadable {
  readonly path: string
  readonly detail: string
}

/** A file whose name no tool looks for. */
interface MisnamedFile {
  readonly path: string
  /** The name that tools look for. */
  readonly right: string
}

/** The context files of a tree. */
export interface ContextFiles {
  /** Absolute path of the project's root, or of the directory above it that holds the context directory. */
  readonly root: string
  /** Absolute paths, each once, the shallow first. */
  readonly paths: readonly string[]
  /** Files and directories that are there and cannot be read. */
  readonly unreadable: readonly Unreadable[]
  /** Required files that the context directory lacks: absolute paths. Empty without a context directory. */
  readonly missing: readonly string[]
  readonly contextDir: string | undefined
  /** Whether all directories below the place were looked into; false when there are too many. */
  readonly complete: boolean
  readonly misnamed: readonly MisnamedFile[]
  readonly tree: DiscoveryTree
  /** The root that a path is opened through. */
  rootOf(path: string): LocalRoot
}

/** Directories at and below a place that are looked into. */
export const MOST_DIRECTORIES = 20_000

/** Why a file that is there cannot be read. */
const UNREADABLE: readonly Left['why'][] = ['unreadable', 'binary', 'denied', 'over-limit', 'failed', 'untrusted']

/** Finds the context directory, the instruction files that apply at the place, and those of every directory below it. */
export async function contextFiles(request: FilesRequest, run: Run): Promise<ContextFiles> {
  const { directory, profile, home, most = MOST_DIRECTORIES } = request
  const reading = await readContextDir({ start: directory, name: '.context', priorityOrder: PRIORITY_ORDER }, run)
  const found = new Instructions({
    cwd: directory,
    profile: { ...profile, reach: 'touched' },
    ...(home !== undefined && { home }),
  })
  const { complete, closed, misnamed } = await touchBelow(found.tree, { start: directory, most }, run)
  const selections = await Promise.all([found.project, ...found.homes].map((source) => source.gather({}, run)))
  const kept = selections.flatMap((selection) => selection.kept)
  const left = [...selections.flatMap((selection) => selection.left), ...reading.selection.left]
  const idle = left.filter(({ why }) => why === 'irrelevant')
  const contextDir = reading.dir?.path
  const root = rootWith(found.root, contextDir)
  const roots = new CheckedRoots(root, home)
  return {
    root,
    paths: pathsOf([...reading.files.keys(), ...[...kept, ...idle].map(({ origin }) => origin.uri)]),
    unreadable: [...left.flatMap((item) => collectUnreadable(item, roots)), ...closed],
    missing: contextDir === undefined ? [] : reading.missingRequired.map((name) => join(contextDir, name)),
    contextDir,
    complete,
    misnamed,
    tree: found.tree,
    rootOf: (path) => roots.of(path),
  }
}

function pathsOf(uris: readonly string[]): string[] {
  const paths = [...new Set(uris)].map((uri) => fileURLToPath(uri))
  return paths.sort((a, b) => pathDepth(a) - pathDepth(b) || byCodeUnit(a, b))
}

function rootWith(root: string, contextDir: string | undefined): string {
  const holds = contextDir === undefined ? root : projectRootOf(dirname(contextDir))
  return isWithin(holds, root) ? holds : root
}

function collectUnreadable({ origin, why, detail = '' }: Left, roots: CheckedRoots): Unreadable[] {
  const path = fileURLToPath(origin.uri)
  if (UNREADABLE.includes(why)) return [{ path, detail }]
  if (why !== 'missing' || !isDeadLink(path, roots)) return []
  return [{ path, detail: 'It is a link that leads nowhere.' }]
}

function isDeadLink(path: string, roots: CheckedRoots): boolean {
  return roots.linksIn(dirname(path)).has(basename(path))
}

/** The project's root and the home directory, each opened once. */
class CheckedRoots {
  readonly #paths: readonly string[]
  readonly #opened = new Map<string, LocalRoot>()
  readonly #links = new Map<string, ReadonlySet<string>>()

  constructor(root: string, home: string | false | undefined) {
    const at = home === false ? root : resolve(home ?? systemHome() ?? root)
    this.#paths = [root, at, dirname(at)]
  }

  of(path: string): LocalRoot {
    const at = this.#paths.find((root) => isWithin(root, path)) ?? dirname(path)
    const root = this.#opened.get(at) ?? openRoot(at, { unbounded: true })
    this.#opened.set(at, root)
    return root
  }

  /** Names of the links in a directory. */
  linksIn(directory: string): ReadonlySet<string> {
    const known = this.#links.get(directory)
    if (known) return known
    const listed = this.of(directory).list(directory, ({ kind }) => kind === 'link')
    const links = new Set(listed.ok ? listed.entries.map(({ name }) => name) : [])
    this.#links.set(directory, links)
    return links
  }
}

interface Walk {
  readonly start: string
  /** Maximum number of directories. */
  readonly most: number
  /** Whether an entry other than a directory is of use. */
  isWanted(entry: Entry): boolean
  /** Takes a directory, with its entries of use. */
  visit(directory: string, entries: readonly Entry[]): void
  /** Takes a directory that cannot be listed. */
  refuse?(directory: Unreadable): void
}

/**
 * Walks the directories below a place, the near ones first. Passes over what `.gitignore` excludes, `node_modules`, and other
 * repositories. Returns whether it came to the end.
 */
async function walkBelow(tree: DiscoveryTree, walk: Walk, run: Run): Promise<boolean> {
  const { start, most } = walk
  const matters = (entry: Entry) => entry.kind === 'directory' || entry.name === '.git' || walk.isWanted(entry)
  const queue = [start]
  for (let at = 0; at < queue.length; at++) {
    if (at === most) return false
    if (at % 256 === 255) await yieldToEvents(run.signal)
    const directory = queue[at] ?? start
    const listed = await inTurns(tree.root.listing(directory, matters), run.signal)
    const entries = listed.ok ? listed.entries : []
    if (directory !== start && (await isForeign(tree, directory, entries))) continue
    if (!listed.ok && listed.why !== 'missing') walk.refuse?.({ path: directory, detail: listed.detail })
    walk.visit(directory, entries)
    for (const { name, kind } of entries)
      if (kind === 'directory' && name !== '.git' && name !== 'node_modules') queue.push(join(directory, name))
  }
  return true
}

/** The result of `touchBelow`. */
interface TouchResult {
  /** Whether it came to the end. */
  readonly complete: boolean
  /** Directories that cannot be listed. */
  readonly closed: readonly Unreadable[]
  /** Files that have the name of an instruction file but for its case. */
  readonly misnamed: readonly MisnamedFile[]
}

/** Touches every directory below `start` that may hold instruction files, and the first `files` files. */
export async function touchBelow(
  tree: DiscoveryTree,
  { start, most, files = 0 }: { start: string; most: number; files?: number },
  run: Run,
): Promise<TouchResult> {
  let left = files
  const closed: Unreadable[] = []
  const misnamed: MisnamedFile[] = []
  const isSign = signsOf(tree)
  const rightName = nameFinder(tree)
  const visit = (directory: string, entries: readonly Entry[]) => {
    if (entries.some(({ name }) => isSign(name))) tree.touch(directory)
    for (const { name, kind } of entries) {
      const right = rightName(name)
      if (kind === 'file' && left-- > 0) tree.touch(join(directory, name))
      if (right !== undefined && !entries.some((one) => one.name === right))
        misnamed.push({ path: join(directory, name), right })
    }
  }
  const isWanted = ({ name }: Entry) => isSign(name) || left > 0 || rightName(name) !== undefined
  const refuse = (one: Unreadable) => closed.push(one)
  return { complete: await walkBelow(tree, { start, most, isWanted, visit, refuse }, run), closed, misnamed }
}

/** All files of a tree, relative to its root; undefined where there are too many to tell. */
export async function listTree(tree: DiscoveryTree, most: number, run: Run): Promise<readonly string[] | undefined> {
  const files: string[] = []
  const { root } = tree.options
  const visit = (directory: string, entries: readonly Entry[]) => {
    for (const { name, kind } of entries)
      if (kind !== 'directory') files.push(relativeTo(root, join(directory, name)) ?? '')
  }
  return (await walkBelow(tree, { start: root, most, isWanted: () => true, visit }, run)) ? files : undefined
}

/** Gives the right name of a file that differs from it by case alone. */
function nameFinder(tree: DiscoveryTree): (name: string) => string | undefined {
  const { names, fallback = [] } = tree.options.profile
  const right = [...names.flat(), ...fallback].filter((name) => !name.includes('/'))
  const byLower = new Map(right.map((name) => [name.toLowerCase(), name]))
  return (name) => {
    const found = byLower.get(name.toLowerCase())
    return found === name ? undefined : found
  }
}

/** The names by which a directory shows that it may hold instruction files. */
function signsOf(tree: DiscoveryTree): (name: string) => boolean {
  const { names, fallback = [], rules = [] } = tree.options.profile
  const paths = [...names.flat(), ...fallback, ...rules.map(({ folder }) => folder)]
  const signs = new Set(paths.map((path) => path.split('/')[0]))
  return (name) => signs.has(name)
}

async function isForeign(tree: DiscoveryTree, directory: string, entries: readonly { readonly name: string }[]) {
  if (entries.some(({ name }) => name === '.git')) return true
  return relativeTo(tree.options.root, directory) === undefined || tree.ignored.excludes(join(directory, '.gitkeep'))
}
