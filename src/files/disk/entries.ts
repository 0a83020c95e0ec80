import { isUtf8 } from 'node:buffer'
import { type Dirent, opendirSync, readdirSync } from 'node:fs'

/** An entry of a directory: its name and kind. */
export interface Entry {
  /** Bytes that are not UTF-8 are shown as `\xff`; the kind is then `other`, because no string can open the entry. */
  readonly name: string
  /** The kind of the entry itself, not of a link's target. `other`: a pipe, socket or device. */
  readonly kind: 'file' | 'directory' | 'link' | 'other'
}

/** Directories of this many bytes or more, some thousand entries, are read in batches. */
const LARGE_BYTES = 64 * 1024

/** Names per batch. */
const BATCH_SIZE = 256

/**
 * The entries of a directory, unordered. `size`: bytes of the directory itself, from its stat. Throws the error of a
 * system call.
 */
export function* entriesIn(directory: string, size: number): Generator<Entry, void, void> {
  let hasReplacement = false
  // A million names at once take hundreds of megabytes and more time than batches. For a few names, batches take more time.
  const items = size < LARGE_BYTES ? readdirSync(directory, { withFileTypes: true }) : readInBatches(directory, 'utf8')
  for (const item of items) {
    if (item.name.includes('\uFFFD')) hasReplacement = true
    else yield { name: item.name, kind: entryKind(item) }
  }
  if (hasReplacement) yield* entriesWithReplacement(directory)
}

/** The entries whose names contain U+FFFD. Their bytes show whether a name has this character, or is not UTF-8. */
function* entriesWithReplacement(directory: string): Generator<Entry, void, void> {
  for (const item of readInBatches<Buffer>(directory, 'buffer')) {
    const name = item.name.toString('utf8')
    if (!name.includes('\uFFFD')) continue
    yield isUtf8(item.name) ? { name, kind: entryKind(item) } : { name: escapeBytes(item.name), kind: 'other' }
  }
}

function* readInBatches<Name extends string | Buffer = string>(
  directory: string,
  encoding: 'utf8' | 'buffer',
): Generator<Dirent<Name>, void, void> {
  // Only the types lack `buffer`.
  const dir = opendirSync(directory, { encoding: encoding as BufferEncoding, bufferSize: BATCH_SIZE })
  try {
    for (let item = dir.readSync(); item; item = dir.readSync()) yield item as Dirent<string> as Dirent<Name>
  } finally {
    dir.closeSync()
  }
}

function escapeBytes(name: Buffer): string {
  return name.toString('latin1').replace(/[^ -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function entryKind(item: Dirent<string> | Dirent<Buffer>): Entry['kind'] {
  if (item.isFile()) return 'file'
  if (item.isDirectory()) return 'directory'
  return item.isSymbolicLink() ? 'link' : 'other'
}
