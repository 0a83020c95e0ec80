import { posix } from 'node:path'
import { segments } from '../../text/paths.ts'
import { type History, Renames } from '../lookup/history.ts'
import { isLeftOut, type Lookup, pathWithin } from '../lookup/lookup.ts'
import { isSubject, type Reference } from './references.ts'
import {
  type CitedPath,
  isExample,
  isGenerated,
  isGenericName,
  isOptional,
  isPersonal,
  isRuntimeData,
} from './shape.ts'

export interface CitedTree {
  readonly lookup: Lookup
  /** Undefined without history. */
  readonly history: History | undefined
}

/** A path as cited, with the directories that it may start in, likeliest first. */
export interface PathCitation extends CitedPath {
  readonly bases: readonly string[]
  readonly reference: Reference
  /** Whether it is surely a path, whatever its form. */
  readonly certain: boolean
}

/** Finds cited paths that do not exist. It omits doubtful paths. */
export class Paths {
  readonly #tree: CitedTree
  readonly #renames: Renames

  constructor(tree: CitedTree) {
    this.#tree = tree
    this.#renames = new Renames(tree.history?.renames ?? [], (path) => tree.lookup.exists(path))
  }

  /** The first existing place that a path may mean. */
  found(path: string, bases: readonly string[]): string | undefined {
    return meanings(path, bases).find((place) => this.#tree.lookup.exists(place))
  }

  /** The reason to report a path that exists at none of its places. Undefined if it need not exist. */
  absenceOf(citation: PathCitation): Absence | undefined {
    const { path, bases, form, certain } = citation
    const { lookup, history } = this.#tree
    const places = meanings(path, bases)
    if (places.length === 0 || this.#isAlias(path, bases)) return undefined
    const isName = form === 'name' && !certain
    const loss = isName
      ? this.#lossOfName(citation)
      : places.map((place) => history?.lossOf(place)).find((commit) => commit !== undefined)
    if (loss === undefined && (isName || !this.#isMissed(citation))) return undefined
    if ((!certain && isOptional(path)) || places.some((place) => lookup.isIgnored(place))) return undefined
    // A person writes `.context/ignore`. Its entries need not exist.
    const isMarked = places.some((place) =>
      isLeftOut(place, [{ path: '', verdict: lookup.rulesAt('.context/ignore') }]),
    )
    if (loss === undefined) return { loss, isForeign: isMarked || isExample(path) }
    const isOther = history !== undefined && !certain && (this.#isElsewhere(path) || this.#isRootless(citation))
    return isOther && this.successor(citation) === undefined ? undefined : { loss, isForeign: isMarked }
  }

  /** Whether the path starts with an alias of the compiler's settings. */
  #isAlias(path: string, bases: readonly string[]): boolean {
    if (/^[@~#$]/.test(path)) return true
    const texts = bases.flatMap((base) =>
      SETTINGS.map((name) => this.#tree.lookup.textOf(posix.join(base, name)) ?? ''),
    )
    return texts.some((text) => aliasesIn(text).some((alias) => path === alias || path.startsWith(`${alias}/`)))
  }

  /** Whether a path unknown to history should exist at one of its places: its directory has files of its kind. */
  #isMissed({ path, bases, form, certain }: PathCitation): boolean {
    if (isGenerated(path) || this.#isSource(path, bases)) return false
    if (certain) return form !== 'words' || this.#isRooted(path, bases)
    const directory = path.includes('/') ? this.found(posix.dirname(path), bases) : undefined
    if (directory === undefined || isPersonal(firstOf(path)) || this.#isElsewhere(path)) return false
    if (form === 'file') return this.#tree.lookup.hasKind(directory, posix.extname(path))
    return this.#tree.history === undefined && !(form === 'words' && this.#isChoice(path, bases))
  }

  /** Whether the first directory of words with a slash is missing, too. */
  #isRootless({ path, form, bases }: PathCitation): boolean {
    return form === 'words' && this.found(startOf(path), bases) === undefined
  }

  /** Whether the path exists relative to another directory, whose code would name it so. */
  #isElsewhere(path: string): boolean {
    const bare = withoutUps(path)
    return bare !== '' && this.#tree.lookup.isSomewhere(bare)
  }

  /** Whether code may name a module by this path: without its extension, or with the extension of the compiled file. */
  #isSource(path: string, bases: readonly string[]): boolean {
    const { lookup } = this.#tree
    if (sourcesOf(path).some((source) => this.found(source, bases) !== undefined)) return true
    const [, compiled] = /^(?:\.\/)?(?:build|cjs|dist|esm?|lib|out)(\/.*)$/.exec(path) ?? []
    if (compiled === undefined) return false
    return sourcesOf(`src${compiled}`).some((source) => lookup.isSomewhere(source))
  }

  /** The commit that removed the last file of a bare name. Undefined if the tree has such a file, or the line is not about it. */
  #lossOfName({ path: name, reference }: PathCitation): string | undefined {
    if (!isSubject(reference)) return undefined
    const { history, lookup } = this.#tree
    // A name with a zero-padded number belongs to a series.
    const commit = history?.lossOfName(name)
    if (isRuntimeData(name) || isGenericName(name) || /(?:^|\D)0\d/.test(name) || commit === undefined) return undefined
    return !lookup.isSomewhere(name) && lookup.isWhole ? commit : undefined
  }

  /** Whether `a/b` rather means a or b, because both exist side by side. */
  #isChoice(path: string, bases: readonly string[]): boolean {
    const [, second = '', ...rest] = segments(path)
    return rest.length === 0 && this.found(second, bases) !== undefined
  }

  /** Whether the first directory of the path exists or existed. */
  #isRooted(path: string, bases: readonly string[]): boolean {
    const start = startOf(path)
    if (start === path) return false
    const { lookup, history } = this.#tree
    return meanings(start, bases).some((place) => lookup.exists(place) || history?.lossOf(place) !== undefined)
  }

  /**
   * The present place of a path, by history, else the only near file of the same name. Relative to `from`, else to the directory
   * that the path starts in. Undefined for an unknown place.
   */
  successor({ path, bases, form, reference }: PathCitation, from?: string): Successor | undefined {
    for (const base of bases) {
      const place = pathWithin(base, path)
      const now = place === undefined ? undefined : this.#renames.nowAt(place)
      if (now !== undefined) return { path: pathFrom(now, base, from), isRenamed: true }
    }
    // The present names of historical paths with this end.
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
   * The file of this name in the directory of the text. Else the only one in the tree, if it shares a directory with the path or
   * the text. Ignores files that the line also names.
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

/** The reason to report a missing path. */
interface Absence {
  /** The commit that removed the last entry at a place; undefined if history knows none. */
  readonly loss: string | undefined
  /** Whether it is a fictional example, or belongs to another tree. */
  readonly isForeign: boolean
}

/** The present place of a path. */
interface Successor {
  readonly path: string
  /** Whether history knows it; else only its name matches. */
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

/** The source files that code may name by a path without extension, or with the extension of compiled files. */
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

/** The first directory of a path, with the `..` before it. */
function startOf(path: string): string {
  return /^(?:\.\.?\/)*[^/]+/.exec(path)?.[0] ?? path
}

function firstOf(path: string): string {
  return segments(path).find((part) => part !== '..') ?? ''
}

/** A path from the root, relative to `base`. It stays unchanged if that needs a `..`. */
function seenFrom(base: string, path: string): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}

function withoutUps(path: string): string {
  return path.replace(/^(?:\.\.?\/)+/, '')
}
