import { ContextError, invalidInput } from '../../core/errors.ts'
import { compareBytes } from '../../files/objects.ts'
import { nearest } from '../../text/nearest.ts'
import { foldersAbove } from '../../text/paths.ts'
import type { PackageChild, PackageLsAnswer, PackageLsRequest, RevisionAnswer, Stoppable } from '../answers.ts'
import { checkDirectory, checkLogicalKey, quoteForeign } from '../names.ts'
import { type ManifestDirectory, type ManifestEntry, userMetaOf } from '../records.ts'
import { type RecordVisitor, readInOrder } from './in-order.ts'
import { addManifestName, type Manifest } from './manifest.ts'

export type DirectoryPage = Omit<PackageLsAnswer, keyof RevisionAnswer>

/**
 * The entries of a directory of a package.
 *
 * @throws ContextError `not-found`; `invalid-input` if the path or an entry leaves the package.
 */
export async function listDirectory(
  manifest: Manifest,
  path: string,
  { limit = 1000, after = '', signal }: Pick<PackageLsRequest, 'limit' | 'after'> & Stoppable = {},
): Promise<DirectoryPage> {
  const directory = checkDirectory(path)
  const createVisitor = () => new DirectoryVisitor(manifest, directory, { limit, after })
  const { exists, hint, page } = await readInOrder(manifest, createVisitor, { signal })
  if (!exists) throw entryNotFound(`The package has no directory ${quoteForeign(directory)}.`, hint)
  return page
}

class DirectoryVisitor implements RecordVisitor {
  readonly #manifest: Manifest
  /** Prefix of the keys below the directory. */
  readonly #prefix: string
  readonly #options: { readonly limit: number; readonly after: string }
  readonly #children: PackageChild[] = []
  /** The child directory of the previous entry. */
  #folder: { readonly kind: 'directory'; readonly name: string; totalEntries: number; totalBytes: number } | undefined
  readonly page: { -readonly [Field in keyof DirectoryPage]: DirectoryPage[Field] }
  exists: boolean
  hint = LS_HINT

  constructor(manifest: Manifest, path: string, options: { readonly limit: number; readonly after: string }) {
    this.#manifest = manifest
    this.#prefix = path === '' ? '' : `${path}/`
    this.#options = options
    this.exists = path === ''
    const totals = { totalEntries: 0, totalBytes: 0, totalChildren: 0 }
    this.page = { path, userMeta: null, ...totals, children: this.#children }
  }

  directory({ logicalKey, userMeta }: ManifestDirectory): void {
    if (logicalKey !== this.page.path) return
    this.page.userMeta = userMeta
    this.exists = true
  }

  entry(entry: ManifestEntry): void {
    const { logicalKey, physicalKey, size, hash } = entry
    const bytes = size ?? 0
    if (logicalKey === this.page.path) this.hint = 'It is an entry: "ambit package cat" shows it.'
    if (!logicalKey.startsWith(this.#prefix)) return
    this.exists = true
    this.page.totalEntries++
    this.page.totalBytes += bytes
    const slash = logicalKey.indexOf('/', this.#prefix.length)
    const name = logicalKey.slice(this.#prefix.length, slash < 0 ? undefined : slash)
    if (slash < 0) {
      this.#add({ kind: 'entry', name, size, hash, physicalKey, userMeta: userMetaOf(entry) }, entry)
      return
    }
    // Entries are sorted, so the entries of one directory are consecutive.
    if (this.#folder?.name !== name) {
      this.#folder = { kind: 'directory', name, totalEntries: 0, totalBytes: 0 }
      this.#add(this.#folder, entry)
    }
    this.#folder.totalEntries++
    this.#folder.totalBytes += bytes
  }

  #add(child: PackageChild, { line, logicalKey }: ManifestEntry): void {
    const { name } = child
    if (name === '' || name === '.' || name === '..') {
      const problem = `Line ${line}: the logical key ${quoteForeign(logicalKey)} leaves the package.`
      throw addManifestName(this.#manifest, invalidInput(problem))
    }
    const { limit, after } = this.#options
    this.page.totalChildren++
    if (compareBytes(name, after) <= 0) return
    const lastShown = this.#children.at(-1)
    if (this.#children.length < limit) this.#children.push(child)
    else if (lastShown) this.page.next ??= lastShown.name
  }
}

/**
 * The entry with a key. @throws ContextError `not-found`; `invalid-input` for an invalid key; errors of `readInOrder`.
 */
export async function entryAt(manifest: Manifest, key: string, options: Stoppable = {}): Promise<ManifestEntry> {
  const keyPrefix = `${checkLogicalKey(key)}/`
  const gather = () => ({
    match: undefined as ManifestEntry | undefined,
    isDirectory: false,
    /** The keys of the first entries that do not match. */
    otherKeys: [] as string[],
    entry(entry: ManifestEntry) {
      if (entry.logicalKey === key) this.match = entry
      else if (this.otherKeys.length < MAX_OTHER_KEYS) this.otherKeys.push(entry.logicalKey)
      this.isDirectory ||= entry.logicalKey.startsWith(keyPrefix)
    },
  })
  const { match, isDirectory, otherKeys } = await readInOrder(manifest, gather, options)
  if (match) return match
  if (isDirectory)
    throw entryNotFound(`${quoteForeign(key)} is a directory of the package.`, '"ambit package ls" lists it.')
  const directories = otherKeys.flatMap((one) => foldersAbove(one).slice(1))
  const similarKeys = nearest(key, [...otherKeys, ...new Set(directories)])
  const hint = similarKeys.length > 0 ? `Similar: ${similarKeys.join(', ')}.` : LS_HINT
  throw entryNotFound(`The package has no ${quoteForeign(key)}.`, hint)
}

/** Maximum number of keys that are compared with a missing key. */
const MAX_OTHER_KEYS = 10_000

const LS_HINT = '"ambit package ls" shows what it has.'

export function entryNotFound(message: string, hint = LS_HINT): ContextError {
  return new ContextError('not-found', message, { hint })
}
