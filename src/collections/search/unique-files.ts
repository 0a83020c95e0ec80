/** Collections may lie within each other: a file of several is given once. */

import type { Document } from '../../stores/document-store.ts'
import type { Collection, Store } from '../../stores/store.ts'

type Roots = ReadonlyMap<string, string>

/** Roots of collections that lie within others or hold others, by name; undefined where none does. */
export async function nestedRoots(store: Store): Promise<Roots | undefined> {
  const collections = await store.collections.list()
  const nested = collections.filter((one) => collections.some((other) => one !== other && areNested(one, other)))
  return nested.length === 0 ? undefined : new Map(nested.map(({ name, root }) => [name, withSlash(root)]))
}

function areNested({ root: one }: Collection, { root: other }: Collection): boolean {
  return withSlash(one).startsWith(withSlash(other)) || withSlash(other).startsWith(withSlash(one))
}

function withSlash(root: string): string {
  return root.endsWith('/') ? root : `${root}/`
}

/** Without those whose file came before. */
export function withoutRepeatedFiles<Hit extends { readonly document: Document }>(
  hits: readonly Hit[],
  roots: Roots | undefined,
): readonly Hit[] {
  if (!roots) return hits
  const known = new Set<string>()
  return hits.filter(({ document: { collection, path } }) => {
    const root = roots.get(collection)
    if (root === undefined) return true
    const file = `${root}${path}`
    return !known.has(file) && known.add(file)
  })
}
