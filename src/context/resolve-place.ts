import { resolve } from 'node:path'
import { statOf } from '../files/file-version.ts'
import { isInBounds } from '../files/roots.ts'
import { type BucketAddress, bucketAddress } from '../quilt/place.ts'
import { uriOf } from '../text/collection-uri.ts'
import { quoteShell } from '../text/shell-quote.ts'

/** A place that a person wrote, resolved. */
export interface ResolvedPlace {
  /** Absent for a place on disk. */
  readonly address?: BucketAddress
  /** A sentence that names the chosen place, if two places have this name. */
  readonly choice?: string
}

const ON_DISK: ResolvedPlace = {}

/**
 * Finds out whether a place is on disk or in a collection. `/…`, `./…` and `~…` are on disk; `ambit://…`, `s3://…` and
 * `quilt+s3://…` are not. Other words name an existing path on disk, else a collection. `names`: names of all
 * collections.
 */
export async function resolvePlace(place: string, names: () => Promise<readonly string[]>): Promise<ResolvedPlace> {
  if (/^(?:ambit|qfs|qmd|s3):\/\/|^quilt\+/i.test(place)) return { address: bucketAddress(place) }
  if (place === '' || /^[/.~]/.test(place)) return ON_DISK
  const address = bucketAddress(place)
  const name = place.split('/')[0] ?? ''
  if (!(await names()).includes(name)) return ON_DISK
  const path = resolve(place)
  if (!isInBounds(path) || !statOf(path)) return { address }
  const other = 'collection' in address ? uriOf(address) : place
  const choice = `${quoteShell(place)} means the path on disk. For the place in the collection "${name}", write ${quoteShell(other)}.`
  return { choice }
}
