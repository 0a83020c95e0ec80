/** Writes into an untrusted tree: follows no links, and overwrites only known versions. */

import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { systemCodeOf, systemOpener } from '../../files/confine.ts'
import { type FileVersion, type LocalRoot, sameVersion, versionAt } from '../../files/disk.ts'
import { foldersAbove } from '../../text/paths.ts'

/** A file to write. `name`: its path below the root, with slashes. */
export interface WriteTarget {
  readonly root: LocalRoot
  readonly name: string
}

/**
 * The stats of a file, without following links; undefined for a missing file.
 *
 * @throws ContextError `denied` if something above the file is a link, `conflict` if it is not a directory.
 */
export function statTarget({ root, name }: WriteTarget): Stats | undefined {
  for (const directory of directoriesAbove(name)) {
    const stat = lstatOf(root, directory)
    if (!stat) return undefined
    if (stat.isSymbolicLink()) throw linkError(root, directory)
    if (!stat.isDirectory()) {
      const hint = 'Rename it, or remove it.'
      throw new ContextError('conflict', `${join(root.path, directory)} is not a directory.`, { hint })
    }
  }
  return lstatOf(root, name)
}

/**
 * Writes a new file, and the missing directories above it. `mode`: the exact mode. Default: the mode by the umask.
 *
 * @returns False if the name already exists. The existing file is left unchanged.
 * @throws ContextError `denied`; `unavailable` when the system fails.
 */
export function createFile(target: WriteTarget, content: string, mode?: number): boolean {
  const { root, name } = target
  return withFileErrors(target, () => {
    for (const directory of directoriesAbove(name))
      withParent({ root, name: directory }, (path) => attempt(() => mkdirSync(path), ['EEXIST']))
    return withParent(target, (path) => attempt(() => writeNewFile(path, content, mode), ['EEXIST']))
  })
}

/**
 * Replaces a regular file atomically, with the same mode; without content, removes it.
 *
 * @throws ContextError `conflict` if the file no longer has the given version; `denied`; `unavailable` when the system fails.
 */
export function replaceFile(target: WriteTarget, content: string | undefined, version: FileVersion): void {
  const { root, name } = target
  withFileErrors(target, () =>
    withParent(target, (path) => {
      const draftPath = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
      if (content !== undefined) writeNewFile(draftPath, content, lstatSync(path).mode & 0o7777)
      try {
        if (!sameVersion(versionAt(path), version))
          throw new ContextError('conflict', `${join(root.path, name)} was changed meanwhile.`, { hint: 'Try again.' })
        if (content === undefined) unlinkSync(path)
        else renameSync(draftPath, path)
      } catch (error) {
        if (content !== undefined) unlinkSync(draftPath)
        throw error
      }
    }),
  )
}

/** Removes the directories above a name that are empty, the innermost first. */
export function removeEmptyParents({ root, name }: WriteTarget): void {
  for (const directory of directoriesAbove(name).reverse()) {
    const remove = () => rmdirSync(join(root.realPath, directory))
    if (!withFileErrors({ root, name: directory }, () => attempt(remove, ['ENOTEMPTY', 'EEXIST']))) return
  }
}

/** The directories above a name, the outermost first: `a`, `a/b` for `a/b/c`. */
function directoriesAbove(name: string): string[] {
  return foldersAbove(name).slice(1)
}

function lstatOf(root: LocalRoot, name: string): Stats | undefined {
  return withFileErrors({ root, name }, () => lstatSync(join(root.realPath, name), { throwIfNoEntry: false }))
}

/**
 * Opens the parent directory of a file, and calls `use` with the path of the file in the open directory. Refuses a
 * parent that is reached through a link. On Linux, a link that is created meanwhile cannot redirect the path.
 */
function withParent<T>({ root, name }: WriteTarget, use: (path: string) => T): T {
  const parent = name.includes('/') ? dirname(name) : ''
  const opened = systemOpener()({ root: root.realPath, name: parent, kind: 'directory' })
  if (!opened.ok) throw new ContextError(opened.why === 'denied' ? 'denied' : 'unavailable', opened.detail)
  try {
    if (opened.realPath !== join(root.realPath, parent)) throw linkError(root, parent)
    return use(join(opened.through, basename(name)))
  } finally {
    closeSync(opened.fd)
  }
}

/** Calls `act`. Returns false if the system refuses the call with one of the codes. */
function attempt(act: () => void, codes: readonly string[]): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (error instanceof ContextError || !codes.includes(systemCodeOf(error))) throw error
    return false
  }
}

/** Writes a new file. Removes an incomplete file after a failure. `mode`: as in `createFile`. */
function writeNewFile(path: string, content: string, mode?: number): void {
  const fd = openSync(path, 'wx', mode)
  try {
    if (mode !== undefined) fchmodSync(fd, mode)
    writeFileSync(fd, content)
    fsyncSync(fd)
  } catch (error) {
    unlinkSync(path)
    throw error
  } finally {
    closeSync(fd)
  }
}

/** Turns the failure of a system call into an error that names the file. */
function withFileErrors<T>({ root, name }: WriteTarget, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof ContextError) throw cause
    const code = systemCodeOf(cause)
    const path = join(root.path, name)
    const hint = 'Check the permissions, and that the disk is not full.'
    const isDenied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
    const message = `${path} cannot be reached or written (${code}).`
    throw new ContextError(isDenied ? 'denied' : 'unavailable', message, { hint, cause })
  }
}

function linkError(root: LocalRoot, name: string): ContextError {
  const hint = 'Replace the link by a directory, or create the files by hand.'
  return new ContextError('denied', `${join(root.path, name)} is a link, and nothing is written through it.`, { hint })
}
