import type { LocalRoot } from '../../files/disk.ts'
import type { FileStamp } from '../../stores/document-store.ts'
import { relativeTo } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'
import type { Extractor } from '../extractor.ts'

/** Bytes of the largest file that is read: what is larger is refused by every format. */
const MOST_BYTES = 64 * 1024 * 1024

/** Files up to so many bytes are read into the same memory, one after the other. */
const READ_AT_ONCE = 1024 * 1024

/** Reads files through the confined open, and takes the text out of them. */
export function textThrough(extractor: Extractor): TextOf {
  const into = Buffer.allocUnsafeSlow(READ_AT_ONCE)
  return {
    read: async (root, path) => readIn(root, path, into),
    extract: (path, bytes, signal) => extractor.extract(path, bytes, signal),
  }
}

function readIn(root: LocalRoot, path: string, into: Buffer): FileBytes | NoText {
  const read = root.read(path, { maxBytes: MOST_BYTES, into })
  if (!read.ok) return read
  if (looksSecret(relativeTo(root.realPath, read.realPath) ?? '')) {
    return { ok: false, why: 'denied', detail: 'It leads to a file whose name is that of a secret.' }
  }
  const { size, mtimeNs, ctimeNs } = read.version
  // What was only just written may be written again within the same tick of the clock: it is read again next time.
  const stamp = { size, mtime: `${mtimeNs}`, ctime: read.settled ? `${ctimeNs}` : '0' }
  return { ok: true, bytes: read.bytes, stamp }
}

/** A file as it was read, and its state when it was. */
export interface FileBytes {
  readonly ok: true
  /** Good until the next file is read. */
  readonly bytes: Uint8Array
  readonly stamp: FileStamp
}

/** Why there is no text. */
export interface NoText {
  readonly ok: false
  readonly why: string
  readonly detail: string
}

/** What a file is searched by. */
export interface FileText {
  readonly ok: true
  readonly title: string
  readonly text: string
  readonly format: string
  readonly metadata: Readonly<Record<string, string>>
}

/** From files to text. */
export interface TextOf {
  read(root: LocalRoot, path: string): Promise<FileBytes | NoText>
  extract(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<FileText | NoText>
}
