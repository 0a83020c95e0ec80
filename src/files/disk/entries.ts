import { isUtf8 } from 'node:buffer'
import { type Dirent, opendirSync, readdirSync } from 'node:fs'

/** One name in a directory. */
export interface Entry {
  /** Where its bytes are not UTF-8 they are written as `\xff`, and the kind is `other`: no string can open it. */
  readonly name: string
  /** Of the entry itself: a link is not followed. `other` is a pipe, socket or device. */
  readonly kind: 'file' | 'directory' | 'link' | 'other'
}

/** Bytes that a directory takes itself when it is large enough to be read bit by bit; at least some thousand entries. */
const LARGE = 64 * 1024

/** Names asked of the system at a time. */
const AT_ONCE = 256

/**
 * The entries of a directory as the system gives them, in no order. `size` is that of the directory itself, by its stat.
 * Throws what the system call throws.
 */
export function* entriesIn(directory: string, size: number): Generator<Entry, void, void> {
  let odd = false
  // To have a million names at once takes hundreds of megabytes, and longer; to have a few bit by bit takes longer, too.
  const items = size < LARGE ? readdirSync(directory, { withFileTypes: true }) : bitByBit(directory, 'utf8')
  for (const item of items) {
    if (item.name.includes('\uFFFD')) odd = true
    else yield { name: item.name, kind: entryKind(item) }
  }
  if (odd) yield* oddEntriesIn(directory)
}

/** The slower way, that tells a name with U+FFFD in it from one whose bytes are not UTF-8. */
function* oddEntriesIn(directory: string): Generator<Entry, void, void> {
  for (const item of bitByBit<Buffer>(directory, 'buffer')) {
    const name = item.name.toString('utf8')
    if (!name.includes('\uFFFD')) continue
    yield isUtf8(item.name) ? { name, kind: entryKind(item) } : { name: escapeBytes(item.name), kind: 'other' }
  }
}

function* bitByBit<Name extends string | Buffer = string>(
  directory: string,
  encoding: 'utf8' | 'buffer',
): Generator<Dirent<Name>, void, void> {
  // `buffer` is missing in the types alone.
  const opened = opendirSync(directory, { encoding: encoding as BufferEncoding, bufferSize: AT_ONCE })
  try {
    for (let item = opened.readSync(); item; item = opened.readSync()) yield item as Dirent<string> as Dirent<Name>
  } finally {
    opened.closeSync()
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
