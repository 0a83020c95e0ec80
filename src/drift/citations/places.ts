import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { join, posix, resolve, sep } from 'node:path'
import { below } from '../../files/confine.ts'
import type { LocalRoot } from '../../files/disk.ts'

/** Something in a tree, by its path without links. */
interface Here {
  readonly path: string
  readonly isDirectory: boolean
}

type Place = Here | 'absent' | 'outside'

/** Links that are followed one after the other, as systems do. */
const MOST_LINKS = 40
/** Characters of the longest path that systems have. */
const LONGEST = 4096

const ROOT: Here = { path: '', isDirectory: true }

/**
 * Says where paths of a tree lead, without ever touching what is outside it: a link that leaves the tree leads
 * `outside`, whether or not there is anything.
 */
export class PlaceLookup {
  readonly #root: LocalRoot
  readonly #known = new Map<string, Place>()

  constructor(root: LocalRoot) {
    this.#root = root
  }

  /** `path` is relative to the root and normalised, `''` for itself. */
  at(path: string, links = 0): Place {
    if (path.length > LONGEST || /(?:^|\/)\.\.(?:\/|$)/.test(path)) return 'absent'
    const known = path === '' ? ROOT : this.#known.get(path)
    if (known !== undefined) return known
    let place: Place = ROOT
    for (let end = 0; end < path.length && typeof place === 'object'; ) {
      const next = path.indexOf('/', end + 1)
      end = next < 0 ? path.length : next
      place = this.#below(place, path.slice(0, end), links)
    }
    this.#known.set(path, place)
    return place
  }

  /** `path` is that of something in `parent`. */
  #below(parent: Here, path: string, links: number): Place {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    this.#known.set(path, 'absent') // what leads to itself leads nowhere
    const real = posix.join(parent.path, path.slice(path.lastIndexOf('/') + 1))
    const place = real === path ? this.#look(parent, path, links) : this.at(real, links)
    this.#known.set(path, place)
    return place
  }

  /** `path` has no link above its end. */
  #look(parent: Here, path: string, links: number): Place {
    const stat = parent.isDirectory ? lstatOf(join(this.#root.realPath, path)) : undefined
    if (stat === undefined) return 'absent'
    return stat.isSymbolicLink() ? this.#follow(path, links + 1) : { path, isDirectory: stat.isDirectory() }
  }

  #follow(path: string, links: number): Place {
    const link = join(this.#root.realPath, path)
    const target = links > MOST_LINKS ? undefined : targetOf(link)
    if (target === undefined) return 'outside'
    const absolute = resolve(link, '..', target)
    const inside = below(this.#root.realPath, absolute) ?? below(this.#root.path, absolute)
    return inside === undefined ? 'outside' : this.at(inside.split(sep).join('/'), links)
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

/** The stat of a path without following its last link; undefined if it cannot be read. */
function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
