/**
 * A file or folder in a collection. An empty `collection` means all collections; an empty `path`, the whole collection.
 * `path` has no slash at its ends.
 */
export interface Place {
  readonly collection: string
  readonly path: string
  /** The package revision that has the entry `path`, such as `team/data@1220…`. Absent for a file of the collection. */
  readonly within?: string
}

/** Removes the slashes at the ends of a path. */
export function trimSlashes(path: string): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, '')
}

export function placeOf(collection: string, path = ''): Place {
  return { collection, path: trimSlashes(path) }
}

/** The place as an input of operations: exact for all characters in names. */
export function placeText({ collection, path, within }: Place): string {
  const base = within === undefined ? collection : `${collection}/${within}`
  return path === '' ? base : `${base}/${path}`
}

/** The URI for other programs: `ambit://docs/api/errors.md`. */
export function uriOf(place: Place): string {
  const parts = placeText(place).split('/').map(encodeURIComponent)
  // The `@` before a revision is not encoded.
  return `ambit://${(place.within === undefined ? parts : parts.map((part, at) => (at === 2 ? part.replace('%40', '@') : part))).join('/')}`
}

/** The last part of the path; for a whole collection, the name of the collection. */
export function nameOf({ collection, path }: Place): string {
  return path === '' ? collection : path.slice(path.lastIndexOf('/') + 1)
}

/** The folder of a place; undefined for a whole collection. */
export function parentOf(place: Place): Place | undefined {
  const { path } = place
  if (path === '') return undefined
  const end = path.lastIndexOf('/')
  return { ...place, path: end === -1 ? '' : path.slice(0, end) }
}

export function childOf(place: Place, name: string): Place {
  return { ...place, path: place.path === '' ? name : `${place.path}/${name}` }
}

/** The place and the folders above it, the collection first. */
export function ancestorsOf(place: Place): Place[] {
  const parent = parentOf(place)
  return parent ? [...ancestorsOf(parent), place] : [place]
}

/** The link to the page of a place in a collection. */
export function browseAt(collection: string, path = '') {
  return { to: '/browse/$collection/$', params: { collection, _splat: path } } as const
}

/** A package, or one revision of it, as URLs of the UI name it. */
export interface PackageAt {
  readonly registry: string
  readonly namespace: string
  readonly name: string
  /** Hash of the revision; absent for the latest. */
  readonly hash?: string | undefined
}

/** The link to the page of a package. */
export function packagePage({ registry, namespace, name, hash }: PackageAt, search: object = {}) {
  const own = { ...(hash !== undefined && { hash }), ...search } as Readonly<Record<string, string>>
  return { to: '/packages/$registry/$namespace/$name', params: { registry, namespace, name }, search: own } as const
}

/** Decodes a part of a URL. Returns the part as it is if its encoding is not valid. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
