import { posix } from 'node:path'
import type { Command } from './commands.ts'
import type { Lookup } from './lookup.ts'

/** What the nearest file that defines scripts or targets says. */
export type Verdict = { readonly defined: true } | { readonly defined: false; readonly by: string }

const DEFINED: Verdict = { defined: true }
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
/** Where one of these is, a Makefile may be made by it. */
const MAKERS = [
  'CMakeLists.txt',
  'configure',
  'configure.ac',
  'meson.build',
  'Makefile.am',
  'Makefile.in',
  'Makefile.PL',
]
/** A target's name is computed, or defined elsewhere. */
const OPEN_MAKEFILE = /^[ \t]*-?(?:include|sinclude)\b|^[^#\t\n=:]*\$[^\n=:]*:(?!=)/m

/** Says whether scripts of package.json and targets of Makefiles exist. In doubt they do. */
export class Programs {
  readonly #lookup: Lookup

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** `directories`: where the command may be meant to run, the nearest first. */
  script({ script, orProgram }: Extract<Command, { needs: 'script' }>, directories: readonly string[]): Verdict {
    const files = this.#named(['package.json'], directories)
    const isDefined = (path: string) => this.#packageHas(path, script, orProgram)
    if (orProgram && directories.some((at) => this.#lookup.exists(posix.join(at, 'node_modules/.bin', script))))
      return DEFINED
    if (script === 'start' && directories.some((at) => this.#lookup.exists(posix.join(at, 'server.js')))) return DEFINED
    return this.#verdict(files, isDefined, { file: 'package.json', lacks: `script "${script}"` })
  }

  target(target: string, directories: readonly string[]): Verdict {
    const files = this.#named(MAKEFILES, directories)
    if (directories.some((at) => MAKERS.some((name) => this.#lookup.exists(posix.join(at, name))))) return DEFINED
    if (directories.some((at) => target.includes('.') && this.#lookup.exists(posix.join(at, target)))) return DEFINED
    const isDefined = (path: string) => this.#makefileHas(path, target)
    return this.#verdict(files, isDefined, { file: 'Makefile', lacks: `target "${target}"` })
  }

  #verdict({ near, far }: Files, isDefined: (path: string) => boolean, { file, lacks }: Wanted): Verdict {
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
    const manifest = objectIn(this.#lookup.textOf(path))
    if (manifest === undefined) return true
    const sections = orProgram ? ['scripts', 'dependencies', 'devDependencies'] : ['scripts']
    return sections.some((section) => Object.hasOwn(asObject(manifest[section]) ?? {}, script))
  }

  #makefileHas(path: string, target: string): boolean {
    const text = this.#lookup.textOf(path)
    if (text === undefined || OPEN_MAKEFILE.test(text)) return true
    return text.split(/\r?\n/).some((line) => {
      const targets = /^([^\t#=:][^#=:]*)::?(?!=)/.exec(line)?.[1]?.trim().split(/\s+/) ?? []
      return targets.some((defined) => isMadeBy(target, defined))
    })
  }
}

/** Whether a target is one that a rule defines; `%` in the rule stands for any text. */
function isMadeBy(target: string, defined: string): boolean {
  const [start = '', end] = defined.split('%')
  if (end === undefined) return target === defined
  return target.length > start.length + end.length && target.startsWith(start) && target.endsWith(end)
}

/** What a verdict is about: the kind of file, and what it may lack. */
interface Wanted {
  readonly file: string
  readonly lacks: string
}

interface Files {
  readonly near: readonly string[]
  far(): readonly string[]
}

function objectIn(json: string | undefined): Record<string, unknown> | undefined {
  try {
    return json === undefined ? undefined : asObject(JSON.parse(json.replace(/^\uFEFF/, '')))
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
