/** Lists and reads the objects of a bucket as files of a collection. */

import { BucketTrouble, ContextError } from '../core/errors.ts'
import { compareBytes, listPages, type ObjectInfo, type Objects } from '../files/objects.ts'
import type { FileStamp } from '../stores/document-store.ts'
import { type IgnoreRules, isIgnored } from '../text/gitignore.ts'
import { isWithin } from '../text/paths.ts'
import { looksSecret } from '../text/secrets.ts'
import { type FileFilter, fileFilter, readRulesAt, type WalkOptions } from './file-filter.ts'
import { type IndexedTree, leaveSecretFile, type NoText, type TreeFile, type TreePage } from './indexing/tree.ts'

/** Maximum concurrent reads. */
const MAX_READS = 16

/** After this number of denied objects in a row, the credentials count as the cause, and the update fails. */
const MAX_DENIED = 16

/**
 * The objects of a bucket as a tree of files, without possible secrets, and without files that a `.gitignore` in the
 * bucket excludes. Throws errors of the bucket.
 */
export function bucketTree(objects: Objects, { patterns, exclude, signal }: Omit<WalkOptions, 'root'>): IndexedTree {
  const filter = fileFilter({ patterns, exclude })
  const pages = () => listTreePages(objects, filter, signal)
  return { pages, unknownPlaces: [], concurrency: MAX_READS, read: createReader(objects, signal) }
}

async function* listTreePages(objects: Objects, filter: FileFilter, signal?: AbortSignal): AsyncGenerator<TreePage> {
  const isExcluded = createExclusionCheck(filter, (path) => readRulesAt(objects, path, signal))
  for await (const page of listPages(objects, { signal })) {
    const files: TreeFile[] = []
    const left: TreePage['left'][number][] = []
    for (const info of page.objects) {
      const file = { path: info.key, ...stampOf(info) }
      if (!isPlainKey(info.key)) {
        // Consoles create a key that ends with a slash for a folder.
        if (!info.key.endsWith('/')) left.push({ file, why: 'excluded', detail: NOT_A_PATH })
      } else if (!(await isExcluded(info.key)) && filter.file(info.key)) {
        if (looksSecret(info.key)) left.push(leaveSecretFile(file))
        else files.push(file)
      }
    }
    yield { files, left }
  }
}

export const NOT_A_PATH = 'Its key is not a path: it has a segment that is empty or consists of dots.'

/** Whether a key is the path of a file. */
export function isPlainKey(key: string): boolean {
  return key.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..') && !key.includes('\0')
}

/**
 * The stamp of an object, which shows whether it changed. The etag takes the place of a file's change time. Times are
 * cut to seconds, because listings have more precise times than other responses.
 */
function stampOf({ size, modifiedAt, etag }: Omit<ObjectInfo, 'key'>): FileStamp {
  const seconds = Math.floor(Date.parse(modifiedAt) / 1000)
  return { size, mtime: `${seconds}000000000`, ctime: etag }
}

interface OpenDirectory {
  readonly path: string
  readonly isLeftOut: boolean
  /** The rules of this directory and of the directories above, the nearest last. */
  readonly rules: readonly IgnoreRules[]
}

/**
 * Returns a function that tells whether a key is left out by the filter or a `.gitignore`. Keys must come in the order
 * of a listing, which keeps the keys of a directory together. While keys come in byte order, a directory whose first
 * key sorts after `.gitignore` has no `.gitignore`, so none is requested.
 */
function createExclusionCheck(filter: FileFilter, readRules: (path: string) => Promise<IgnoreRules>) {
  /** The directories of the last key, the outermost first. */
  const directories: OpenDirectory[] = []
  let lastKey = ''
  /**
   * Whether all keys so far came in byte order. Directory buckets, and services that list directories of a disk, use another
   * order.
   */
  let isOrdered = true
  /** Whether a directory may have rules. In byte order, it has none if its first key sorts after `.gitignore`. */
  const mayHaveRules = (path: string, key: string) =>
    !filter.includesIgnored && (!isOrdered || compareBytes(key, path === '' ? '.gitignore' : `${path}/.gitignore`) <= 0)
  const enter = async (path: string, key: string): Promise<OpenDirectory> => {
    const parentIndex = directories.findLastIndex(({ path: above }) => above === '' || isWithin(above, path))
    directories.splice(parentIndex + 1)
    const innermost = directories.at(-1)
    if (innermost?.path === path) return innermost
    const parent = path === '' ? { isLeftOut: false, rules: [] } : await enter(parentDirectory(path), key)
    const isLeftOut =
      parent.isLeftOut || (path !== '' && (filter.excludesDirectory(path) || isIgnored(path, true, parent.rules)))
    const ownRules = !isLeftOut && mayHaveRules(path, key) ? [await readRules(path)] : []
    const directory = { path, isLeftOut, rules: [...parent.rules, ...ownRules] }
    directories.push(directory)
    return directory
  }
  return async (key: string): Promise<boolean> => {
    if (compareBytes(key, lastKey) < 0) isOrdered = false
    lastKey = key
    const { isLeftOut, rules } = await enter(parentDirectory(key), key)
    return isLeftOut || isIgnored(key, false, rules)
  }
}

/** The path of the directory of a key; `''` for the root. */
function parentDirectory(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/**
 * Reads objects. An object that cannot be read is left out; after `MAX_DENIED` denied objects in a row, the error is
 * thrown.
 */
function createReader(objects: Objects, signal: AbortSignal | undefined): IndexedTree['read'] {
  let deniedInRow = 0
  return async ({ path }) => {
    try {
      const object = await objects.read(path, { signal })
      deniedInRow = 0
      return object === 'unchanged' ? NOT_READ : { ok: true, bytes: object.bytes, stamp: stampOf(object) }
    } catch (error) {
      if (!(error instanceof ContextError) || error instanceof BucketTrouble) throw error
      if (error.code === 'over-limit') return { ok: false, why: 'over-limit', detail: error.message }
      if (error.code === 'not-found') return { ok: false, why: 'missing', detail: error.message }
      if (error.code !== 'denied' || ++deniedInRow >= MAX_DENIED) throw error
      return { ok: false, why: 'unreadable', detail: error.message }
    }
  }
}

const NOT_READ: NoText = { ok: false, why: 'unreadable', detail: 'It was not read.' }
