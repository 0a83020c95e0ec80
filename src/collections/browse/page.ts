import type { Why } from '../../core/flow.ts'
import { compareBytes, MAX_PAGE, type ObjectInfo, type ObjectPage, type Objects } from '../../files/objects.ts'
import { isPlainKey, NOT_A_PATH } from '../../ingest/bucket-tree.ts'

type EntryFacts =
  | { readonly kind: 'file'; readonly info: ObjectInfo }
  | { readonly kind: 'directory' }
  | { readonly kind: 'other'; readonly why: Why; readonly detail: string }

export type PageEntry = { readonly name: string; readonly path: string } & EntryFacts

/** A page of the names in a directory, in byte order; a directory sorts as if it ended with a slash. */
export interface ListedPage {
  readonly entries: readonly PageEntry[]
  /** Whether the directory exists, even if it is empty. */
  readonly exists: boolean
  /** Why the directory may not be listed. */
  readonly refusal?: string
  readonly next?: string
}

export interface PageRequest {
  readonly limit: number
  /** `next` of the page before. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Lists a page of the directory `path`; `''` is the root. A bucket takes a request for each 1,000 names. */
export async function listEntries(objects: Objects, path: string, request: PageRequest): Promise<ListedPage> {
  const prefix = path === '' ? '' : `${path}/`
  const { limit, after, signal } = request
  const pages: ObjectPage[] = []
  let [token, remaining] = [after, limit]
  do {
    const page = await objects.list({ prefix, delimiter: '/', limit: Math.min(remaining, MAX_PAGE), token, signal })
    pages.push(page)
    remaining -= page.objects.length + page.prefixes.length + page.left.length
    token = page.next
  } while (token !== undefined && remaining > 0)
  const refusal = pages.flatMap((page) => page.left).find(({ key }) => key === prefix)
  return {
    entries: pages.flatMap((page) => toEntries(page, prefix)),
    exists: path === '' || pages.some((page) => page.objects.length + page.prefixes.length + page.left.length > 0),
    ...(refusal && { refusal: refusal.detail }),
    ...(token !== undefined && { next: token }),
  }
}

/** The entries of a page, without the object that stands for the directory itself. */
function toEntries({ objects, prefixes, left }: ObjectPage, prefix: string): PageEntry[] {
  const entries = [
    ...objects.map((info) => ({ key: info.key, kind: 'file' as const, info })),
    ...prefixes.map((key) => ({ key, kind: 'directory' as const })),
    ...left.map(({ key, why, detail }) => ({ key, kind: 'other' as const, why, detail })),
  ]
  return entries
    .filter(({ key }) => key !== prefix)
    .sort((a, b) => compareBytes(a.key, b.key))
    .map(({ key, ...entry }) => nameEntry(key, prefix, entry))
}

function nameEntry(key: string, prefix: string, entry: EntryFacts): PageEntry {
  const path = key.replace(/\/$/, '')
  const name = path.slice(prefix.length)
  if (entry.kind === 'other' || (name !== '' && isPlainKey(path))) return { name, path, ...entry }
  return { name: key.slice(prefix.length), path, kind: 'other', why: 'excluded', detail: NOT_A_PATH }
}
