import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { Script } from 'node:vm'

/** First words of the commands that quick-main.ts holds. */
export const QUICK_COMMANDS: readonly string[] = ['load', 'task', 'hook']

/**
 * `ambit/compiled` in `XDG_CACHE_HOME`, else in `~/.cache`; undefined when it cannot be made, or Node's variable turns compiled code off. Made
 * step by step: a recursive mkdir would create a home that does not exist, and never ends under /proc. The usual temporary folder could be
 * prepared by someone else, and so could the current directory, which is what an empty or relative path means.
 */
export function compiledFolder(): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME: cacheHome = '' } = process.env
  if (NODE_DISABLE_COMPILE_CACHE) return undefined
  try {
    const isCacheHomeSet = isAbsolute(cacheHome)
    let folder = isCacheHomeSet ? dirname(cacheHome) : homedir()
    if (!isAbsolute(folder)) return undefined
    for (const name of [isCacheHomeSet ? basename(cacheHome) : '.cache', 'ambit', 'compiled']) {
      folder = `${folder}/${name}`
      if (!existsSync(folder)) mkdirSync(folder)
    }
    // With the home of another user, as sudo may leave it, that user's compiled code would run as this one.
    return process.getuid === undefined || statSync(folder).uid === process.getuid() ? folder : undefined
  } catch {
    return undefined
  }
}

/** Node's wrapper of a CommonJS file. Its own, `module.wrap`, comes with a module that takes .4 ms to load. */
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'] as const

/**
 * Requires CommonJS files with what V8 compiled of them when they ran before. Node's own compile cache holds only what runs
 * as a file is loaded; here are the functions, too, that were called later, which are most.
 */
export class CompiledFiles {
  readonly #folder: string
  readonly #key: string
  readonly #modules = new Map<string, { exports: unknown }>()
  /** Compiled scripts to write when the process ends, by path. */
  readonly #uncached = new Map<string, Script>()

  /** `key`: changes with any of the files, and names what they are used for. */
  constructor(folder: string, key: string) {
    this.#folder = folder
    this.#key = key
    // A run that failed has called less.
    process.once('exit', (code) => code === 0 && this.#writeCache())
  }

  require(file: string): unknown {
    const cached = this.#modules.get(file)
    if (cached) return cached.exports
    const loaded = { exports: {} }
    this.#modules.set(file, loaded)
    this.#compile(file).runInThisContext()(loaded.exports, this.#requireFrom(file), loaded, file, dirname(file))
    return loaded.exports
  }

  #compile(filename: string): Script {
    const cacheFile = `${this.#folder}/${this.#key}-${basename(filename)}-${process.version}-${process.arch}`
    const cachedData = readTwice(cacheFile)
    const code = `${WRAPPER[0]}${readFileSync(filename, 'utf8')}${WRAPPER[1]}`
    const script = new Script(code, { filename, ...(cachedData && { cachedData }) })
    if (!cachedData || script.cachedDataRejected === true) this.#uncached.set(cacheFile, script)
    return script
  }

  #writeCache(): void {
    for (const [path, script] of this.#uncached) writeTwice(path, script.createCachedData())
  }

  /** Modules beside a file are required in the same way, so that each is loaded once. */
  #requireFrom(file: string): NodeJS.Require {
    let loadedRequire: NodeJS.Require | undefined
    const nodeRequire = () => {
      loadedRequire ??= process.getBuiltinModule('node:module').createRequire(file)
      return loadedRequire
    }
    const require = (name: string) => {
      if (name.startsWith('node:')) return process.getBuiltinModule(name)
      const isSibling = name.startsWith('./') && name.endsWith('.js')
      // The first `join` of a process takes most of a millisecond.
      if (isSibling) return this.require(`${dirname(file)}${name.slice(1)}`)
      return /^\.\.\/.*\.js$/.test(name) ? this.require(join(dirname(file), name)) : nodeRequire()(name)
    }
    return Object.assign(require, { resolve: (name: string) => nodeRequire().resolve(name) }) as NodeJS.Require
  }
}

/** V8 trusts compiled code, and ends the process over a bit that is wrong: the file holds it twice, and both must agree. */
function readTwice(path: string): Buffer | undefined {
  try {
    const fileBytes = readFileSync(path)
    const [first, second] = [fileBytes.subarray(0, fileBytes.length / 2), fileBytes.subarray(fileBytes.length / 2)]
    return fileBytes.length > 0 && first.equals(second) ? first : undefined
  } catch {
    return undefined
  }
}

/** A build has about a hundred files: more than this are of builds that are gone. */
const MAX_CACHE_FILES = 250

function writeTwice(path: string, code: Buffer): void {
  try {
    writeFileSync(`${path}.${process.pid}`, Buffer.concat([code, code]))
    renameSync(`${path}.${process.pid}`, path)
    removeOldest(dirname(path))
  } catch {
    // The next start takes as long as this one.
  }
}

function removeOldest(folder: string): void {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  if (files.length <= MAX_CACHE_FILES) return
  const paths = files.map(({ name }) => `${folder}/${name}`)
  const newestFirst = paths.map((path) => ({ path, time: statSync(path).mtimeMs })).sort((a, b) => b.time - a.time)
  for (const { path } of newestFirst.slice(MAX_CACHE_FILES)) rmSync(path, { force: true })
}
