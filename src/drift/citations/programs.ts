import { posix } from 'node:path'
import { rememberValue, type TreeLookup } from '../lookup/lookup.ts'
import type { CommandNeed } from './commands.ts'

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
/** Files of programs that may generate a Makefile. */
const GENERATORS = 'CMakeLists.txt configure configure.ac meson.build Makefile.am Makefile.in Makefile.PL'.split(' ')
/** Maximum characters of a package.json. A longer file counts as defining every script. */
const LONGEST_MANIFEST = 1024 * 1024

/** Finds out whether a script of package.json or a target of a Makefile is missing. Omits doubtful cases. */
export class ProgramChecker {
  readonly #lookup: TreeLookup
  readonly #manifests = new Map<string, ReturnType<typeof manifestIn>>()
  readonly #makefiles = new Map<string, ReturnType<typeof makefileIn>>()

  constructor(lookup: TreeLookup) {
    this.#lookup = lookup
  }

  /** Why the script cannot run; undefined if it may exist. `directories`: where the command may run, nearest first. */
  missingScript({ script, canBeProgram }: Extract<CommandNeed, { needs: 'script' }>, directories: readonly string[]) {
    const alternatives = [
      ...(canBeProgram ? [`node_modules/.bin/${script}`] : []),
      ...(script === 'start' ? ['server.js'] : []),
    ]
    const isDefined = (path: string) => {
      const manifest = rememberValue(this.#manifests, path, () => manifestIn(this.#lookup.textOf(path)))
      return manifest === undefined || manifest.scripts.has(script) || (canBeProgram && manifest.packages.has(script))
    }
    const files = { names: ['package.json'], file: 'package.json', lacks: `script "${script}"` }
    return this.#isAnyIn(directories, alternatives) ? undefined : this.#missing(files, directories, isDefined)
  }

  missingTarget(target: string, directories: readonly string[]): string | undefined {
    const alternatives = [...GENERATORS, ...(target.includes('.') ? [target] : [])]
    const isDefined = (path: string) => {
      const makefile = rememberValue(this.#makefiles, path, () => makefileIn(this.#lookup.textOf(path)))
      if (makefile === undefined || makefile.targets.has(target)) return true
      return makefile.patterns.some((pattern) => matchesRule(target, pattern))
    }
    const files = { names: MAKEFILES, file: 'Makefile', lacks: `target "${target}"` }
    return this.#isAnyIn(directories, alternatives) ? undefined : this.#missing(files, directories, isDefined)
  }

  #isAnyIn(directories: readonly string[], names: readonly string[]): boolean {
    return directories.some((directory) => names.some((name) => this.#lookup.exists(posix.join(directory, name))))
  }

  /** Why a command cannot run; undefined if any file in the directories or in the tree defines its script or target. */
  #missing(
    { names, file, lacks }: { readonly names: readonly string[]; readonly file: string; readonly lacks: string },
    directories: readonly string[],
    isDefined: (path: string) => boolean,
  ): string | undefined {
    const candidates = directories.flatMap((directory) => names.map((name) => posix.join(directory, name)))
    const existing = candidates.filter((path) => this.#lookup.exists(path))
    if (existing.some(isDefined)) return undefined
    const others = [...this.#lookup.directories()].flatMap(([directory, entries]) => {
      return names.filter((name) => entries.has(name)).map((name) => posix.join(directory, name))
    })
    if (others.some(isDefined) || !this.#lookup.isComplete) return undefined
    if (existing[0] !== undefined) return `${existing[0]} has no ${lacks}`
    return others.length > 0 ? `no ${file} has a ${lacks}` : `there is no ${file}`
  }
}

/**
 * The targets of a Makefile's rules. `patterns`: the targets with a `%`. Undefined for a Makefile that cannot be read,
 * or that computes targets or includes another Makefile.
 */
function makefileIn(text: string | undefined) {
  const lines = text?.split(/\r?\n/)
  if (lines === undefined || lines.some(isUnresolvable)) return undefined
  const names = lines.flatMap((line) => (/^([^\t#=:][^#=:]*)::?(?!=)/.exec(line)?.[1] ?? '').trim().split(/\s+/))
  const targets = new Set(names)
  return { targets, patterns: [...targets].filter((target) => target.includes('%')) }
}

/** Whether a line includes another Makefile, or has a variable before the colon of a rule. */
function isUnresolvable(line: string): boolean {
  if (/^[ \t]*-?s?include\b/.test(line)) return true
  const colon = line.search(/[=:]/)
  if (line[colon] !== ':' || line[colon + 1] === '=') return false
  const dollar = line.slice(0, colon).indexOf('$')
  return dollar >= 0 && !/[#\t]/.test(line.slice(0, dollar))
}

/** Whether a pattern rule matches a target. The `%` of the rule matches any text except `''`. */
function matchesRule(target: string, rule: string): boolean {
  const [start = '', end = ''] = rule.split('%')
  return target.length > start.length + end.length && target.startsWith(start) && target.endsWith(end)
}

/** The names of the scripts and packages in a package.json. Undefined for an unreadable file. */
function manifestIn(json: string | undefined) {
  if (json === undefined || json.length > LONGEST_MANIFEST) return undefined
  try {
    const manifest = JSON.parse(json.replace(/^\uFEFF/, ''))
    if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) return undefined
    const names = (section: string) => {
      const value = manifest[section]
      // A text or an array would have its indexes as names.
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
    }
    return { scripts: new Set(names('scripts')), packages: new Set(['dependencies', 'devDependencies'].flatMap(names)) }
  } catch {
    return undefined
  }
}
