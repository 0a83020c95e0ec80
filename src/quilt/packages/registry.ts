import { invalidInput } from '../../core/errors.ts'
import { compareBytes, ignoreMissing, listPages, type Objects } from '../../files/objects.ts'
import { isName, isTag, isTopHash, quoteForeign } from '../names.ts'
import type { PackageListRequest, Stoppable } from './requests.ts'

interface PackageListOptions extends Pick<PackageListRequest, 'limit' | 'after'>, Stoppable {
  /** Beginning of the names, such as a namespace with its slash. Default: all names. */
  readonly prefix?: string
}

/**
 * A page of the package names of a registry, sorted by code point, as if each name ended with a slash. Reads only
 * listings, no objects. `next`: the `after` of the next page; absent on the last page.
 */
export async function listPackagePage(registry: Objects, options: PackageListOptions = {}) {
  const { limit = 1000, after = '' } = options
  const names: string[] = []
  for await (const name of listNames(registry, options)) {
    if (!isName(name) || (after !== '' && byFolder(name, after) <= 0)) continue
    names.push(name)
    if (names.length > limit) break
  }
  const page = names.slice(0, limit)
  const lastName = page.at(-1)
  return names.length > limit && lastName !== undefined ? { names: page, next: lastName } : { names: page }
}

/** Compares names as folders, which end with a slash: `a/b-c/` is before `a/b/`. */
function byFolder(a: string, b: string): number {
  return compareBytes(`${a}/`, `${b}/`)
}

/**
 * The names of packages, which are folders in the folders of namespaces. Namespaces before the namespace of `after` are not
 * listed.
 */
async function* listNames(registry: Objects, options: PackageListOptions): AsyncGenerator<string> {
  const { prefix = '', after = '', signal } = options
  if (prefix.includes('/')) return yield* listFolders(registry, prefix, signal)
  const firstNamespace = after.slice(0, after.indexOf('/') + 1)
  for await (const namespace of listFolders(registry, prefix, signal)) {
    if (compareBytes(`${namespace}/`, firstNamespace) >= 0) yield* listFolders(registry, `${namespace}/`, signal)
  }
}

/**
 * A sorted page of at least this many folders shows that the service sorts its listings; fewer may be sorted by chance.
 */
const MIN_ORDERED = 16

/**
 * The folders below `POINTER_PREFIX` that begin with `prefix`, sorted, without the slash at their ends. If a service
 * does not sort its listings, for example on a disk, all pages are read before the first folder is yielded.
 */
async function* listFolders(registry: Objects, prefix: string, signal?: AbortSignal): AsyncGenerator<string> {
  const unordered: string[] = []
  for await (const page of listPages(registry, { prefix: `${POINTER_PREFIX}${prefix}`, delimiter: '/', signal })) {
    const folders = page.prefixes.map((folder) => folder.slice(POINTER_PREFIX.length, -1))
    const isOrdered = folders.every((folder, at) => at === 0 || byFolder(folders[at - 1] ?? '', folder) < 0)
    if (isOrdered && folders.length >= MIN_ORDERED && unordered.length === 0) yield* folders
    else unordered.push(...folders)
  }
  yield* unordered.sort(byFolder)
}

/** Prefix of the keys of all pointers. The folders of packages are in folders of their namespaces. */
const POINTER_PREFIX = '.quilt/named_packages/'
/** Prefix of the keys of all manifests. Manifests are keyed by hash alone: any package name finds them. */
export const MANIFESTS = '.quilt/packages/'

/** Prefix of the keys of a package's pointers. */
export function pointersOf(name: string): string {
  return `${POINTER_PREFIX}${name}/`
}

/** The pointer to the latest revision. */
export const LATEST = 'latest'

/** A pointer to a manifest. */
export interface Pointer {
  readonly hash: string
  /** When it was written. ISO 8601, UTC. */
  readonly modifiedAt: string
}

/** Maximum bytes of a pointer: a hash, and white space around it. */
const MAX_POINTER_BYTES = 1024

/**
 * The content of a pointer; undefined when it does not exist.
 *
 * @throws ContextError `invalid-input` when it holds something other than a top hash.
 */
export async function readPointer(objects: Objects, key: string, signal?: AbortSignal): Promise<Pointer | undefined> {
  const pointer = await ignoreMissing(objects.read(key, { length: MAX_POINTER_BYTES, signal }))
  if (pointer === undefined || pointer === 'unchanged') return undefined
  const text = Buffer.from(pointer.bytes).toString('latin1').trim()
  if (!isTopHash(text) || pointer.size > MAX_POINTER_BYTES)
    throw invalidInput(`The pointer ${objects.uri}/${key} holds ${quoteForeign(text)}, which is not a top hash.`)
  return { hash: text, modifiedAt: pointer.modifiedAt }
}

/** The names of a package's pointers, at most `limit`, in the order of the service. */
export async function pointerNames(
  objects: Objects,
  { name, limit, signal }: Stoppable & { readonly name: string; readonly limit: number },
): Promise<string[]> {
  const prefix = pointersOf(name)
  const names: string[] = []
  for await (const page of listPages(objects, { prefix, delimiter: '/', limit: Math.min(limit, 1000), signal })) {
    names.push(...page.objects.map(({ key }) => key.slice(prefix.length)).filter(isTag))
    if (names.length >= limit) break
  }
  return names.slice(0, limit)
}
