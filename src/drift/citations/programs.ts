import { posix } from 'node:path'
import type { Lookup } from '../lookup/lookup.ts'
import type { CommandNeed } from './commands.ts'

/** Verdict of the nearest file that defines scripts or targets. */
export type ProgramVerdict = { readonly defined: true } | { readonly defined: false; readonly by: string }

const DEFINED: ProgramVerdict = { defined: true }
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
/** Files of programs that may generate a Makefile. */
const MAKERS = [
  'CMakeLists.txt',
  'configure',
  'configure.ac',
  'meson.build',
  'Makefile.am',
  'Makefile.in',
  'Makefile.PL',
]
/** Characters of the longest package.json that is looked into: a longer one is taken to define every script. */
const LONGEST_MANIFEST = 1024 * 1024

/** Says whether scripts of package.json and targets of Makefiles exist. In doubt they do. */
export class Programs {
  readonly #lookup: Lookup
  readonly #manifests = new Map<string, Manifest | undefined>()
  readonly #makefiles = new Map<string, Makefile | undefined>()

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** `directories`: where the command may be meant to run, the nearest first. */
  script(
    { script, orProgram }: Extract<CommandNeed, { needs: 'script' }>,
    directories: readonly string[],
  ): ProgramVerdict {
    const files = this.#named(['package.json'], directories)
    const isDefined = (path: string) => this.#packageHas(path, script, orProgram)
    if (orProgram && directories.some((at) => this.#lookup.exists(posix.join(at, 'node_modules/.bin', script))))
      return DEFINED
    if (script === 'start' && directories.some((at) => this.#lookup.exists(posix.join(at, 'server.js')))) return DEFINED
    return this.#verdict(files, isDefined, { file: 'package.json', lacks: `script "${script}"` })
  }

  target(target: string, directories: readonly string[]): ProgramVerdict {
    const files = this.#named(MAKEFILES, directories)
    if (directories.some((at) => MAKERS.some((name) => this.#lookup.exists(posix.join(at, name))))) return DEFINED
    if (directories.some((at) => target.includes('.') && this.#lookup.exists(posix.join(at, target)))) return DEFINED
    const isDefined = (path: string) => this.#makefileHas(path, target)
    return this.#verdict(files, isDefined, { file: 'Makefile', lacks: `target "${target}"` })
  }

  #verdict({ near, far }: Files, isDefined: (path: string) => boolean, { file, lacks }: NeededProgram): ProgramVerdict {
    if (near.some(isDefined)) return DEFINED
    const others = far()
    if (others.some(isDefined) || !this.#lookup.isWhole) return DEFINED
    if (near[0] !== undefined) return { defined: false, by: `${near[0]} has no ${lacks}` }
    return { defined: false, by: others.length > 0 ? `no ${file} has a ${lacks}` : `there is no ${file}` }
  }

  /** The files of that name in the directories, and in all of the tree that is listed. */
  #named(names: readonly string[], directories: readonly string[]): Files {
    const near = directories.flatMap((at) => names.map((name) => posix.join(at, name)))
    const far = () => {
      const listed = [...this.#lookup.directories()]
      return listed.flatMap(([at, held]) => names.filter((name) => held.has(name)).map((name) => posix.join(at, name)))
    }
    return { near: near.filter((path) => this.#lookup.exists(path)), far }
  }

  #packageHas(path: string, script: string, orProgram: boolean): boolean {
    const manifest = once(this.#manifests, path, () => manifestIn(this.#lookup.textOf(path)))
    return manifest === undefined || manifest.scripts.has(script) || (orProgram && manifest.packages.has(script))
  }

  #makefileHas(path: string, target: string): boolean {
    const makefile = once(this.#makefiles, path, () => makefileIn(this.#lookup.textOf(path)))
    if (makefile === undefined || makefile.targets.has(target)) return true
    return makefile.patterns.some((pattern) => isMadeBy(target, pattern))
  }
}

/** The value of a map, which is made when it is first asked for. */
function once<Value>(known: Map<string, Value | undefined>, key: string, make: () => Value | undefined) {
  if (!known.has(key)) known.set(key, make())
  return known.get(key)
}

/** The targets that the rules of a Makefile define, those with a `%` apart. */
interface Makefile {
  readonly targets: ReadonlySet<string>
  readonly patterns: readonly string[]
}

/** Undefined for one that cannot be read, or where a target's name is computed, or defined elsewhere. */
function makefileIn(text: string | undefined): Makefile | undefined {
  const lines = text?.split(/\r?\n/)
  if (lines === undefined || lines.some(isUnresolvable)) return undefined
  const targets = new Set(
    lines.flatMap((line) => (/^([^\t#=:][^#=:]*)::?(?!=)/.exec(line)?.[1] ?? '').trim().split(/\s+/)),
  )
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

/** Whether a target is one that a rule with a `%` makes, which stands for any text. */
function isMadeBy(target: string, defined: string): boolean {
  const [start = '', end = ''] = defined.split('%')
  return target.length > start.length + end.length && target.startsWith(start) && target.endsWith(end)
}

/** The kind of file that a verdict needs, and the name to look for. */
interface NeededProgram {
  readonly file: string
  readonly lacks: string
}

interface Files {
  readonly near: readonly string[]
  far(): readonly string[]
}

/** Names that a package.json defines. */
interface Manifest {
  readonly scripts: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** Undefined for one that cannot be read. */
function manifestIn(json: string | undefined): Manifest | undefined {
  const manifest = parseManifest(json)
  if (manifest === undefined) return undefined
  const names = (section: string) => Object.keys(asObject(manifest[section]) ?? {})
  return { scripts: new Set(names('scripts')), packages: new Set(['dependencies', 'devDependencies'].flatMap(names)) }
}

function parseManifest(json: string | undefined): Record<string, unknown> | undefined {
  if (json === undefined || json.length > LONGEST_MANIFEST) return undefined
  try {
    return asObject(JSON.parse(json.replace(/^\uFEFF/, '')))
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
