import type { Objects } from '../../files/objects.ts'
import { pagesOf } from '../../files/pages.ts'
import { LAYOUTS, type Layout } from './layouts.ts'
import { byCodePoint } from './order.ts'

export interface PackageListOptions {
  /** Names that begin so: a namespace with its slash, or more, or less. Default: all. */
  readonly prefix?: string
  /** Most names of a page. Default: 1,000. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly after?: string
  readonly signal?: AbortSignal
}

export interface PackageList {
  /** Ascending as folders are: by code point, with a slash at the end. */
  readonly names: readonly string[]
  /** What to give as `after` for more; absent on the last page. */
  readonly next?: string
}

/** A page of the packages of a registry, of both layouts. Listings only: nothing is read. */
export async function listPackages(registry: Objects, options: PackageListOptions = {}): Promise<PackageList> {
  const { limit = 1000, after = '', prefix = '', signal } = options
  const wanted: Wanted = { registry, after, prefix, most: limit + 1, ...(signal === undefined ? {} : { signal }) }
  const names = new Set<string>()
  for (const layout of LAYOUTS) for (const name of await namesOf(layout, wanted)) names.add(name)
  const sorted = [...names].sort(byFolder)
  const page = sorted.slice(0, limit)
  const last = page.at(-1)
  return sorted.length > limit && last !== undefined ? { names: page, next: last } : { names: page }
}

interface Wanted {
  readonly registry: Objects
  readonly after: string
  readonly prefix: string
  readonly most: number
  readonly signal?: AbortSignal
}

/** Keys come in the order of their bytes, and folders with the slash at their end: `a/b-c/` before `a/b/`. */
function byFolder(a: string, b: string): number {
  return byCodePoint(`${a}/`, `${b}/`)
}

/** The first names after another. Where folders come in another order than names, all are looked at. */
async function namesOf(layout: Layout, wanted: Wanted): Promise<string[]> {
  const { after, most } = wanted
  const names: string[] = []
  for await (const folder of layout.isNested ? nested(layout, wanted) : folders(layout, wanted, flat(wanted.prefix))) {
    const name = layout.nameOf(folder)
    if (name === undefined || (after !== '' && byFolder(name, after) <= 0)) continue
    names.push(name)
    if (layout.isNested && names.length >= most) break
    if (names.length > 4 * most) names.sort(byFolder).splice(most)
  }
  return names.sort(byFolder).slice(0, most)
}

function flat(prefix: string): string {
  return prefix.replace('/', '@')
}

/** The folders of the folders. Namespaces before that of the last name are not listed again. */
async function* nested(layout: Layout, wanted: Wanted): AsyncGenerator<string> {
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
  { registry, signal }: Wanted,
  prefix: string,
): AsyncGenerator<string, void> {
  const request = { prefix: `${pointers}${prefix}`, delimiter: '/', ...(signal === undefined ? {} : { signal }) }
  for await (const page of pagesOf(registry, request))
    for (const folder of page.prefixes) yield folder.slice(pointers.length, -1)
}
