/** A point in a collection, or where `collection` is empty, all of them. `path` has no slash at its ends. */
export interface Place {
  readonly collection: string
  readonly path: string
}

export function placeOf(collection: string, path = ''): Place {
  return { collection, path: path.replace(/^\/+|\/+$/g, '') }
}

/** As operations take it: exact, whatever characters the names have. */
export function written({ collection, path }: Place): string {
  return path === '' ? collection : `${collection}/${path}`
}

/** The address that other programs take: `ambit://docs/api/errors.md`. */
export function uriOf(place: Place): string {
  return `ambit://${written(place).split('/').map(encodeURIComponent).join('/')}`
}

/** The last name of the path; of a whole collection, its name. */
export function nameOf({ collection, path }: Place): string {
  return path === '' ? collection : path.slice(path.lastIndexOf('/') + 1)
}

/** The folder it is in; undefined for a whole collection. */
export function parentOf({ collection, path }: Place): Place | undefined {
  if (path === '') return undefined
  const end = path.lastIndexOf('/')
  return { collection, path: end === -1 ? '' : path.slice(0, end) }
}

export function childOf({ collection, path }: Place, name: string): Place {
  return { collection, path: path === '' ? name : `${path}/${name}` }
}

/** The place and all that it is in, the collection first. */
export function lineOf(place: Place): Place[] {
  const parent = parentOf(place)
  return parent ? [...lineOf(parent), place] : [place]
}
