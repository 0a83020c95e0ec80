/** A point in a collection, or where `collection` is empty, all of them. `path` has no slash at its ends. */
export interface Place {
  readonly collection: string
  readonly path: string
  /** The revision of a package of the collection in which `path` is an entry: `team/data@1220…`. Default: none. */
  readonly within?: string
}

/** A path without slashes around it. */
export function trimSlashes(path: string): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, '')
}

export function placeOf(collection: string, path = ''): Place {
  return { collection, path: trimSlashes(path) }
}

/** As operations take it: exact, whatever characters the names have. */
export function placeText({ collection, path, within }: Place): string {
  const base = within === undefined ? collection : `${collection}/${within}`
  return path === '' ? base : `${base}/${path}`
}

/** The address that other programs take: `ambit://docs/api/errors.md`. */
export function uriOf(place: Place): string {
  const parts = placeText(place).split('/').map(encodeURIComponent)
  // The mark of a revision stays as it is.
  return `ambit://${(place.within === undefined ? parts : parts.map((part, at) => (at === 2 ? part.replace('%40', '@') : part))).join('/')}`
}

/** The last name of the path; of a whole collection, its name. */
export function nameOf({ collection, path }: Place): string {
  return path === '' ? collection : path.slice(path.lastIndexOf('/') + 1)
}

/** The folder it is in; undefined for a whole collection. */
export function parentOf(place: Place): Place | undefined {
  const { path } = place
  if (path === '') return undefined
  const end = path.lastIndexOf('/')
  return { ...place, path: end === -1 ? '' : path.slice(0, end) }
}

export function childOf(place: Place, name: string): Place {
  return { ...place, path: place.path === '' ? name : `${place.path}/${name}` }
}

/** The place and all that it is in, the collection first. */
export function ancestorsOf(place: Place): Place[] {
  const parent = parentOf(place)
  return parent ? [...ancestorsOf(parent), place] : [place]
}

/** The page of a place in a collection, as a link takes it. */
export function browseAt(collection: string, path = '') {
  return { to: '/browse/$collection/$', params: { collection, _splat: path } } as const
}

/** A package as addresses have it. */
export interface PackageAt {
  readonly registry: string
  readonly namespace: string
  readonly name: string
  /** Of one revision; absent for the latest. */
  readonly hash?: string | undefined
}

/** The page of a package, as a link takes it. */
export function packagePage({ registry, namespace, name, hash }: PackageAt, search: object = {}) {
  const own = { ...(hash !== undefined && { hash }), ...search } as Readonly<Record<string, string>>
  return { to: '/packages/$registry/$namespace/$name', params: { registry, namespace, name }, search: own } as const
}

/** A part of an address as it was before it was encoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
