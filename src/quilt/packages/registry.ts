import { invalidInput } from '../../core/errors.ts'
import { ignoreMissing, listPages, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { isName, isTag, isTopHash, quoteForeign } from '../names.ts'
import { byCodePoint } from './in-order.ts'

export interface PackageListOptions {
  /** Names that begin so: a namespace with its slash, or more, or less. Default: all. */
  readonly prefix?: string
  /** Most names of a page. Default: 1,000. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A page of the packages of a registry, ascending as folders are: by code point, with a slash at the end. Listings only: nothing is read. `next`:
 * cursor for more results, as `after`; absent on the last page.
 */
export async function listPackagePage(registry: Objects, options: PackageListOptions = {}) {
  const { limit = 1000, after = '' } = options
  const names: string[] = []
  for await (const name of namesIn(registry, options)) {
    if (!isName(name) || (after !== '' && byFolder(name, after) <= 0)) continue
    names.push(name)
    if (names.length > limit) break
  }
  const page = names.sort(byFolder).slice(0, limit)
  const last = page.at(-1)
  return names.length > limit && last !== undefined ? { names: page, next: last } : { names: page }
}

/** Keys come in the order of their bytes, and folders with the slash at their end: `a/b-c/` before `a/b/`. */
function byFolder(a: string, b: string): number {
  return byCodePoint(`${a}/`, `${b}/`)
}

/** The folders of the folders. Namespaces before that of the last name are not listed again. */
async function* namesIn(registry: Objects, options: PackageListOptions): AsyncGenerator<string> {
  const { prefix = '', after = '', signal } = options
  if (prefix.includes('/')) return yield* folders(registry, prefix, signal)
  const begun = after.slice(0, after.indexOf('/') + 1)
  for await (const namespace of folders(registry, prefix, signal)) {
    if (byCodePoint(`${namespace}/`, begun) >= 0) yield* folders(registry, `${namespace}/`, signal)
  }
}

/** The folders among the pointers that begin so, without the slash at their ends. */
async function* folders(
  registry: Objects,
  prefix: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  const request = { prefix: `${POINTERS}${prefix}`, delimiter: '/', signal }
  for await (const page of listPages(registry, request))
    for (const folder of page.prefixes) yield folder.slice(POINTERS.length, -1)
}

/** Prefix of the keys of all pointers. The folders of packages are in folders of their namespaces. */
const POINTERS = '.quilt/named_packages/'
/** Prefix of the keys of all manifests. A manifest is not bound to a name: any name with any hash finds it. */
export const MANIFESTS = '.quilt/packages/'

/** Prefix of the keys of a package's pointers. */
export function pointersOf(name: string): string {
  return `${POINTERS}${name}/`
}

/** The name of the pointer that moves. */
export const LATEST = 'latest'

/** A pointer to a manifest, read. */
export interface Pointer {
  readonly hash: string
  /** When it was written. ISO 8601, UTC. */
  readonly modifiedAt: string
}

/** Bytes of the longest pointer that is read: a hash, and room for white space about it. */
const MAX_POINTER = 1024

/**
 * The content of a pointer; undefined when it does not exist.
 *
 * @throws ContextError `invalid-input` when it holds something else than a top hash.
 */
export async function readPointer(objects: Objects, key: string, signal?: AbortSignal): Promise<Pointer | undefined> {
  const found = await ignoreMissing(objects.read(key, { length: MAX_POINTER, signal }))
  if (found === undefined || found === 'unchanged') return undefined
  const text = Buffer.from(found.bytes).toString('latin1').trim()
  if (!isTopHash(text) || found.size > MAX_POINTER)
    throw invalidInput(`The pointer ${objects.uri}/${key} holds ${quoteForeign(text)}, which is not a top hash.`)
  return { hash: text, modifiedAt: found.modifiedAt }
}

/** The pointers of a package by their names, at most `most` of them, in the order of their bytes. */
export async function pointerNames(
  objects: Objects,
  { name, most, signal }: { name: string; most: number; signal?: AbortSignal | undefined },
): Promise<string[]> {
  const prefix = pointersOf(name)
  const names: string[] = []
  const request = { prefix, delimiter: '/', limit: Math.min(most, 1000), signal }
  for await (const page of listPages(objects, request)) {
    names.push(...page.objects.map((info) => restOf(info, prefix)).filter(isTag))
    if (names.length >= most) break
  }
  return names.slice(0, most)
}

/** Rest of an object's key after the prefix. */
export function restOf({ key }: ObjectInfo, prefix: string): string {
  return key.slice(prefix.length)
}
