/** Walks the files of a tree for a code index. Skips ignored files, as ripgrep does. */

import type { Steps } from '../../core/steps.ts'
import type { Entry, LocalRoot } from '../../files/disk.ts'
import { isSettled, statOf } from '../../files/file-version.ts'
import { readIgnoreRules } from '../../files/text-file.ts'
import { type IgnoreRules, isIgnored } from '../../text/gitignore.ts'
import { looksSecret } from '../../text/secrets.ts'
import { isIndexable, isVendored } from '../languages.ts'

/** Size, times in milliseconds and inode of a file or directory: equal stamps mean unchanged content. */
export type Stamp = readonly [size: number, mtime: number, ctime: number, inode: number]

/** A walked directory. Paths are relative to the root; `''` is the root. */
export interface WalkedDirectory {
  readonly path: string
  readonly stamp: Stamp
  /** Paths of the files to index. */
  readonly files: readonly string[]
  /** Names of the directories to walk. */
  readonly directories: readonly string[]
  /** The ignore files in the directory, by name, with their stamps. */
  readonly rules: readonly (readonly [name: string, stamp: Stamp])[]
}

export interface WalkedFile {
  readonly path: string
  readonly stamp: Stamp
}

export interface WalkedTree {
  readonly directories: readonly WalkedDirectory[]
  readonly files: readonly WalkedFile[]
  /** Whether the tree has more than `MAX_INDEXED_FILES` files. */
  readonly isCut: boolean
}

/** Maximum indexed files of a tree. */
export const MAX_INDEXED_FILES = 200_000
const MAX_DEPTH = 64
/** Number of files between two pauses for other work. */
const FILES_PER_STEP = 2048
const RULE_FILES = ['.gitignore', '.ignore']

/**
 * Returns the ignore rules of a directory and of its parents, the nearest last. The first call reads the ignore files.
 * The walk of an unchanged tree makes no call, so it reads none.
 */
type RuleChain = () => readonly IgnoreRules[]

/** Stamp of an entry that changed a moment ago. A change in the same tick of the clock would not show, so the next walk reads it. */
export const UNSETTLED: Stamp = [-1, 0, 0, 0]

/** Stamp of an entry without a file, such as a broken link. */
const MISSING: Stamp = [-2, 0, 0, 0]

/**
 * Walks a tree. Reuses the `known` listing of each directory whose stamp and ignore files are unchanged, and the known `WalkedFile` of each file
 * that is unchanged and has the same index in `files`.
 */
export function walkCodeTree(
  root: LocalRoot,
  known: Pick<WalkedTree, 'directories' | 'files'> = { directories: [], files: [] },
): Steps<WalkedTree> {
  return new TreeWalk(root, known).run()
}

class TreeWalk {
  readonly #root: LocalRoot
  readonly #known: ReadonlyMap<string, WalkedDirectory>
  readonly #knownFiles: readonly WalkedFile[]
  readonly #directories: WalkedDirectory[] = []
  readonly #files: WalkedFile[] = []
  #isCut = false

  constructor(root: LocalRoot, { directories, files }: Pick<WalkedTree, 'directories' | 'files'>) {
    this.#root = root
    this.#known = new Map(directories.map((directory) => [directory.path, directory]))
    this.#knownFiles = files
  }

  *run(): Steps<WalkedTree> {
    yield* this.#walk('', () => [], { depth: 0, isStale: false })
    return { directories: this.#directories, files: this.#files, isCut: this.#isCut }
  }

  /** Walks a directory and the directories below it. `isStale`: whether ignore files above the directory changed. */
  *#walk(path: string, above: RuleChain, { depth, isStale }: { depth: number; isStale: boolean }): Steps<void> {
    const stamp = readStamp(this.#root, path)
    if (!stamp || depth > MAX_DEPTH) return
    const known = this.#known.get(path)
    const keepsRules = known?.rules.every(([name, old]) => isUnchanged(this.#root, joinPath(path, name), old))
    const isSame = known && !isStale && keepsRules && areSameStamps(known.stamp, stamp)
    const directory = isSame ? known : this.#listDirectory(path, stamp, above)
    if (!directory) return
    const next = { depth: depth + 1, isStale: isStale || !keepsRules || directory.rules.length !== known?.rules.length }
    this.#directories.push(directory)
    for (const file of directory.files) {
      this.#isCut ||= this.#files.length >= MAX_INDEXED_FILES
      if (this.#isCut) return
      this.#addFile(file)
      if (this.#files.length % FILES_PER_STEP === 0) yield
    }
    let rules: readonly IgnoreRules[] | undefined
    const readRules = () => {
      rules ??= this.#rulesOf(directory, above)
      return rules
    }
    for (const name of directory.directories) yield* this.#walk(joinPath(path, name), readRules, next)
  }

  #addFile(path: string): void {
    const knownFile = this.#knownFiles[this.#files.length]
    const stamp = readStamp(this.#root, path) ?? MISSING
    this.#files.push(knownFile?.path === path && areSameStamps(knownFile.stamp, stamp) ? knownFile : { path, stamp })
  }

  #rulesOf({ path, rules }: Pick<WalkedDirectory, 'path' | 'rules'>, above: RuleChain): readonly IgnoreRules[] {
    const ownRules = rules.map(([name]) => ({ path, verdict: readIgnoreRules(this.#root, joinPath(path, name)) }))
    return [...above(), ...ownRules]
  }

  #listDirectory(path: string, stampBefore: Stamp, above: RuleChain): WalkedDirectory | undefined {
    const listedPath = path === '' ? '.' : path
    const version = this.#root.version(listedPath)
    const listing = this.#root.list(listedPath)
    if (!listing.ok || !version) return undefined
    const names = new Set(listing.entries.map(({ name }) => name))
    const rules = RULE_FILES.flatMap((name) => {
      const ruleStamp = names.has(name) ? readStamp(this.#root, joinPath(path, name)) : undefined
      return ruleStamp ? [[name, ruleStamp] as const] : []
    })
    const allRules = this.#rulesOf({ path, rules }, above)
    const walkedEntries = listing.entries.filter((entry) => isWalked(joinPath(path, entry.name), entry, allRules))
    const namesOf = (kind: Entry['kind']) => walkedEntries.flatMap((entry) => (entry.kind === kind ? [entry.name] : []))
    const stamp = isSettled(version, Date.now()) ? stampBefore : UNSETTLED
    const files = namesOf('file').map((name) => joinPath(path, name))
    return { path, stamp, files, directories: namesOf('directory'), rules }
  }
}

function isWalked(path: string, { name, kind }: Entry, rules: readonly IgnoreRules[]): boolean {
  if (name.startsWith('.') || (kind !== 'file' && kind !== 'directory')) return false
  const isDirectory = kind === 'directory'
  if (isDirectory ? isVendored(name) : !isIndexable(path) || looksSecret(path)) return false
  return !isIgnored(path, isDirectory, rules)
}

function isUnchanged(root: LocalRoot, path: string, stamp: Stamp): boolean {
  const current = readStamp(root, path)
  return current !== undefined && areSameStamps(current, stamp)
}

/** The stamp of a path, for comparison only. Whether the file may be read is checked when the file is opened. */
function readStamp(root: LocalRoot, path: string): Stamp | undefined {
  const stat = statOf(path === '' ? root.realPath : `${root.realPath}/${path}`)
  return stat && [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino]
}

export function areSameStamps(a: Stamp, b: Stamp): boolean {
  return a[2] === b[2] && a[1] === b[1] && a[0] === b[0] && a[3] === b[3]
}

function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
