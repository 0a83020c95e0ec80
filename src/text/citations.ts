/** How the places of framed elements are cited: by addresses that stand for one thing only. */

/** Where a package begins in an address, and where a collection does. */
const PACKAGE = /^ambit:\/\/[^/]+\/[^/]+\/[^/]+?@[0-9a-f]{6,}/
const COLLECTION = /^ambit:\/\/[^/]+/

/**
 * What an element is cited as that was given for a place: its own address; else its path in the collection or the package
 * that the place is in. Undefined for what has neither.
 */
export function citedAs(attributes: Readonly<Record<string, string>>, place: string): string | undefined {
  const { uri, filename, path, scope } = attributes
  const own = uri ?? filename
  if (own !== undefined || path === undefined) return own
  const root = (scope === 'package' ? PACKAGE : COLLECTION).exec(place)?.[0]
  return root === undefined ? path : `${root}${encodePath(path)}`
}

/** `/a b/c` as it stands in an address; the root as nothing. */
function encodePath(path: string): string {
  return path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')
}
