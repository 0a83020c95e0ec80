import type { LocalRoot } from '../../files/disk.ts'
import type { FileStamp } from '../../stores/document-store.ts'

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
