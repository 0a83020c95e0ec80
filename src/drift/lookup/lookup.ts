import { lstatSync, readlinkSync } from 'node:fs'
import { join, posix, resolve, sep } from 'node:path'
import { tryToRead } from '../../core/errors.ts'
import { pathBelowRoot } from '../../files/confine.ts'
import type { LocalRoot } from '../../files/disk.ts'
import { readIgnoreRules, readText } from '../../files/text-file.ts'
import { type IgnoreRules, type IgnoreVerdict, isIgnored } from '../../text/gitignore.ts'
import { foldersAbove } from '../../text/paths.ts'
import { mayBeAbsent } from '../citations/shape.ts'

/** Limits of the search for a missing path: levels below the root, and the total number of directories. */
export type LookupLimits = Readonly<Record<'levels' | 'directories', number>>

/** Maximum recorded paths of a name. A second path shows that the name is ambiguous. */
const MAX_NAMED = 2

/** Looks up paths of a tree, each path once. Paths are normalised and relative to the root; `''` is the root. */
export class TreeLookup {
  readonly #root: LocalRoot
  readonly #limits: LookupLimits
  readonly #places: PathResolver
  readonly #texts = new Map<string, string | undefined>()
  readonly #rules = new Map<string, IgnoreVerdict | undefined>()
  /** The directories within the limits that are known so far, shallow first. */
  readonly #queue: string[] = ['']
  /** The names in the directories that were listed. */
  readonly #namesByDirectory = new Map<string, ReadonlySet<string>>()
  #byName: ReadonlyMap<string, readonly string[]> | undefined
  /** Whether the tree has too many directories, or a directory has too many entries to list. */
  #isPartial = false

  constructor(root: LocalRoot, limits: LookupLimits) {
    this.#root = root
    this.#places = new PathResolver(root)
    this.#limits = limits
  }

  /** Whether a path exists. Paths outside of the tree count as existing. */
  exists(path: string): boolean {
    return this.#places.at(path) !== 'absent'
  }

  isDirectory(path: string): boolean {
    const place = this.#places.at(path)
    return typeof place === 'object' && place.isDirectory
  }

  /** The text of a file; undefined for an unreadable file. */
  textOf(path: string): string | undefined {
    return rememberValue(this.#texts, path, () => {
      const file = this.exists(path) ? readText(this.#root, path) : undefined
      return file?.ok ? file.content : undefined
    })
  }

  /** The rules of a `.gitignore`; undefined for a missing file. */
  rulesAt(path: string): IgnoreVerdict | undefined {
    return rememberValue(this.#rules, path, () => (this.exists(path) ? readIgnoreRules(this.#root, path) : undefined))
  }

  /**
   * The directories of the tree within the limits, shallow first, with the names of their entries. Output directories
   * of tools are left out. A directory is listed only when the caller asks for the next directory.
   */
  *directories(): Generator<readonly [path: string, names: ReadonlySet<string>]> {
    for (const path of this.#queue) yield [path, this.#namesByDirectory.get(path) ?? this.#list(path)]
  }

  #list(path: string): ReadonlySet<string> {
    const listing = this.#root.list(path === '' ? '.' : path)
    const entries = listing.ok ? listing.entries : []
    this.#isPartial ||= !listing.ok && listing.why === 'over-limit'
    const names = new Set(entries.map(({ name }) => name))
    this.#namesByDirectory.set(path, names)
    if (path !== '' && path.split('/').length >= this.#limits.levels) return names
    for (const { name, kind } of entries) {
      const entryPath = posix.join(path, name)
      // A directory of code may be called `out`, too, so only an ignored `out` is an output directory.
      const isOutput = mayBeAbsent(name) && (/^\.git$|^node_modules$/.test(name) || this.isIgnored(entryPath))
      if (kind !== 'directory' || isOutput) continue
      if (this.#queue.length < this.#limits.directories) this.#queue.push(entryPath)
      else this.#isPartial = true
    }
    return names
  }

  /** Whether a `.gitignore` ignores a path: then it may be missing in this checkout, and exist in another checkout. */
  isIgnored(path: string): boolean {
    const rulesIn = (folder: string) => ({ path: folder, verdict: this.rulesAt(posix.join(folder, '.gitignore')) })
    return isRuledOut(path, foldersAbove(path).map(rulesIn))
  }

  /** Whether `directories` lists all entries down to the level limit; false if the tree or a directory is too large. */
  get isComplete(): boolean {
    for (const _ of this.directories());
    return !this.#isPartial
  }

  /** The paths of at most `MAX_NAMED` files or directories within the limits that have a name. */
  pathsNamed(name: string): readonly string[] {
    this.#byName ??= this.#indexNames()
    return this.#byName.get(name) ?? []
  }

  #indexNames(): Map<string, string[]> {
    const index = new Map<string, string[]>()
    for (const [directory, names] of this.directories()) {
      for (const name of names) {
        const paths = index.get(name) ?? []
        if (paths.length < MAX_NAMED) index.set(name, [...paths, posix.join(directory, name)])
      }
    }
    return index
  }

  /** Whether a directory has a file with the extension, or has no file at all. */
  hasKind(directory: string, extension: string): boolean {
    const listing = this.#root.list(directory === '' ? '.' : directory)
    const files = listing.ok ? listing.entries.filter(({ kind }) => kind !== 'directory') : []
    return files.length === 0 || files.some(({ name }) => name.endsWith(extension))
  }

  /** Whether the path exists relative to any directory within the limits. */
  isSomewhere(path: string): boolean {
    const first = path.split('/')[0] ?? ''
    for (const [directory, names] of this.directories()) {
      if (names.has(first) && this.exists(posix.join(directory, path))) return true
    }
    return false
  }
}

/** Whether the rules ignore a path (as a file or a directory) or a directory above it. `rules`: from the root down. */
export function isRuledOut(path: string, rules: readonly IgnoreRules[]): boolean {
  const places = [...foldersAbove(path), path].slice(1)
  return isIgnored(path, false, rules) || places.some((place, at) => isIgnored(place, true, rules.slice(0, at + 1)))
}

/** The value of a key in a cache. If the cache lacks the key, calls `make` and caches its result. */
export function rememberValue<Value>(map: Map<string, Value | undefined>, key: string, make: () => Value | undefined) {
  if (!map.has(key)) map.set(key, make())
  return map.get(key)
}

/** Turns a path relative to a directory into a path relative to the root. Undefined for a path outside the root. */
export function pathWithin(directory: string, path: string): string | undefined {
  const place = posix.normalize(posix.join(directory === '' ? '.' : directory, path)).replace(/\/$/, '')
  if (place === '..' || place.startsWith('../') || place.startsWith('/')) return undefined
  return place === '.' ? '' : place
}

/** A directory and its parents up to the root. A path that a text in the directory cites may start in any of them. */
export function withParents(directory: string): readonly string[] {
  return [directory, ...foldersAbove(directory).toReversed()]
}

/** A file or directory of a tree. `path`: its path without symbolic links. */
interface TreeEntry {
  readonly path: string
  readonly isDirectory: boolean
}

type ResolvedEntry = TreeEntry | 'absent' | 'outside'

/** Maximum symbolic links that are followed one after the other. Linux has the same limit. */
const MAX_LINKS = 40

const ROOT: TreeEntry = { path: '', isDirectory: true }

/**
 * Resolves paths of a tree without touching anything outside of it. A link out of the tree is `outside`, whether or not its
 * target exists.
 */
export class PathResolver {
  readonly #root: LocalRoot
  readonly #resolved = new Map<string, ResolvedEntry>()

  constructor(root: LocalRoot) {
    this.#root = root
  }

  /** `path` is normalised and relative to the root; `''` is the root. `links`: symbolic links followed so far. */
  at(path: string, links = 0): ResolvedEntry {
    if (/(?:^|\/)\.\.(?:\/|$)/.test(path)) return 'absent'
    const cached = path === '' ? ROOT : this.#resolved.get(path)
    if (cached !== undefined) return cached
    let place: ResolvedEntry = ROOT
    for (let end = 0; end < path.length && typeof place === 'object'; ) {
      const next = path.indexOf('/', end + 1)
      end = next < 0 ? path.length : next
      place = this.#resolveChild(place, path.slice(0, end), links)
    }
    this.#resolved.set(path, place)
    return place
  }

  #resolveChild(parent: TreeEntry, path: string, links: number): ResolvedEntry {
    const cached = this.#resolved.get(path)
    if (cached !== undefined) return cached
    this.#resolved.set(path, 'absent') // a link to itself has no target
    const realPath = posix.join(parent.path, path.slice(path.lastIndexOf('/') + 1))
    const place = realPath === path ? this.#readEntry(parent, path, links) : this.at(realPath, links)
    this.#resolved.set(path, place)
    return place
  }

  /** Reads the entry at a path. Only the last segment of the path may be a symbolic link. */
  #readEntry(parent: TreeEntry, path: string, links: number): ResolvedEntry {
    const absolute = join(this.#root.realPath, path)
    const stat = parent.isDirectory ? tryToRead(() => lstatSync(absolute, { throwIfNoEntry: false })) : undefined
    if (stat === undefined) return 'absent'
    return stat.isSymbolicLink() ? this.#follow(path, links + 1) : { path, isDirectory: stat.isDirectory() }
  }

  #follow(path: string, links: number): ResolvedEntry {
    const link = join(this.#root.realPath, path)
    const target = links > MAX_LINKS ? undefined : tryToRead(() => readlinkSync(link))
    if (target === undefined) return 'outside'
    const absolute = resolve(link, '..', target)
    const relative = pathBelowRoot(this.#root.realPath, absolute) ?? pathBelowRoot(this.#root.path, absolute)
    return relative === undefined ? 'outside' : this.at(relative.split(sep).join('/'), links)
  }
}
