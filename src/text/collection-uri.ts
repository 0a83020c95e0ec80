/** A place in a collection. */
export interface Address {
  readonly collection: string
  /** Without a leading slash; `''` is the collection itself. */
  readonly path: string
}

/** Whether a place is a URI of a collection or package, and not a path on disk. */
export function isPlaceUri(place: string): boolean {
  return /^(ambit|qfs|qmd|quilt\+s3):\/\//.test(place)
}

/** `ambit://docs/a%20b.md`: special characters of each segment are escaped. */
export function uriOf({ collection, path }: Address): string {
  const segments = [collection, ...(path === '' ? [] : path.split('/'))]
  return `ambit://${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`
}
