import { posix } from 'node:path'
import { segments } from '../../text/paths.ts'
import { GitIgnored } from '../lookup/git-ignored.ts'
import type { History } from '../lookup/history.ts'
import { type Lookup, within } from '../lookup/lookup.ts'
import { Renames } from '../lookup/renames.ts'
import { isExampleGiven, isExcused } from './cues.ts'
import type { Reference } from './references.ts'
import { type CitedPath, isBranch, isExample, isGenerated, isPersonal } from './shape.ts'

/** What is known of a tree. */
export interface Tree {
  readonly lookup: Lookup
  /** Undefined when it is not asked, or has no answer. */
  readonly history: History | undefined
}

/** A path as cited, and the directories that it may be meant to start in, the likeliest first. */
export interface Citation extends CitedPath {
  readonly bases: readonly string[]
  readonly reference: Reference
  /** It can be nothing but a path: what it looks like does not matter. */
  readonly certain: boolean
}

/** Says which cited paths are gone. In doubt they are not: they may be examples, names, or yet to be made. */
export class Paths {
  readonly #tree: Tree
  readonly #ignored: GitIgnored
  readonly #renames: Renames

  constructor(tree: Tree) {
    this.#tree = tree
    this.#ignored = new GitIgnored(tree.lookup)
    this.#renames = new Renames(tree.history?.renames ?? [], (path) => tree.lookup.exists(path))
  }

  /** The first of the places that a path may mean at which something is; undefined when there is nothing at any. */
  found(path: string, bases: readonly string[]): string | undefined {
    return meanings(path, bases).find((place) => this.#tree.lookup.exists(place))
  }

  /** Whether a path that is at none of its places should be at one. */
  async isGone(citation: Citation): Promise<boolean> {
    const places = meanings(citation.path, citation.bases)
    if (places.length === 0 || isExcused(citation.reference) || !this.#isMissed(citation, places)) return false
    for (const place of places) if (this.#ignored.excludes(place)) return false
    return true
  }

  #isMissed(citation: Citation, places: readonly string[]): boolean {
    const { path, bases, form, certain, reference } = citation
    if (form === 'name' && !certain) return this.#isGoneName(path)
    if (places.some((place) => this.#tree.history?.knew(place))) return true
    if (isExample(path) || isGenerated(path) || isExampleGiven(reference)) return false
    const isRooted = this.#isRooted(path, bases)
    if (certain) return form !== 'words' || isRooted
    if (!isRooted) return this.#isMissedTop(citation)
    return !(form === 'words' && this.#isChoice(path, bases)) && !this.#tree.lookup.isSomewhere(path)
  }

  /** A name without a directory is gone when history knows it, and no file of the tree has it. */
  #isGoneName(name: string): boolean {
    const { history, lookup } = this.#tree
    return history?.knewName(name) === true && !lookup.isSomewhere(name) && lookup.isWhole
  }

  /** Whether a path whose first directory is nowhere reads like one that should be there. */
  #isMissedTop({ path, bases, form }: Citation): boolean {
    const { lookup } = this.#tree
    const first = firstOf(path)
    if (form === 'words' || first.length <= 1 || isPersonal(first) || (form === 'directory' && isBranch(first)))
      return false
    return !this.#isPackage(first, bases) && !lookup.isSomewhere(path) && lookup.isWhole
  }

  /** Whether `a/b` rather means a or b: both are there, side by side. */
  #isChoice(path: string, bases: readonly string[]): boolean {
    const [, second = '', ...rest] = segments(path)
    return rest.length === 0 && this.found(second, bases) !== undefined
  }

  /** Whether the directory that the path starts with is there, or once was. */
  #isRooted(path: string, bases: readonly string[]): boolean {
    const [start = path] = /^(?:\.\.?\/)*[^/]+/.exec(path) ?? []
    if (start === path) return false
    const { lookup, history } = this.#tree
    return meanings(start, bases).some((place) => lookup.exists(place) || history?.knew(place))
  }

  #isPackage(name: string, bases: readonly string[]): boolean {
    return bases.some((base) => {
      if (this.#tree.lookup.exists(posix.join(base, 'node_modules', name))) return true
      return this.#tree.lookup.textOf(posix.join(base, 'package.json'))?.includes(`"${name}"`) ?? false
    })
  }

  /** What a path that is gone is called now, seen from where it was cited; undefined when nobody knows. */
  proposal(path: string, bases: readonly string[], from?: string): string | undefined {
    for (const base of bases) {
      const place = within(base, path)
      const now = place === undefined ? undefined : this.#renames.nowAt(place)
      if (now !== undefined) return from === undefined ? seenFrom(base, now) : posix.relative(from, now)
    }
    return undefined
  }
}

/** The places that a path may mean, from the root. */
export function meanings(path: string, bases: readonly string[]): string[] {
  return bases.flatMap((base) => within(base, path) ?? [])
}

function firstOf(path: string): string {
  return segments(path).find((part) => part !== '..') ?? ''
}

/** A path from the root as one would write it in `base`; where that needs a `..`, as it is. */
function seenFrom(base: string, path: string): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}
