/** Lists directories on disk, to choose a root of a collection or a touched path. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { type Entry, type LocalRoot, openRoot } from '../../files/disk.ts'
import type { Store } from '../../stores/store.ts'
import { parentOf } from '../../text/paths.ts'
import type { FolderAnswer } from '../answers.ts'
import { catchProblem } from './collection-root.ts'
import { rankPaths } from './rank-paths.ts'

export interface FolderRequest {
  /** Absolute path of a directory. */
  readonly place: string
  /** Letters of a path: lists the matching files at any depth instead of the direct files of the directory. */
  readonly match?: string | undefined
  /** Maximum number of directories, and maximum number of files. */
  readonly limit: number
}

/** Above this number of files, no further directory is read. */
const MAX_MATCHED_FILES = 20_000

/** Directories whose files people do not edit. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules'])

/** @throws ContextError as `openRoot` does; `denied` for a directory that may not be read; `cancelled`. */
export async function listFolder(store: Store, request: FolderRequest, run: Run): Promise<FolderAnswer> {
  const { place, match, limit } = request
  const root = openRoot(place)
  const { path } = root
  const listed = root.list('')
  if (!listed.ok) throw new ContextError('denied', `${path} cannot be listed: ${listed.detail}`)
  const namesOf = (kind: Entry['kind']) => listed.entries.flatMap(({ name, kind: own }) => (own === kind ? [name] : []))
  const collections = await store.collections.list()
  const directories = namesOf('directory').flatMap((name) => {
    if (SKIPPED.has(name)) return []
    const ownPath = `${path}/${name}`
    const collection = collections.find(({ root }) => root === ownPath)?.name
    return [{ name, path: ownPath, ...(collection !== undefined && { collection }) }]
  })
  const matchCandidates = match === undefined ? [] : await filesBelow(root, run)
  const files = match === undefined ? namesOf('file') : rankPaths(matchCandidates, match, limit).map(({ path }) => path)
  // Null if the parent directory may not be opened.
  const parent = catchProblem(() => openRoot(parentOf(path)))
  return {
    path,
    parent: 'problem' in parent ? null : parent.path,
    directories: directories.slice(0, limit),
    files: files.slice(0, limit),
    isPartial: matchCandidates.length > MAX_MATCHED_FILES || directories.length > limit || files.length > limit,
  }
}

/** The files below a directory. Stops after the directory that exceeds `MAX_MATCHED_FILES`. Skips unreadable directories. */
async function filesBelow(root: LocalRoot, { signal }: Run): Promise<{ readonly path: string }[]> {
  const files: { readonly path: string }[] = []
  const queue = ['']
  for (let directory = queue.shift(); directory !== undefined; directory = queue.shift()) {
    // Lets other requests run between two directories.
    await yieldToEvents(signal)
    const listed = root.list(directory)
    for (const { name, kind } of listed.ok ? listed.entries : []) {
      const path = directory === '' ? name : `${directory}/${name}`
      if (kind === 'file') files.push({ path })
      if (kind === 'directory' && !SKIPPED.has(name)) queue.push(path)
    }
    if (files.length > MAX_MATCHED_FILES) return files
  }
  return files
}
