/** Parses addresses of documents. */

import { invalidInput } from '../../core/errors.ts'
import { systemHome } from '../../files/home.ts'
import type { Store } from '../../stores/store.ts'
import type { Address } from '../../text/collection-uri.ts'
import { decodeUri } from '../../text/paths.ts'
import { findPlace } from '../path-contexts/place.ts'

const SCHEME = /^(?:ambit|qfs|qmd):\/\//

/**
 * Reads `ambit://c/p` (also `qfs://`, `qmd://`), `c/p`, or a path on the disk below a collection's root.
 *
 * @throws ContextError `not-found` for a path outside of all collections; `invalid-input` for an invalid address.
 */
export async function readAddress(address: string, store: Store): Promise<Address & { readonly notice?: string }> {
  const collections = await store.collections.list()
  const { key, notice } = findPlace(address, { cwd: process.cwd(), home: systemHome(), collections, mayBeGone: true })
  const { collection, pathPrefix } = key
  if (collection === '') {
    const hint = 'Write COLLECTION, or COLLECTION/PATH.'
    throw invalidInput(`${JSON.stringify(address)} is not a place in a collection.`, hint)
  }
  const path = exactPath(address, collection) ?? pathPrefix.slice(1)
  return { collection, path, ...(notice !== undefined && { notice }) }
}

/**
 * The path of a plain `COLLECTION/PATH`, unchanged, because a file name may be in another Unicode form than NFC; else
 * undefined.
 */
function exactPath(address: string, collection: string): string | undefined {
  const decoded = SCHEME.test(address) ? decodeUri(address.replace(SCHEME, '')) : address
  const path = decoded.slice(collection.length + 1)
  const isPlain = !path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')
  return decoded.startsWith(`${collection}/`) && isPlain && !path.includes('\\') ? path : undefined
}

/** Matches a valid name of a collection, which never looks like a path on disk. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.@ +-]{0,127}$/u

/** Whether a collection may have this name. */
export function isCollectionName(name: string): boolean {
  return NAME.test(name)
}
