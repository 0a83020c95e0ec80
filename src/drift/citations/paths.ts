import { posix } from 'node:path'
import { type IgnoreRules, isIgnored } from '../../text/gitignore.ts'
import { foldersAbove, segments } from '../../text/paths.ts'
import { type History, Renames } from '../lookup/history.ts'
import { type Lookup, pathWithin } from '../lookup/lookup.ts'
import type { Reference } from './references.ts'
import {
  type CitedPath,
  isBranch,
  isExample,
  isGenerated,
  isGenericFolder,
  isGenericName,
  isPersonal,
  isRuntimeData,
} from './shape.ts'

/** A tree and its history. */
export interface CitedTree {
  readonly lookup: Lookup
  /** Undefined when history is not asked for, or not available. */
  readonly history: History | undefined
}

/** A path as cited, and the directories that it may be meant to start in, the likeliest first. */
export interface PathCitation extends CitedPath {
  readonly bases: readonly string[]
  readonly reference: Reference
  /** It can be nothing but a path: what it looks like does not matter. */
  readonly certain: boolean
}

/** Finds cited paths that do not exist. In doubt a path is not reported. */
export class Paths {
  readonly #tree: CitedTree
  readonly #renames: Renames

  constructor(tree: CitedTree) {
    this.#tree = tree
    this.#renames = new Renames(tree.history?.renames ?? [], (path) => tree.lookup.exists(path))
  }

  /** The first place that a path may mean where something exists; undefined if nothing does. */
  found(path: string, bases: readonly string[]): string | undefined {
    return meanings(path, bases).find((place) => this.#tree.lookup.exists(place))
  }

  /** Why a path that exists at none of its places is reported; undefined when it need not exist. */
  absenceOf(citation: PathCitation): Absence | undefined {
    const { path, bases, form, certain } = citation
    const { lookup, history } = this.#tree
    const places = meanings(path, bases)
    if (places.length === 0 || this.#isAlias(path, bases)) return undefined
    const isName = form === 'name' && !certain
    const wasThere = isName ? this.#isGoneName(path) : places.some((place) => history?.knew(place))
    if (!wasThere && (isName || !this.#isMissed(citation))) return undefined
    const rulesIn = (directory: string, name: string): IgnoreRules => {
      return { path: directory, verdict: lookup.rulesAt(posix.join(directory, name)) }
    }
    const gitRules = (place: string) => foldersAbove(place).map((directory) => rulesIn(directory, '.gitignore'))
    // What a `.gitignore` keeps out of a checkout may well be there.
    if (places.some((place) => isLeftOut(place, gitRules(place)))) return undefined
    // What `.context/ignore` names, which a person writes, need not exist.
    const isMarked = places.some((place) => isLeftOut(place, [rulesIn('', '.context/ignore')]))
    const isUnknown = history !== undefined && !certain && this.successor(citation) === undefined
    const isRootless = isUnknown && this.#isRootless(citation)
    const isForeign = isMarked || (isRootless && form === 'words')
    if (wasThere) return isUnknown && this.#isElsewhere(path) ? undefined : { wasThere, isForeign }
    return { wasThere, isForeign: isForeign || isRootless || isExample(path) }
  }

  /** Whether code names modules so: a path alias of the compiler's settings. */
  #isAlias(path: string, bases: readonly string[]): boolean {
    if (/^[@~#$]/.test(path)) return true
    const texts = bases.flatMap((base) =>
      SETTINGS.map((name) => this.#tree.lookup.textOf(posix.join(base, name)) ?? ''),
    )
    return texts.some((text) => aliasesIn(text).some((alias) => path === alias || path.startsWith(`${alias}/`)))
  }

  /** Whether a path that history does not know should be at one of its places. */
  #isMissed(citation: PathCitation): boolean {
    const { path, bases, form, certain } = citation
    if (isGenerated(path) || this.#isSource(path, bases)) return false
    const isRooted = this.#isRooted(path, bases)
    if (!certain && (isPersonal(firstOf(path)) || this.#isElsewhere(path))) return false
    if (certain) return form !== 'words' || isRooted
    if (!isRooted) return this.#isMissedTop(citation)
    // Where history is known and never had it, words with a slash are no path.
    return !(form === 'words' && (this.#tree.history !== undefined || this.#isChoice(path, bases)))
  }

  /** Whether the directory that a longer path starts with is not there: the path may be one of another tree. */
  #isRootless({ path, bases }: PathCitation): boolean {
    const start = startOf(path)
    return start !== path && this.found(start, bases) === undefined
  }

  /** Whether something is there as seen from another directory, as code in it would name it. */
  #isElsewhere(path: string): boolean {
    const bare = withoutUps(path)
    return bare !== '' && this.#tree.lookup.isSomewhere(bare)
  }

  /** Whether code names a module so: without its extension, or with the one that it is compiled to. */
  #isSource(path: string, bases: readonly string[]): boolean {
    const { lookup } = this.#tree
    if (sourcesOf(path).some((source) => this.found(source, bases) !== undefined)) return true
    const [, compiled] = /^(?:\.\/)?(?:build|cjs|dist|esm?|lib|out)(\/.*)$/.exec(path) ?? []
    if (compiled === undefined) return false
    return sourcesOf(`src${compiled}`).some((source) => lookup.isSomewhere(source))
  }

  /** A name without a directory is gone when history knows it, and no file of the tree has it. */
  #isGoneName(name: string): boolean {
    const { history, lookup } = this.#tree
    // A name with a number that is filled up with zeros is one of a series.
    if (isRuntimeData(name) || /(?:^|\D)0\d/.test(name) || history?.knewName(name) !== true) return false
    return !lookup.isSomewhere(name) && lookup.isWhole
  }

  /** Whether a path whose first directory is nowhere reads like one that should be there. */
  #isMissedTop({ path, bases, form }: PathCitation): boolean {
    const { lookup } = this.#tree
    const first = firstOf(path)
    if (form === 'words' || first.length <= 1) return false
    if (form === 'directory' && (isBranch(first) || (segments(path).length === 1 && isGenericFolder(first))))
      return false
    return !this.#isPackage(first, bases) && lookup.isWhole
  }

  /** Whether `a/b` rather means a or b: both are there, side by side. */
  #isChoice(path: string, bases: readonly string[]): boolean {
    const [, second = '', ...rest] = segments(path)
    return rest.length === 0 && this.found(second, bases) !== undefined
  }

  /** Whether the directory that the path starts with is there, or once was. */
  #isRooted(path: string, bases: readonly string[]): boolean {
    const start = startOf(path)
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

  /**
   * Where what a path named is now: what history says, else the one file of the tree with its name that is near. Seen
   * from `from`, else from where the path was meant to start. Undefined when it is not known.
   */
  successor({ path, bases, form, reference }: PathCitation, from?: string): Successor | undefined {
    for (const base of bases) {
      const place = pathWithin(base, path)
      const now = place === undefined ? undefined : this.#renames.nowAt(place)
      if (now !== undefined) return { path: pathFrom(now, base, from), isRenamed: true }
    }
    // What the paths that history knows to end so are called now.
    const known = this.#tree.history?.endingWith(withoutUps(path)) ?? []
    const [elsewhere, ...others] = new Set(known.flatMap((at) => this.#renames.nowAt(at) ?? []))
    if (elsewhere !== undefined && others.length === 0) return { path: pathFrom(elsewhere, '', from), isRenamed: true }
    if (form === 'directory' || form === 'words') return undefined
    const namesake = this.#namesake(path, bases, reference.around)
    if (namesake === undefined) return undefined
    const base = bases.find((at) => isBelow(namesake, at)) ?? ''
    return { path: pathFrom(namesake, base, from), isRenamed: false }
  }

  /**
   * The file beside the text that has the name, unless the line links to that one, too. Else the one file of the tree that has the
   * name, and a directory in common with the path or the text. A file that the line names beside the path is another one.
   */
  #namesake(path: string, [own = '']: readonly string[], line: string): string | undefined {
    const parts = segments(path)
    const name = parts.at(-1) ?? ''
    if (this.#tree.history === undefined || isGenericName(name)) return undefined
    const [only, ...others] = this.#tree.lookup.named(name).filter((file) => !line.includes(seenFrom(own, file)))
    const beside = posix.join(own, name)
    if (own !== '' && this.#tree.lookup.exists(beside) && !line.includes(`(${name})`)) return beside
    if (only === undefined || others.length > 0) return undefined
    const shared = segments(only).slice(0, -1)
    const isNear = (own !== '' && isBelow(only, own)) || parts.slice(0, -1).some((part) => shared.includes(part))
    return isNear ? only : undefined
  }
}

/** Why a missing path is reported. */
interface Absence {
  /** Whether history knows that something was there. */
  readonly wasThere: boolean
  /** Whether it is made up to show what a path could look like, or belongs to another tree. */
  readonly isForeign: boolean
}

/** The present place of a path. */
interface Successor {
  readonly path: string
  /** By history; else by its name alone. */
  readonly isRenamed: boolean
}

const EXTENSIONS = `.ts .tsx .js .jsx .mts .mjs .cts .cjs .d.ts .vue .svelte .py .rs .go .rb .md .mdc .json
  /index.ts /index.tsx /index.js /__init__.py /mod.rs`.split(/\s+/)

const SETTINGS = ['tsconfig.json', 'tsconfig.base.json', 'jsconfig.json']

/** Prefixes in the `paths` of a compiler's settings. */
function aliasesIn(settings: string): string[] {
  const [, paths = ''] = /"paths"\s*:\s*\{([^{}]{0,10000})\}/.exec(settings) ?? []
  return [...paths.matchAll(/"([^"*/]{1,200})(?:\/[^"]{0,200})?"\s*:/g)].map(([, alias = '']) => alias)
}

/** The files that a path without extension, or with that of what is compiled, may name in code. */
function sourcesOf(path: string): string[] {
  const compiled = /^(.+)\.([cm]?)js(x?)$/.exec(path)
  if (compiled) return ['', 'x'].map((x) => `${compiled[1]}.${compiled[2]}ts${compiled[3] || x}`)
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last.includes('.') ? [] : EXTENSIONS.map((extension) => path + extension)
}

function isBelow(path: string, directory: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`)
}

function pathFrom(path: string, base: string, from: string | undefined): string {
  return from === undefined ? seenFrom(base, path) : posix.relative(from, path)
}

/** The places that a path may mean, from the root. */
export function meanings(path: string, bases: readonly string[]): string[] {
  return bases.flatMap((base) => pathWithin(base, path) ?? [])
}

/** A path's first directory, and what leads up before it. */
function startOf(path: string): string {
  return /^(?:\.\.?\/)*[^/]+/.exec(path)?.[0] ?? path
}

function firstOf(path: string): string {
  return segments(path).find((part) => part !== '..') ?? ''
}

/** A path from the root as one would write it in `base`; where that needs a `..`, as it is. */
function seenFrom(base: string, path: string): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}

function withoutUps(path: string): string {
  return path.replace(/^(?:\.\.?\/)+/, '')
}

/** Whether the rules leave out a path, which may have been a file or a directory, or one above it. The outermost first. */
function isLeftOut(path: string, rules: readonly IgnoreRules[]): boolean {
  const places = [...foldersAbove(path), path].slice(1)
  return isIgnored(path, false, rules) || places.some((place, at) => isIgnored(place, true, rules.slice(0, at + 1)))
}
