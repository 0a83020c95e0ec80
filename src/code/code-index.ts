/** Keeps the code index of a tree (the words of its files) in one file. An update reads only new and changed files. */

import { throwIfAborted } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { runStepsAsync, yieldToEvents } from '../core/steps.ts'
import { writeCacheFile } from '../files/cache-file.ts'
import { type LocalRoot, openRoot } from '../files/disk.ts'
import { readSafeText } from '../text/readable.ts'
import { encodeRecord } from './index/file-record.ts'
import { encodeIndex, type IndexedFile, NO_RECORD, readIndex, type StoredIndex } from './index/index-file.ts'
import { areSameStamps, UNSETTLED, type WalkedFile, type WalkedTree, walkCodeTree } from './index/tree-walk.ts'
import { factorOf, isMinified, maxBytesOf } from './languages.ts'

/** The index of a tree after an update. */
export interface CodeIndex {
  readonly root: LocalRoot
  /** The files in the order of the walk. */
  readonly files: readonly IndexedFile[]
  /** Number of new and changed files. */
  readonly changed: number
  /** Whether the tree has more files than the limit. */
  readonly isCut: boolean
}

/** Number of read files between two pauses for other work. */
const FILES_PER_STEP = 16

/**
 * Updates the index of a tree: stats every file, and reads new and changed files. A damaged index is rebuilt.
 *
 * @param root Absolute path of a directory.
 * @param options `cacheFile`: the file of the index. Undefined: the index is not stored.
 * @throws ContextError as `openRoot`; `cancelled`.
 */
export async function openCodeIndex(
  root: string,
  { cacheFile, run = SILENT }: { readonly cacheFile: string | undefined; readonly run?: Run },
): Promise<CodeIndex> {
  const openedRoot = openRoot(root)
  const stored = cacheFile === undefined ? undefined : readIndex(cacheFile, openedRoot.realPath)
  const tree = await runStepsAsync(walkCodeTree(openedRoot, stored), run.signal)
  const { files, changed } = await updateFiles(tree, { root: openedRoot, stored: stored?.files ?? [], run })
  if (cacheFile !== undefined && (changed > 0 || !isSameTree(tree, stored))) {
    writeCacheFile(cacheFile, encodeIndex({ root: openedRoot.realPath, directories: tree.directories, files }))
  }
  return { root: openedRoot, files: files.filter(({ size }) => size > 0), changed, isCut: tree.isCut }
}

/** Whether the walk reused every stored directory, and found as many files as the stored index has. */
function isSameTree({ directories, files }: WalkedTree, stored: StoredIndex | undefined): boolean {
  const known = stored?.directories
  const isListed = known?.length === directories.length && directories.every((directory, at) => directory === known[at])
  return isListed && files.length === stored?.files.length
}

/** The indexed files of a tree. `changed`: the number of new and changed files. */
async function updateFiles(
  { files }: WalkedTree,
  { root, stored, run }: { root: LocalRoot; stored: readonly IndexedFile[]; run: Run },
) {
  throwIfAborted(run.signal)
  let changed = 0
  let byPath: ReadonlyMap<string, IndexedFile> | undefined
  const indexedFiles: IndexedFile[] = []
  for (const [position, file] of files.entries()) {
    // The files of an unchanged tree come in the order of the stored files, so they need no lookup by path.
    const knownAtPosition = stored[position]?.path === file.path ? stored[position] : undefined
    if (!knownAtPosition) byPath ??= new Map(stored.map((storedFile) => [storedFile.path, storedFile]))
    const known = knownAtPosition ?? byPath?.get(file.path)
    if (known && areSameStamps(known.stamp, file.stamp)) {
      indexedFiles.push(known)
      continue
    }
    indexedFiles.push(indexFile(root, file, known))
    if (++changed % FILES_PER_STEP !== 0) continue
    run.emit({ type: 'progress', what: 'files', done: position + 1, total: files.length })
    await yieldToEvents(run.signal)
  }
  return { files: indexedFiles, changed }
}

function indexFile(root: LocalRoot, { path, stamp }: WalkedFile, known: IndexedFile | undefined): IndexedFile {
  // A file without a record also keeps its stamp (size, times, inode), so that the next update does not read the file.
  const unindexed = { path, stamp, factor: 0, digest: 0, size: 0, record: NO_RECORD }
  const maxBytes = maxBytesOf(path)
  if (stamp[0] > maxBytes) return unindexed
  const read = root.read(path, { maxBytes, into: readBuffer })
  if (!read.ok) return unindexed
  // The stamp is older than the read, so the next update sees a later write.
  const settledStamp = read.settled ? stamp : UNSETTLED
  const digest = digestBytes(read.bytes)
  if (known && known.digest === digest && known.size > 0) return { ...known, stamp: settledStamp }
  const content = readSafeText(read.bytes)
  if (!content.ok || isMinified(content.text)) return { ...unindexed, stamp: settledStamp, digest }
  const record = encodeRecord(path, content.text)
  return { path, stamp: settledStamp, factor: factorOf(path, content.text), digest, size: record.length, record }
}

/** One buffer for all reads: its bytes are digested and decoded before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(1 << 20)

/** A digest of 48 bits, which differs between versions of a file. */
function digestBytes(bytes: Uint8Array): number {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha1').update(bytes).digest().readUIntBE(0, 6)
}
