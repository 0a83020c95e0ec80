/** Converts between addresses of the UI and places of the assistant. Pure. */

import { browseAt, decodePart, nameOf, packagePage, placeOf, uriOf } from '../api/place.ts'

/** The name of the served folder itself. */
const SERVED_FOLDER = 'Served folder'

type Values = Readonly<Record<string, unknown>>

/** The place of a conversation. */
export interface ChatPlace {
  readonly place: string
  /** The name of the place in the UI. */
  readonly name: string
  readonly kind: 'folder' | 'package' | 'search' | 'elsewhere'
  /** What the page shows, from its URL. */
  readonly view: Readonly<Record<string, string>>
}

/** The place that a URL shows, from its parameters and its query. */
export function chatPlaceAt(params: Values, search: Values): ChatPlace {
  const { collection, _splat, registry, namespace, name } = params
  if (typeof collection === 'string') {
    const place = placeOf(collection, typeof _splat === 'string' ? _splat : '')
    return { place: uriOf(place), name: nameOf(place), kind: 'folder', view: {} }
  }
  if (typeof registry === 'string' && typeof namespace === 'string' && typeof name === 'string') {
    return packageAt([registry, namespace, name], search)
  }
  const { q, place } = search
  if (typeof place === 'string' && place !== '') return { place, name: place, kind: 'elsewhere', view: {} }
  if (typeof q === 'string' && q !== '') return { place: '.', name: 'Search', kind: 'search', view: { search: q } }
  return { place: '.', name: SERVED_FOLDER, kind: 'elsewhere', view: {} }
}

function packageAt([registry = '', namespace = '', name = '']: readonly string[], search: Values): ChatPlace {
  const { hash, path, entry, tab } = search
  const revision = typeof hash === 'string' ? `@${hash}` : ':latest'
  const within = typeof path === 'string' && path !== '' ? `/${path.replace(/\/$/, '')}` : ''
  const parts = `${registry}/${namespace}/${name}${revision}${within}`.split('/').map(encodePart)
  const view = Object.entries({ entry, tab }).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return {
    place: `ambit://${parts.join('/')}`,
    name: `${namespace}/${name}`,
    kind: 'package',
    view: Object.fromEntries(view),
  }
}

/** Encodes a part of a path, but not `@` and `:`, which mark a revision. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replace(/%40/g, '@').replace(/%3A/g, ':')
}

/** Address of a page that shows a place. */
export type PageAddress =
  | (ReturnType<typeof browseAt> & { readonly search?: undefined })
  | ReturnType<typeof packagePage>
  | { readonly to: '/context'; readonly params?: undefined; readonly search: { readonly place: string } }

/** The page that shows a place; the context inspector for places outside collections. */
export function pageOf(place: string): PageAddress {
  const placePath = /^(?:ambit|qfs|qmd):\/\/([^#?]+)$/.exec(place)?.[1]
  if (placePath === undefined) return { to: '/context', search: { place } }
  const [collection = '', namespace = '', third = '', ...rest] = placePath.split('/').map(decodePart)
  const [, name, hash] = /^(.+?)(?:@([0-9a-f]{6,64})|:latest)$/.exec(third) ?? []
  if (name === undefined) {
    const path = [namespace, third, ...rest].filter((part) => part !== '').join('/')
    return browseAt(collection, path)
  }
  return packagePage({ registry: collection, namespace, name, hash }, rest.length > 0 ? { path: rest.join('/') } : {})
}

/** The name of a place for people. */
export function shortPlaceName(place: string): string {
  if (place === '.') return SERVED_FOLDER
  const bare = decodePart(place.replace(/^[a-z]+:\/\//, ''))
  const short = bare.replace(/@([0-9a-f]{8})[0-9a-f]{3,}/, '@$1')
  return short.startsWith('/') ? short.split('/').slice(-2).join('/') : short
}
