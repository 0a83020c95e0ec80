import type { LocalRoot } from '../../files/disk.ts'
import type { FileStamp } from '../../stores/document-store.ts'
import { relativeTo } from '../../text/paths.ts'
import { describeSecret, findSecret, looksSecret } from '../../text/secrets.ts'
import type { Extractor } from '../extractor.ts'

/** Bytes of the largest file that is read: what is larger is refused by every format. */
const MOST_BYTES = 64 * 1024 * 1024

/** Reads files through the confined open, and takes the text out of them. */
export function textThrough(extractor: Extractor): TextOf {
  return {
    read: async (root, path) => readIn(root, path),
    extract: (path, bytes, signal) => extractor.extract(path, bytes, signal),
  }
}

function readIn(root: LocalRoot, path: string): FileBytes | NoText {
  const read = root.read(path, { maxBytes: MOST_BYTES })
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

/** A file that was read. */
export interface PreparedFile {
  readonly ok: true
  readonly stamp: FileStamp
  readonly hash: string
  /** Absent where it is what is known. */
  readonly extracted?: FileText | NoText
}

/** A file that holds a secret is left out whole: whatever else it says, a part of it would show where the rest is. */
export function withoutSecret(extracted: FileText | NoText): FileText | NoText {
  const found = extracted.ok ? findSecret(extracted.text) : undefined
  if (found === undefined) return extracted
  return { ok: false, why: 'denied', detail: describeSecret(found) }
}

/** From files to text. */
export interface TextOf {
  read(root: LocalRoot, path: string): Promise<FileBytes | NoText>
  extract(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<FileText | NoText>
}
