import { ContextError, invalidInput } from '../../core/errors.ts'
import { checkDirectory, checkLogicalKey, quoteForeign } from '../names.ts'
import type { ManifestDirectory, ManifestEntry } from '../records.ts'
import { byCodePoint, readInOrder, type RecordVisitor } from './in-order.ts'
import type { Json } from './json.ts'
import { type Manifest, namedBy } from './manifest.ts'
import { nearest } from '../../text/nearest.ts'

/** A directory in a directory of a package, and all below it. */
export interface ChildDirectory {
  readonly kind: 'directory'
  readonly name: string
  readonly totalEntries: number
  readonly totalBytes: number
}

export interface ChildEntry {
  readonly kind: 'entry'
  readonly name: string
  readonly entry: ManifestEntry
}

/** A page of a directory of a package. */
export interface DirectoryPage {
  /** Without slashes around it; `''` is the package itself. */
  readonly path: string
  /** What its maker says of it; null when nothing. */
  readonly userMeta: Json
  /** Of all below it. */
  readonly totalEntries: number
  readonly totalBytes: number
  /** What is in it, by name. */
  readonly children: readonly (ChildDirectory | ChildEntry)[]
  readonly totalChildren: number
  /** What to give as `after` for more; absent on the last page. */
  readonly next?: string
}

interface DirectoryOptions {
  /** Most children of a page. Default: 1,000. */
  readonly limit?: number | undefined
  /** The name of the last child of the page before. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * What is in a directory of a package.
 *
 * @throws ContextError `not-found`; `invalid-input` for a path that leaves the package, and where an entry does.
 */
export async function listDirectory(
  manifest: Manifest,
  path: string,
  { limit = 1000, after = '', signal }: DirectoryOptions = {},
): Promise<DirectoryPage> {
  const directory = checkDirectory(path)
  const start = () => new Listing(manifest, directory, { limit, after })
  const listing = await readInOrder(manifest, start, { signal })
  if (!listing.isThere) throw entryNotFound(`The package has no directory ${quoteForeign(directory)}.`, listing.hint)
  return listing.page()
}

class Listing implements RecordVisitor {
  readonly #manifest: Manifest
  readonly #path: string
  /** What the keys below it begin with. */
  readonly #prefix: string
  readonly #limit: number
  readonly #after: string
  readonly #children: (ChildDirectory | ChildEntry)[] = []
  #last: ChildDirectory | ChildEntry | undefined
  #totals = { totalEntries: 0, totalBytes: 0, totalChildren: 0 }
  #userMeta: Json = null
  #next: string | undefined
  isThere: boolean
  hint = '"ambit package ls" shows what it has.'

  constructor(manifest: Manifest, path: string, { limit, after }: { limit: number; after: string }) {
    this.#manifest = manifest
    this.#path = path
    this.#prefix = path === '' ? '' : `${path}/`
    this.#limit = limit
    this.#after = after
    this.isThere = path === ''
  }

  directory({ logicalKey, userMeta }: ManifestDirectory): void {
    if (logicalKey !== this.#path) return
    this.#userMeta = userMeta
    this.isThere = true
  }

  entry(entry: ManifestEntry): void {
    const { logicalKey, size } = entry
    if (logicalKey === this.#path) this.hint = 'It is an entry: "ambit package cat" shows it.'
    if (!logicalKey.startsWith(this.#prefix)) return
    this.isThere = true
    this.#totals.totalEntries++
    this.#totals.totalBytes += size ?? 0
    const end = logicalKey.indexOf('/', this.#prefix.length)
    const name = logicalKey.slice(this.#prefix.length, end < 0 ? undefined : end)
    const last = this.#last
    // Children come by name: what is in the same directory follows each other.
    if (end >= 0 && last?.kind === 'directory' && last.name === name) this.#grow(last, size ?? 0)
    else this.#add(end < 0 ? { kind: 'entry', name, entry } : childDirectory(name, size ?? 0), entry)
  }

  page(): DirectoryPage {
    const [path, userMeta, children, next] = [this.#path, this.#userMeta, this.#children, this.#next]
    return { path, userMeta, ...this.#totals, children, ...(next === undefined ? {} : { next }) }
  }

  #add(child: ChildDirectory | ChildEntry, { line, logicalKey }: ManifestEntry): void {
    if (child.name === '' || child.name === '.' || child.name === '..')
      throw namedBy(
        this.#manifest,
        invalidInput(`Line ${line}: the logical key ${quoteForeign(logicalKey)} leaves the package.`),
      )
    this.#totals.totalChildren++
    this.#last = child
    if (this.#after !== '' && byCodePoint(child.name, this.#after) <= 0) return
    if (this.#children.length < this.#limit) this.#children.push(child)
    else this.#next ??= this.#children.at(-1)?.name
  }

  #grow(last: ChildDirectory, bytes: number): void {
    const grown = { ...last, totalEntries: last.totalEntries + 1, totalBytes: last.totalBytes + bytes }
    this.#last = grown
    if (this.#children.at(-1) === last) this.#children[this.#children.length - 1] = grown
  }
}

function childDirectory(name: string, bytes: number): ChildDirectory {
  return { kind: 'directory', name, totalEntries: 1, totalBytes: bytes }
}

/** @throws ContextError `not-found`; `invalid-input` for a key that would leave the package, and as `readInOrder`. */
export async function entryAt(
  manifest: Manifest,
  key: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ManifestEntry> {
  const folder = `${checkLogicalKey(key)}/`
  const gather = () => ({
    found: undefined as ManifestEntry | undefined,
    isDirectory: false,
    /** Keys of other entries, in the order of the manifest. */
    beside: [] as string[],
    entry(entry: ManifestEntry) {
      if (entry.logicalKey === key) this.found = entry
      else if (this.beside.length < MOST_BESIDE) this.beside.push(entry.logicalKey)
      this.isDirectory ||= entry.logicalKey.startsWith(folder)
    },
  })
  const { found, isDirectory, beside } = await readInOrder(manifest, gather, options)
  if (found) return found
  if (isDirectory)
    throw entryNotFound(`${quoteForeign(key)} is a directory of the package.`, '"ambit package ls" lists it.')
  const near = nearest(key, [...beside, ...directoriesOf(beside)])
  const hint = near.length > 0 ? `Similar: ${near.join(', ')}.` : '"ambit package ls" shows what it has.'
  throw entryNotFound(`The package has no ${quoteForeign(key)}.`, hint)
}

/** The directories that keys are in, without slashes at their ends. */
function directoriesOf(keys: readonly string[]): Set<string> {
  return new Set(keys.flatMap((key) => [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index))))
}

/** Keys that are looked through for what is near to one that is not there. */
const MOST_BESIDE = 10_000

export function entryNotFound(message: string, hint: string): ContextError {
  return new ContextError('not-found', message, { hint })
}
