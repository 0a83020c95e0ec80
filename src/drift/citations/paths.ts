import { posix } from 'node:path'
import { segments } from '../../text/paths.ts'
import { type PathHistory, RenameResolver } from '../lookup/history.ts'
import { isRuledOut, pathWithin, type TreeLookup } from '../lookup/lookup.ts'
import { isSubject, type Reference } from './references.ts'
import { type CitedPath, GENERIC_NAME, isExample, isOptional, isPersonal, mayBeAbsent, RUNTIME_DATA } from './shape.ts'

/** The files of a project, and the history of their paths. */
export interface CitedTree {
  readonly lookup: TreeLookup
  /** Undefined without history. */
  readonly history: PathHistory | undefined
}

/** A cited path. */
export interface PathCitation extends CitedPath {
  /** Directories to which the path may be relative, likeliest first. Relative to the root of the tree. */
  readonly bases: readonly string[]
  readonly reference: Reference
  /** Whether the citation is surely a path, regardless of its form. */
  readonly isCertain: boolean
}

/** Checks cited paths that do not exist: whether to report them, and what their new names are. Omits doubtful paths. */
export class PathChecker {
  readonly #tree: CitedTree
  readonly #renames: RenameResolver

  constructor(tree: CitedTree) {
    this.#tree = tree
    this.#renames = new RenameResolver(tree.history?.renames ?? [], (path) => tree.lookup.exists(path))
  }

  /** The first existing path, from the root, that a cited path may mean. */
  findExisting(path: string, bases: readonly string[]): string | undefined {
    return possiblePlaces(path, bases).find((place) => this.#tree.lookup.exists(place))
  }

  /**
   * What to report about a cited path that does not exist under any of its bases; undefined if the path need not exist.
   * `commit`: the commit that removed the file, or the last file of the directory; undefined without such a commit. `isForeign`:
   * whether the path is an invented example, or belongs to another tree.
   */
  findAbsence(citation: PathCitation) {
    const { path, bases, form, isCertain } = citation
    const { lookup, history } = this.#tree
    const places = possiblePlaces(path, bases)
    if (places.length === 0 || this.#isAlias(path, bases)) return undefined
    const isName = form === 'name' && !isCertain
    const commit = isName
      ? this.#commitOfName(citation)
      : places.map((place) => history?.removalOf(place)).find((removal) => removal !== undefined)
    if (commit === undefined && (isName || !this.#shouldExist(citation))) return undefined
    if ((!isCertain && isOptional(path)) || places.some((place) => lookup.isIgnored(place))) return undefined
    // Paths that a person lists in `.context/ignore` need not exist.
    const rules = [{ path: '', verdict: lookup.rulesAt('.context/ignore') }]
    const isMarked = places.some((place) => isRuledOut(place, rules))
    if (commit === undefined) return { commit, isForeign: isMarked || isExample(path) }
    const isElsewhere = !isCertain && (this.#existsElsewhere(path) || this.#lacksFirstDirectory(citation))
    return isElsewhere && this.successor(citation) === undefined ? undefined : { commit, isForeign: isMarked }
  }

  /** Whether the path starts with an alias that the settings of the TypeScript compiler define (`paths`). */
  #isAlias(path: string, bases: readonly string[]): boolean {
    if (/^[@~#$]/.test(path)) return true
    const { lookup } = this.#tree
    const texts = bases.flatMap((base) => COMPILER_SETTINGS.map((name) => lookup.textOf(posix.join(base, name)) ?? ''))
    return texts.some((text) => aliasesIn(text).some((alias) => path === alias || path.startsWith(`${alias}/`)))
  }

  /** Whether a path that is not in the history should exist, because its directory exists and has files of its type. */
  #shouldExist({ path, bases, form, isCertain }: PathCitation): boolean {
    if (mayBeAbsent(path) || this.#isSourceModule(path, bases)) return false
    if (isCertain) return form !== 'words' || this.#hasFirstDirectory(path, bases)
    const directory = path.includes('/') ? this.findExisting(posix.dirname(path), bases) : undefined
    if (directory === undefined || isPersonal(segments(withoutParents(path))[0] ?? '') || this.#existsElsewhere(path))
      return false
    if (form === 'file') return this.#tree.lookup.hasKind(directory, posix.extname(path))
    return this.#tree.history === undefined && !(form === 'words' && this.#namesTwoFiles(path, bases))
  }

  /** Whether the path may be plain words (`read/write`: form `words`), and its first directory does not exist. */
  #lacksFirstDirectory({ path, form, bases }: PathCitation): boolean {
    return form === 'words' && this.findExisting(firstDirectory(path), bases) === undefined
  }

  /** Whether the path exists below some other directory: the text may mean a path relative to that directory. */
  #existsElsewhere(path: string): boolean {
    const bare = withoutParents(path)
    return bare !== '' && this.#tree.lookup.isSomewhere(bare)
  }

  /** Whether code may name a module by this path: without its extension, or with the extension of the compiled file. */
  #isSourceModule(path: string, bases: readonly string[]): boolean {
    const { lookup } = this.#tree
    if (sourcesOf(path).some((source) => this.findExisting(source, bases) !== undefined)) return true
    const [, compiled] = /^(?:\.\/)?(?:build|cjs|dist|esm?|lib|out)(\/.*)$/.exec(path) ?? []
    if (compiled === undefined) return false
    return sourcesOf(`src${compiled}`).some((source) => lookup.isSomewhere(source))
  }

  /** The last commit that removed a file of this name. Undefined if such a file exists, or if the citing line is about something else. */
  #commitOfName({ path: name, reference }: PathCitation): string | undefined {
    if (!isSubject(reference)) return undefined
    const { history, lookup } = this.#tree
    // Numbered names such as `0012-foo.md` are skipped: a series may lack a member.
    const commit = history?.removalOfName(name)
    if (RUNTIME_DATA.test(name) || GENERIC_NAME.test(name) || /(?:^|\D)0\d/.test(name) || commit === undefined)
      return undefined
    return !lookup.isSomewhere(name) && lookup.isComplete ? commit : undefined
  }

  /** Whether a path such as `a/b` means two files, `a` and `b`, because both exist side by side. */
  #namesTwoFiles(path: string, bases: readonly string[]): boolean {
    const [, second = '', ...rest] = segments(path)
    return rest.length === 0 && this.findExisting(second, bases) !== undefined
  }

  /** Whether the first directory of the path exists or existed. */
  #hasFirstDirectory(path: string, bases: readonly string[]): boolean {
    const start = firstDirectory(path)
    if (start === path) return false
    const { lookup, history } = this.#tree
    return possiblePlaces(start, bases).some((place) => lookup.exists(place) || history?.removalOf(place) !== undefined)
  }

  /**
   * Finds the new path of a path that moved: from the history, or as the only file of the same name nearby. Undefined
   * if it is unknown. In the result, `path` is relative to `from`; without `from`, to the base of the cited
   * path. `isRenamed`: whether the new path is from the history.
   */
  successor({ path, bases, form, reference }: PathCitation, from?: string) {
    for (const base of bases) {
      const place = pathWithin(base, path)
      const present = place === undefined ? undefined : this.#renames.currentPath(place)
      if (present !== undefined) return { path: proposedPath(present, base, from), isRenamed: true }
    }
    // The history may have a former path that ends with the cited path, in a directory that is not a base.
    const formerPaths = this.#tree.history?.pathsWithEnd(withoutParents(path)) ?? []
    const [newPath, ...others] = new Set(formerPaths.flatMap((former) => this.#renames.currentPath(former) ?? []))
    if (newPath !== undefined && others.length === 0) return { path: proposedPath(newPath, '', from), isRenamed: true }
    if (form === 'directory' || form === 'words') return undefined
    const namesake = this.#findNamesake(path, bases, reference.wholeLine)
    if (namesake === undefined) return undefined
    const base = bases.find((at) => isBelow(namesake, at)) ?? ''
    return { path: proposedPath(namesake, base, from), isRenamed: false }
  }

  /**
   * Finds a file with the name of the cited file. First: in the directory of the citing text. Second: the only file of
   * that name in the tree, if it is below that directory, or if one of its directories has the name of a directory in
   * the cited path. Skips files that the citing line names, too.
   */
  #findNamesake(path: string, [directory = '']: readonly string[], line: string): string | undefined {
    const parts = segments(path)
    const name = parts.at(-1) ?? ''
    if (this.#tree.history === undefined || GENERIC_NAME.test(name)) return undefined
    const [only, ...others] = this.#tree.lookup
      .pathsNamed(name)
      .filter((file) => !line.includes(relativePath(directory, file)))
    const beside = posix.join(directory, name)
    if (directory !== '' && this.#tree.lookup.exists(beside) && !line.includes(`(${name})`)) return beside
    if (only === undefined || others.length > 0) return undefined
    const directories = segments(only).slice(0, -1)
    const isNear =
      (directory !== '' && isBelow(only, directory)) || parts.slice(0, -1).some((part) => directories.includes(part))
    return isNear ? only : undefined
  }
}

const SOURCE_ENDINGS = `.ts .tsx .js .jsx .mts .mjs .cts .cjs .d.ts .vue .svelte .py .rs .go .rb .md .mdc .json
  /index.ts /index.tsx /index.js /__init__.py /mod.rs`.split(/\s+/)

const COMPILER_SETTINGS = ['tsconfig.json', 'tsconfig.base.json', 'jsconfig.json']

/** The aliases in the settings of a compiler: the keys of `paths`, up to their first slash or `*`. */
function aliasesIn(settings: string): string[] {
  const [, paths = ''] = /"paths"\s*:\s*\{([^{}]{0,10000})\}/.exec(settings) ?? []
  return [...paths.matchAll(/"([^"*/]{1,200})(?:\/[^"]{0,200})?"\s*:/g)].map(([, alias = '']) => alias)
}

/** The source files that code may name by a path without extension, or with the extension of compiled files. */
function sourcesOf(path: string): string[] {
  const compiled = /^(.+)\.([cm]?)js(x?)$/.exec(path)
  if (compiled) return ['', 'x'].map((x) => `${compiled[1]}.${compiled[2]}ts${compiled[3] || x}`)
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last.includes('.') ? [] : SOURCE_ENDINGS.map((extension) => path + extension)
}

function isBelow(path: string, directory: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`)
}

function proposedPath(path: string, base: string, from: string | undefined): string {
  return from === undefined ? relativePath(base, path) : posix.relative(from, path)
}

/** The paths from the root that a cited path may mean, in the order of `bases`. */
export function possiblePlaces(path: string, bases: readonly string[]): string[] {
  return bases.flatMap((base) => pathWithin(base, path) ?? [])
}

/** The first directory of a path, with any `./` and `../` before the directory. */
function firstDirectory(path: string): string {
  return /^(?:\.\.?\/)*[^/]+/.exec(path)?.[0] ?? path
}

/** Converts a path from the root to a path from `base`, without `..`: a path outside of `base` is unchanged. */
function relativePath(base: string, path: string): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}

function withoutParents(path: string): string {
  return path.replace(/^(?:\.\.?\/)+/, '')
}
