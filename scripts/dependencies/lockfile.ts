/** The part of package-lock.json (version 3) that the checks read. */

export interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  /** Whether the entry is a workspace or another folder of the repository. */
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  /** If false, npm compiles nothing, even if there is a `binding.gyp`. */
  readonly gypfile?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** `packages` is keyed by folder: `''` for the project, `node_modules/a/node_modules/b` for what is installed. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockEntry>>
}

/** A part of the path of every package from a registry. */
export const INSTALLED = 'node_modules/'

/** Whether a folder of the lockfile holds a package from a registry. */
export function isInstalled(folder: string, entry: LockEntry): boolean {
  return folder.includes(INSTALLED) && entry.link !== true
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf(INSTALLED) + INSTALLED.length)
}

/** The folder that `name` resolves to from `folder`: in the nearest node_modules, in it or above it. */
function resolve(lock: Lockfile, folder: string, name: string): string | undefined {
  const own = folder === '' ? `${INSTALLED}${name}` : `${folder}/${INSTALLED}${name}`
  if (own in lock.packages) return own
  return folder === '' ? undefined : resolve(lock, parentFolder(folder), name)
}

function parentFolder(folder: string): string {
  const end = folder.lastIndexOf(`/${INSTALLED}`)
  return end === -1 ? '' : folder.slice(0, end)
}

/** The folders that are installed with the package: its dependencies, their dependencies, and peers that are not optional. */
export function productionTree(lock: Lockfile): Set<string> {
  const tree = new Set<string>()
  const visit = (folder: string) => {
    const entry = lock.packages[folder] ?? {}
    for (const name of Object.keys({
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...neededPeers(entry),
    })) {
      const found = resolve(lock, folder, name)
      if (found === undefined || tree.has(found)) continue
      tree.add(found)
      visit(found)
    }
  }
  visit('')
  return tree
}

function neededPeers({ peerDependencies = {}, peerDependenciesMeta = {} }: LockEntry): Record<string, string> {
  return Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional))
}
