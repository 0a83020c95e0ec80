import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../source-files.ts'
import { COPY, lacksNobody, mayAllEnter, nodeIn } from './nobody.ts'

/** Gives root's tests a copy of what runs as another user, where that user cannot reach the repository itself. */
export function setup(): (() => void) | undefined {
  const isReachable = [ROOT, dirname(process.execPath)].every(mayAllEnter)
  if (process.getuid?.() !== 0 || isReachable || lacksNobody() !== undefined) return undefined
  const copy = copyForAll(['package.json', 'src', 'test', ...packages()])
  process.env[COPY] = copy
  return () => {
    delete process.env[COPY]
    rmSync(copy, { recursive: true })
  }
}

/** Node and these paths of the repository, in a directory that all may enter and nobody may list; whoever asks removes it. */
export function copyForAll(paths: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'ambit-copy-'))
  copyFile(process.execPath, nodeIn(copy))
  for (const path of paths) copyTree(join(ROOT, path), join(copy, path))
  chmodSync(copy, 0o711)
  return copy
}

/** The packages that the product needs everywhere; what is optional is large. */
function packages(): string[] {
  const { packages }: Lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(
      ([path, { dev, devOptional, optional, peer }]) =>
        path.startsWith('node_modules/') && !dev && !devOptional && !optional && !peer,
    )
    .map(([path]) => path)
}

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly [kind in 'dev' | 'devOptional' | 'optional' | 'peer']?: boolean }>
  >
}

/** Links are left out. */
function copyTree(from: string, to: string): void {
  if (statSync(from).isFile()) {
    copyFile(from, to)
    return
  }
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyTree(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile()) copyFile(join(from, entry.name), join(to, entry.name))
  }
}

/** A second name for a file that all may read, which takes no time; else, and across disks, a copy that they may. */
function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const mode = statSync(from).mode & 0o777
  const wanted = mode & 0o100 ? 0o555 : 0o444
  if ((mode & wanted) === wanted && isLinked(from, to)) return
  copyFileSync(from, to)
  chmodSync(to, mode | wanted)
}

/** False across disks. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}
