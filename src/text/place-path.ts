/** Paths of places in a collection: one normal form, so that what a person wrote and what an index holds can be compared. */

/** Characters of the longest path, in UTF-16 code units. */
export const LONGEST_PLACE_PATH = 4096

const CONTROL = /[\x00-\x1f\x7f-\x9f]/

/** What there may be to mend: other than ASCII, backslashes, empty parts and dots, a slash at the end. */
const ODD = /[\\\x80-\uffff]|\/\.{0,2}(?:\/|$)|^\.{1,2}(?:\/|$)/

/**
 * The normal form of a path that a person wrote, relative to a collection's root: NFC, with slashes, each only once, no
 * `.`, a leading slash, and none at the end but for the root, which is `/`. Else a sentence about what is wrong with it.
 */
export function placePath(path: string): { readonly path: string } | { readonly problem: string } {
  if (path.length > LONGEST_PLACE_PATH) {
    return { problem: `The path has ${path.length} characters; at most ${LONGEST_PLACE_PATH} are taken.` }
  }
  const control = CONTROL.exec(path)
  if (control) return { problem: `The path ${JSON.stringify(path)} has a control character.` }
  if (!path.isWellFormed()) return { problem: `The path ${JSON.stringify(path)} is no valid Unicode.` }
  const normal = normalPath(path)
  return normal === undefined ? { problem: `The path ${path} leads up with "..".` } : { path: normal }
}

/**
 * The normal form of any path: of a document, too, whose name may hold what a person may not write. Undefined when it
 * leads up with `..`.
 */
export function normalPath(path: string): string | undefined {
  if (!ODD.test(path)) return path.startsWith('/') ? path : `/${path}`
  const parts = path
    .normalize('NFC')
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.')
  return parts.includes('..') ? undefined : `/${parts.join('/')}`
}
