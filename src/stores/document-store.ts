/** The types of stored documents. */

/** Size and times of a file. While its stamp is unchanged, the file need not be read again. */
export interface FileStamp {
  /** Number of bytes. */
  readonly size: number
  /** Nanoseconds since 1970, as decimal digits. */
  readonly mtime: string
  readonly ctime: string
}

/** A document as the indexer knows it. */
export type KnownFile = FileStamp & Pick<Document, 'id' | 'path' | 'hash'>

/** A file of a collection that is not indexed as a document, with the reason. */
export interface SkippedFile extends FileStamp {
  readonly path: string
  readonly why: string
  /** A sentence that explains the reason. */
  readonly detail: string
}

export interface NewDocument extends FileStamp {
  /** Relative to the collection's root, with slashes. */
  readonly path: string
  /** SHA-256 of the file, hex. */
  readonly hash: string
  readonly title: string
  readonly format: string
  readonly metadata: Readonly<Record<string, string>>
  /** Whether the index holds all substrings of the text, not only its words. Default: false. */
  readonly hasSubstrings?: boolean
  /** The extracted text: raw DEFLATE of UTF-8, as `deflateText` makes it. */
  readonly deflated: Uint8Array
}

/** A document without its text. */
export interface Document extends Pick<NewDocument, 'path' | 'title' | 'hash' | 'format' | 'metadata'> {
  readonly id: number
  readonly collection: string
  readonly size: number
  /** ISO 8601, UTC. */
  readonly modifiedAt: string
}

/** The documents and skipped files at some paths. */
export interface KnownPaths {
  readonly documents: readonly Document[]
  readonly skipped: readonly SkippedFile[]
}

/** The content of a directory, ordered by path. */
export interface DirectoryChildren {
  /** Directories with the number of documents below them. */
  readonly directories: readonly { readonly name: string; readonly documents: number }[]
  readonly documents: readonly Document[]
}

/** Selects documents: a document must meet all conditions that are present. */
export interface DocumentFilter {
  /** Names of collections. Default: all that are not paused. */
  readonly collections?: readonly string[]
  /** Globs of paths; at least one must match. */
  readonly paths?: readonly string[]
  /** Required substrings of the path, in lower case and without accents. */
  readonly pathParts?: readonly string[]
  readonly withoutPathParts?: readonly string[]
  /** File extensions in lower case, such as `md`; `''` stands for a name without extension. At least one must match. */
  readonly types?: readonly string[]
  /** Changed at this time or later. ISO 8601, UTC. */
  readonly after?: string
  /** Required values of the front matter, by key. */
  readonly where?: Readonly<Record<string, string>>
}
