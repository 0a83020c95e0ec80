import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Left, Run } from '../../core/flow.ts'
import { inTurns, yieldToEvents } from '../../core/steps.ts'
import { type Entry, type LocalRoot, openRoot } from '../../files/disk.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/project-root.ts'
import { byCodeUnit, isWithin, pathDepth, relativeTo } from '../../text/paths.ts'
import type { DiscoveryTree } from '../discovery/tree.ts'
import type { Profile } from '../profiles/profile.ts'
import { PRIORITY_ORDER, readContextDir } from '../sources/context-dir.ts'
import { Instructions } from '../workspace/instructions.ts'

/** Where files are looked for, and which. */
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
  const { complete, closed } = await touchBelow(found.tree, { start: directory, most }, run)
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

/** What came of looking below a place. */
interface Below {
  /** Whether it came to the end. */
  readonly complete: boolean
  /** Directories that cannot be listed. */
  readonly closed: readonly Unreadable[]
}

/**
 * Touches every directory below `start` that may hold instruction files, and the first `files` files. Passes over what `.gitignore` excludes,
 * `node_modules`, and other repositories.
 */
export async function touchBelow(
  tree: DiscoveryTree,
  { start, most, files = 0 }: { start: string; most: number; files?: number },
  run: Run,
): Promise<Below> {
  let left = files
  const closed: Unreadable[] = []
  const isSign = signsOf(tree)
  const matters = ({ name, kind }: Entry) => kind === 'directory' || name === '.git' || isSign(name) || left > 0
  const queue = [start]
  for (let at = 0; at < queue.length; at++) {
    if (at === most) return { complete: false, closed }
    if (at % 256 === 255) await yieldToEvents(run.signal)
    const directory = queue[at] ?? start
    const listed = await inTurns(tree.root.listing(directory, matters), run.signal)
    const entries = listed.ok ? listed.entries : []
    if (directory !== start && (await isForeign(tree, directory, entries))) continue
    if (!listed.ok && listed.why !== 'missing') closed.push({ path: directory, detail: listed.detail })
    if (entries.some(({ name }) => isSign(name))) tree.touch(directory)
    for (const { name, kind } of entries) {
      if (kind === 'file' && left-- > 0) tree.touch(join(directory, name))
      if (kind === 'directory' && name !== '.git' && name !== 'node_modules') queue.push(join(directory, name))
    }
  }
  return { complete: true, closed }
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
