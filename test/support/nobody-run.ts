import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { importsOf, ROOT, readSources } from '../source-files.ts'
import { COPY, lacksNobody, mayAllEnter, nodeIn } from './nobody.ts'

/** Gives root's tests a copy of what runs as another user, where that user cannot reach the repository itself. */
export function setup(): (() => void) | undefined {
  const isReachable = [ROOT, dirname(process.execPath)].every(mayAllEnter)
  if (process.getuid?.() !== 0 || isReachable || lacksNobody() !== undefined) return undefined
  const copy = copyForAll(['package.json', 'assets', 'src', 'test', ...packages()])
  process.env[COPY] = copy
  return () => {
    delete process.env[COPY]
    fs.rmSync(copy, { recursive: true })
  }
}

/** Node and these paths of the repository, in a directory that all may enter and nobody may list; whoever asks removes it. */
export function copyForAll(paths: readonly string[]): string {
  const copy = fs.mkdtempSync(join(tmpdir(), 'ambit-copy-'))
  copyFile(process.execPath, nodeIn(copy))
  for (const path of paths) copyTree(join(ROOT, path), join(copy, path))
  fs.chmodSync(copy, 0o711)
  return copy
}

/** The packages that the sources import, and what those depend on; what a user may leave out is large. */
function packages(): string[] {
  const { packages }: Lockfile = JSON.parse(fs.readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const { devDependencies = {}, peerDependencies = {} } = packages[''] ?? {}
  const imported = readSources('src').flatMap(importsOf).map(packageName)
  const wanted = new Set(imported.filter((name) => name in devDependencies && !(name in peerDependencies)))
  for (const name of wanted)
    for (const needed of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) wanted.add(needed)
  return [...wanted].map((name) => `node_modules/${name}`).filter((path) => path in packages)
}

/** `@a/b/c` → `@a/b`, `a/b` → `a`. */
function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly [kind in 'dependencies' | 'devDependencies' | 'peerDependencies']?: object }>
  >
}

/** Links are left out. */
function copyTree(from: string, to: string): void {
  if (fs.statSync(from).isFile()) {
    copyFile(from, to)
    return
  }
  fs.mkdirSync(to, { recursive: true })
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyTree(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile()) copyFile(join(from, entry.name), join(to, entry.name))
  }
}

/** A second name for a file that all may read, which takes no time; else, and across disks, a copy that they may. */
function copyFile(from: string, to: string): void {
  fs.mkdirSync(dirname(to), { recursive: true })
  const mode = fs.statSync(from).mode & 0o777
  const wanted = mode & 0o100 ? 0o555 : 0o444
  if ((mode & wanted) === wanted && isLinked(from, to)) return
  fs.copyFileSync(from, to)
  fs.chmodSync(to, mode | wanted)
}

/** False across disks. */
function isLinked(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to)
    return true
  } catch {
    return false
  }
}
