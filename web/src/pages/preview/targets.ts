import { decodePart, type Place } from '../../api/place.ts'

/** Target of a link in a text. `here`: a heading of the text; `place`: a file; `nowhere`: the link is not safe. */
export type Target =
  | { readonly kind: 'here'; readonly id: string }
  | { readonly kind: 'place'; readonly place: Place; readonly hash: string }
  | { readonly kind: 'outside'; readonly url: string; readonly host: string }
  | { readonly kind: 'nowhere' }

/** Target of a link in a file: `nowhere` for unknown schemes, and for paths that leave the collection. */
export function targetOf(href: string, from: Place): Target {
  if (href.startsWith('#')) return { kind: 'here', id: decodePart(href.slice(1)) }
  if (/^(https?:)?\/\//i.test(href)) return outside(href)
  if (/^mailto:[^\s]+$/i.test(href)) return { kind: 'outside', url: href, host: href.slice('mailto:'.length) }
  // An unknown scheme, even if it is hidden behind control characters.
  if (/^[^/?#]*:/.test(href) || /[\0-\x1f\\]/.test(href)) return { kind: 'nowhere' }
  const [, path = '', hash = ''] = /^([^?#]*)[^#]*#?(.*)/s.exec(href) ?? []
  const place = resolvePath(decodePart(path), from)
  return place ? { kind: 'place', place, hash: decodePart(hash) } : { kind: 'nowhere' }
}

function outside(href: string): Target {
  try {
    const url = new URL(href, 'https://none.invalid')
    return { kind: 'outside', url: url.href, host: url.host }
  } catch {
    return { kind: 'nowhere' }
  }
}

/** The place of a path relative to the file `from`; undefined if the path leaves the collection. */
function resolvePath(path: string, from: Place): Place | undefined {
  const base = path.startsWith('/') ? [] : from.path.split('/').slice(0, -1)
  const parts: string[] = [...base]
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return { ...from, path: parts.join('/') }
}
