/** Finds the files and directories that a tool call names. */

import { dirname, resolve } from 'node:path'
import { isDirectory, statOf } from '../../files/file-version.ts'
import { isWithin, parentOf } from '../../text/paths.ts'
import type { ReachRequest } from './applying.ts'
import { readCommandLines, type ShellSurroundings } from './shell/shell-reader.ts'
import { MAX_NAMED_PATHS } from './shell/shell-words.ts'

/** Programs that print names of files. */
const LISTING_PROGRAMS = new Set(['rg', 'grep', 'egrep', 'ag', 'ack', 'find', 'fd', 'fdfind', 'ls', 'tree', 'git'])

/** Maximum directories whose files are found in results, and maximum lines of results that are searched. */
const MAX_DIRECTORIES = 16
const MAX_LINES = 400

/** Marks that tools write before a path. */
const PATH_PREFIX = /^(?:- |\* |"|File: |\[DIR\] )/

/** The working directory, the root and the home directory of a tool call. Absolute paths. */
export type CallPlace = Omit<ShellSurroundings, 'variable'>

/**
 * `paths`: the paths of a tool call, absolute, each once: in its inputs, its command lines and its results. `dropped`:
 * the number of paths beyond the limit; infinite if a command names more paths than can be counted.
 */
export async function touchedPaths(request: ReachRequest, place: CallPlace) {
  const { touched, commands, workdir, results, variable } = request
  const inputPaths = existingPaths(touched, place)
  const cwd = resolve(place.cwd, commands.length === 0 ? '.' : (workdir ?? '.'))
  const reading = commands.length === 0 ? undefined : await readCommandLines(commands, { ...place, cwd, variable })
  const inCommands = reading?.paths ?? []
  const workdirPaths = reading && workdir !== undefined ? existingPaths([cwd], place) : []
  const paths = new Set([...inputPaths, ...workdirPaths, ...inCommands.slice(0, MAX_NAMED_PATHS)])
  const isListing = !reading || [...reading.programs].some((name) => LISTING_PROGRAMS.has(name))
  const beyond = (count: number) => Math.max(0, count - MAX_NAMED_PATHS)
  return {
    paths: [...new Set([...paths, ...(isListing ? pathsInResults(results, [cwd, ...paths]) : [])])],
    dropped: beyond(new Set(touched).size) + beyond(reading?.count ?? 0),
  }
}

/** Absolute paths of the given paths that exist, or whose directory exists. Considers the first `MAX_NAMED_PATHS`. */
export function existingPaths(paths: readonly string[], { cwd, home }: Omit<CallPlace, 'root'>): readonly string[] {
  const first = [...new Set(paths)].slice(0, MAX_NAMED_PATHS)
  const absolute = first.map((path) => resolve(cwd, home !== undefined ? path.replace(/^~(?=\/|$)/, home) : path))
  return [...new Set(absolute)].filter((path) => path.length < 4096 && (statOf(path) || isDirectory(parentOf(path))))
}

/** The first file of each directory, from lines that begin with a path, as in the output of `grep`, `ls` and lists of files. */
function pathsInResults(results: string, knownPaths: readonly string[]): readonly string[] {
  const bases = knownPaths.filter((path) => isDirectory(path)).slice(0, 4)
  const fileByDirectory = new Map<string, string>()
  for (const line of results.split('\n', MAX_LINES)) {
    if (fileByDirectory.size >= MAX_DIRECTORIES) break
    const path = line.slice(0, 1024).trim().replace(PATH_PREFIX, '').split(/[:"]/, 1)[0]
    if (!path?.includes('/')) continue
    const candidates = bases.map((base) => resolve(base, path.trim()))
    if (candidates.some((one) => fileByDirectory.has(dirname(one)))) continue
    const existing = candidates.find((one) => statOf(one))
    if (existing !== undefined && knownPaths.every((one) => !isWithin(existing, one)))
      fileByDirectory.set(dirname(existing), existing)
  }
  return [...fileByDirectory.values()]
}
