import { invalidInput } from '../../core/errors.ts'
import { ignoreMissing, listPages, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { HASH_DIGITS, isName, isTag, isTopHash, quoteForeign } from '../names.ts'
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

export interface PackageList {
  /** Ascending as folders are: by code point, with a slash at the end. */
  readonly names: readonly string[]
  /** Cursor for more results, as `after`; absent on the last page. */
  readonly next?: string
}

/** A page of the packages of a registry, of both layouts. Listings only: nothing is read. */
export async function listPackagePage(registry: Objects, options: PackageListOptions = {}): Promise<PackageList> {
  const { limit = 1000, after = '', prefix = '', signal } = options
  const wanted: NamesRequest = { registry, after, prefix, most: limit + 1, signal }
  const names = new Set<string>()
  for (const layout of LAYOUTS) for (const name of await namesOf(layout, wanted)) names.add(name)
  const sorted = [...names].sort(byFolder)
  const page = sorted.slice(0, limit)
  const last = page.at(-1)
  return sorted.length > limit && last !== undefined ? { names: page, next: last } : { names: page }
}

interface NamesRequest {
  readonly registry: Objects
  readonly after: string
  readonly prefix: string
  readonly most: number
  readonly signal?: AbortSignal | undefined
}

/** Keys come in the order of their bytes, and folders with the slash at their end: `a/b-c/` before `a/b/`. */
function byFolder(a: string, b: string): number {
  return byCodePoint(`${a}/`, `${b}/`)
}

/** The first names after another. When folders and names have different orders, it reads all. */
async function namesOf(layout: Layout, wanted: NamesRequest): Promise<string[]> {
  const { after, most } = wanted
  const names: string[] = []
  for await (const folder of layout.isNested
    ? listNested(layout, wanted)
    : folders(layout, wanted, wanted.prefix.replace('/', '@'))) {
    const name = layout.nameOf(folder)
    if (name === undefined || (after !== '' && byFolder(name, after) <= 0)) continue
    names.push(name)
    if (layout.isNested && names.length >= most) break
    if (names.length > 4 * most) names.sort(byFolder).splice(most)
  }
  return names.sort(byFolder).slice(0, most)
}

/** The folders of the folders. Namespaces before that of the last name are not listed again. */
async function* listNested(layout: Layout, wanted: NamesRequest): AsyncGenerator<string> {
  const { prefix, after } = wanted
  if (prefix.includes('/')) return yield* folders(layout, wanted, prefix)
  const begun = after.slice(0, after.indexOf('/') + 1)
  for await (const namespace of folders(layout, wanted, prefix)) {
    if (byCodePoint(`${namespace}/`, begun) >= 0) yield* folders(layout, wanted, `${namespace}/`)
  }
}

/** The folders among the pointers that begin so, without the slash at their ends. */
async function* folders(
  { pointers }: Layout,
  { registry, signal }: NamesRequest,
  prefix: string,
): AsyncGenerator<string, void> {
  const request = { prefix: `${pointers}${prefix}`, delimiter: '/', signal }
  for await (const page of listPages(registry, request))
    for (const folder of page.prefixes) yield folder.slice(pointers.length, -1)
}

/** Keys of a registry. */
export interface Layout {
  readonly name: 'v1' | 'v2'
  /** Prefix of the keys of all pointers. */
  readonly pointers: string
  /** The folders of packages are in folders of their namespaces. */
  readonly isNested: boolean
  /** The package of a folder below `pointers`, without a slash at its end; undefined for another folder. */
  nameOf(folder: string): string | undefined
  /** Prefix of the keys of a package's pointers. */
  pointersOf(name: string): string
  /** Prefix of the keys of manifests among which hashes of this package are searched. */
  manifestsOf(name: string): string
  manifestKey(name: string, hash: string): string
  /** The top hash in what follows `manifestsOf`; undefined when it is not a manifest's. */
  hashOf(rest: string): string | undefined
}

/** A manifest is not bound to a name: any name with any hash finds it. */
export const V1: Layout = {
  name: 'v1',
  pointers: '.quilt/named_packages/',
  isNested: true,
  nameOf: (folder) => (isName(folder) ? folder : undefined),
  pointersOf: (name) => `.quilt/named_packages/${name}/`,
  manifestsOf: () => '.quilt/packages/',
  manifestKey: (_, hash) => `.quilt/packages/${hash}`,
  hashOf: (rest) => (isTopHash(rest) ? rest : undefined),
}

const V2: Layout = {
  name: 'v2',
  pointers: '.quilt/v2/tags/',
  isNested: false,
  nameOf: (folder) => {
    const name = folder.replace('@', '/')
    return isName(name) && !folder.includes('/') ? name : undefined
  },
  pointersOf: (name) => `.quilt/v2/tags/${name.replace('/', '@')}/`,
  manifestsOf: (name) => `.quilt/v2/manifests/${name.replace('/', '@')}/`,
  manifestKey: (name, hash) => `.quilt/v2/manifests/${name.replace('/', '@')}/${hash}/manifest.jsonl`,
  hashOf: (rest) => {
    const hash = rest.slice(0, HASH_DIGITS)
    return isTopHash(hash) && rest.slice(HASH_DIGITS) === '/manifest.jsonl' ? hash : undefined
  },
}

/** In the order in which they are asked: the first is the default of registries. */
export const LAYOUTS: readonly Layout[] = [V1, V2]

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
  { layout, name, most, signal }: { layout: Layout; name: string; most: number; signal?: AbortSignal | undefined },
): Promise<string[]> {
  const prefix = layout.pointersOf(name)
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
