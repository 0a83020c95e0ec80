/** Directories on disk: what can become a collection, and what an agent may touch. */

import { setImmediate } from 'node:timers/promises'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { type Entry, type LocalRoot, openRoot } from '../../files/disk.ts'
import type { Store } from '../../stores/store.ts'
import { parentOf } from '../../text/paths.ts'
import type { FolderAnswer } from '../answers.ts'
import { rankPaths } from './rank-paths.ts'

export interface FolderRequest {
  /** Absolute path of a directory. */
  readonly place: string
  /** Letters of paths: files at any depth are given in place of the directory's own. */
  readonly match?: string | undefined
  /** Most directories, and most files. */
  readonly limit: number
}

/** Files that are looked through for letters. */
const MOST_FILES = 20_000

/** Directories whose files people do not edit. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules'])

/** @throws ContextError as `openRoot` does; `denied` for a directory that may not be read; `cancelled`. */
export async function listFolder(
  store: Store,
  { place, match, limit }: FolderRequest,
  run: Run,
): Promise<FolderAnswer> {
  const root = openRoot(place)
  const { path } = root
  const entries = listOrThrow(root, '')
  const collections = await store.collections.list()
  const directories = entries
    .filter(({ kind, name }) => kind === 'directory' && !SKIPPED.has(name))
    .map(({ name }) => {
      const own = path === '/' ? `/${name}` : `${path}/${name}`
      const collection = collections.find((one) => one.root === own)?.name
      return { name, path: own, ...(collection !== undefined && { collection }) }
    })
  const found = match === undefined ? ownFiles(entries) : await matchingFiles(root, match, { limit, run })
  return {
    path,
    parent: parentWithin(path),
    directories: directories.slice(0, limit),
    files: found.files.slice(0, limit),
    isPartial: found.isPartial || directories.length > limit || found.files.length > limit,
  }
}

interface FoundFiles {
  readonly files: readonly string[]
  readonly isPartial: boolean
}

function ownFiles(entries: readonly Entry[]): FoundFiles {
  return { files: entries.filter(({ kind }) => kind === 'file').map(({ name }) => name), isPartial: false }
}

async function matchingFiles(
  root: LocalRoot,
  match: string,
  { limit, run }: { readonly limit: number; readonly run: Run },
): Promise<FoundFiles> {
  const files: { readonly path: string }[] = []
  const waiting = ['']
  for (let directory = waiting.shift(); directory !== undefined; directory = waiting.shift()) {
    // Others are answered between two directories.
    await setImmediate()
    throwIfAborted(run.signal)
    for (const { name, kind } of readableEntries(root, directory)) {
      const path = directory === '' ? name : `${directory}/${name}`
      if (kind === 'file') files.push({ path })
      if (kind === 'directory' && !SKIPPED.has(name)) waiting.push(path)
    }
    if (files.length > MOST_FILES) return { files: pathsOf(files, match, limit), isPartial: true }
  }
  return { files: pathsOf(files, match, limit), isPartial: false }
}

function pathsOf(files: readonly { readonly path: string }[], match: string, limit: number): string[] {
  return rankPaths(files, match, limit).map(({ path }) => path)
}

/** Nothing of what cannot be read on the way. */
function readableEntries(root: LocalRoot, directory: string): readonly Entry[] {
  const listed = root.list(directory)
  return listed.ok ? listed.entries : []
}

function listOrThrow(root: LocalRoot, directory: string): readonly Entry[] {
  const listed = root.list(directory)
  if (listed.ok) return listed.entries
  throw new ContextError('denied', `${root.path} cannot be listed: ${listed.detail}`)
}

/** Undefined at the top of what may be opened. */
function parentWithin(path: string): string | null {
  const parent = parentOf(path)
  if (parent === path) return null
  try {
    return openRoot(parent).path
  } catch (error) {
    if (error instanceof ContextError) return null
    throw error
  }
}
