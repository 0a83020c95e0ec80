import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { Script } from 'node:vm'

/** First words of the commands that quick-main.ts holds. */
export const QUICK_COMMANDS: readonly string[] = ['load', 'task', 'hook']

/**
 * The folder for compiled code: `ambit/compiled` in `XDG_CACHE_HOME`, else in `~/.cache`. Undefined if
 * `NODE_DISABLE_COMPILE_CACHE` is set, or if the folder cannot be created or belongs to another user. The folders are created one
 * by one: a recursive mkdir would create a missing home directory, and never ends under /proc. Never the temporary folder or the
 * current directory (an empty or relative path): another user could put code there.
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
    // sudo may keep the home of its caller: code that the caller compiled would run with the rights of this user.
    return process.getuid === undefined || statSync(folder).uid === process.getuid() ? folder : undefined
  } catch {
    return undefined
  }
}

/** The function that Node wraps around a CommonJS file. Not from `module.wrap`, whose module takes 0.4 ms to load. */
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'] as const

/**
 * Loads CommonJS files with the code that V8 compiled in an earlier run. Node's own compile cache contains only the functions
 * that run while a file is loaded. This cache also contains functions that are called later, which are the majority.
 */
export class CompiledFiles {
  readonly #folder: string
  readonly #key: string
  readonly #modules = new Map<string, { exports: unknown }>()
  /** Compiled scripts to write when the process ends, by path. */
  readonly #uncached = new Map<string, Script>()

  /** `key`: names the command and the build, so that a change of any file changes it. */
  constructor(folder: string, key: string) {
    this.#folder = folder
    this.#key = key
    // A failed run writes no cache: it called fewer functions, so less code is compiled.
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
    const cachedData = readTwoCopies(cacheFile)
    const code = `${WRAPPER[0]}${readFileSync(filename, 'utf8')}${WRAPPER[1]}`
    const script = new Script(code, { filename, ...(cachedData && { cachedData }) })
    if (!cachedData || script.cachedDataRejected === true) this.#uncached.set(cacheFile, script)
    return script
  }

  #writeCache(): void {
    for (const [path, script] of this.#uncached) writeTwoCopies(path, script.createCachedData())
  }

  /** The `require` of a file. This class loads modules of the program, each only once. Node loads other modules. */
  #requireFrom(file: string): NodeJS.Require {
    let loadedRequire: NodeJS.Require | undefined
    const nodeRequire = () => {
      loadedRequire ??= process.getBuiltinModule('node:module').createRequire(file)
      return loadedRequire
    }
    const require = (name: string) => {
      if (name.startsWith('node:')) return process.getBuiltinModule(name)
      const isSibling = name.startsWith('./') && name.endsWith('.js')
      // Avoids `join`, whose first call in a process takes almost a millisecond.
      if (isSibling) return this.require(`${dirname(file)}${name.slice(1)}`)
      return /^\.\.\/.*\.js$/.test(name) ? this.require(join(dirname(file), name)) : nodeRequire()(name)
    }
    return Object.assign(require, { resolve: (name: string) => nodeRequire().resolve(name) }) as NodeJS.Require
  }
}

/**
 * Reads code that a file contains twice; undefined unless both copies are equal. V8 does not verify compiled code: a wrong bit
 * can crash the process.
 */
function readTwoCopies(path: string): Buffer | undefined {
  try {
    const fileBytes = readFileSync(path)
    const [first, second] = [fileBytes.subarray(0, fileBytes.length / 2), fileBytes.subarray(fileBytes.length / 2)]
    return fileBytes.length > 0 && first.equals(second) ? first : undefined
  } catch {
    return undefined
  }
}

/** A build needs about a hundred cache files. If the folder has more than this, the oldest belong to earlier builds. */
const MAX_CACHE_FILES = 250

function writeTwoCopies(path: string, code: Buffer): void {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, Buffer.concat([code, code]))
    renameSync(draft, path)
    removeOldest(dirname(path))
  } catch {
    // Without the file, the next start takes as long as this one.
    tryToRemove(draft)
  }
}

/** Removes an unfinished file. On a full disk, it would take the space that a person frees. */
function tryToRemove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The folder cannot be reached any more.
  }
}

function removeOldest(folder: string): void {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  if (files.length <= MAX_CACHE_FILES) return
  const paths = files.map(({ name }) => `${folder}/${name}`)
  const newestFirst = paths.map((path) => ({ path, time: statSync(path).mtimeMs })).sort((a, b) => b.time - a.time)
  for (const { path } of newestFirst.slice(MAX_CACHE_FILES)) rmSync(path, { force: true })
}
