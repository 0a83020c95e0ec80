/** The part of the port that keeps documents, without what they are found by. */

/** What tells one state of a file from another without reading it. */
export interface FileStamp {
  /** Bytes. */
  readonly size: number
  /** Nanoseconds since 1970, as decimal digits. */
  readonly mtime: string
  readonly ctime: string
}

/** A document as the indexer knows it. */
export interface KnownFile extends FileStamp {
  readonly id: number
  readonly path: string
  /** SHA-256 of the file, hex. */
  readonly hash: string
}

/** A file of a collection that is not a document, and why. */
export interface SkippedFile extends FileStamp {
  readonly path: string
  readonly why: string
  /** One sentence with the values. */
  readonly detail: string
}

/** A document that is to be stored. */
export interface NewDocument extends FileStamp {
  /** Relative to the collection's root, with slashes. */
  readonly path: string
  readonly hash: string
  readonly title: string
  readonly format: string
  readonly metadata: Readonly<Record<string, string>>
  /** Whether any piece of its text is in the index. Default: false. */
  readonly hasSubstrings?: boolean
  /** What was extracted from the file: raw DEFLATE of UTF-8, as `deflated` in deflated.ts makes it. */
  readonly deflated: Uint8Array
}

/** A document without its text. */
export interface Document {
  readonly id: number
  readonly collection: string
  readonly path: string
  readonly title: string
  readonly hash: string
  readonly format: string
  readonly size: number
  /** ISO 8601, UTC. */
  readonly modifiedAt: string
  readonly metadata: Readonly<Record<string, string>>
}

/** What is known of some paths. */
export interface KnownPaths {
  readonly documents: readonly Document[]
  readonly skipped: readonly SkippedFile[]
}

/** What a directory holds itself, by path. */
export interface DirectoryChildren {
  /** With how many documents there are below. */
  readonly directories: readonly { readonly name: string; readonly documents: number }[]
  readonly documents: readonly Document[]
}

/** Which documents count; what is absent lets all through. */
export interface DocumentFilter {
  /** Names of collections; none: all that are not paused. */
  readonly collections?: readonly string[]
  /** Globs of paths; one must match. */
  readonly paths?: readonly string[]
  /** What the folded path must hold. */
  readonly pathParts?: readonly string[]
  readonly withoutPathParts?: readonly string[]
  /** Endings of file names, such as `md`, in lower case; one must be the file's. `''`: it has none. */
  readonly types?: readonly string[]
  /** Changed at this time or later. ISO 8601, UTC. */
  readonly after?: string
  /** Values of the front matter. */
  readonly where?: Readonly<Record<string, string>>
}

export interface DocumentStore {
  /** What is known of a collection's files, or of those that have these paths, in no order. */
  known(collection: string, paths?: readonly string[]): Promise<KnownFile[]>
  /** Of all documents of a collection, in no order. */
  ids(collection: string): Promise<number[]>
  /** The ids of documents whose pieces are in the index, or not, other than the collection asks for. */
  unlike(collection: string): Promise<ReadonlySet<number>>
  /** The files of a collection that are no documents, by path. */
  skipped(collection: string): Promise<SkippedFile[]>
  /** Those of the ids that there are, in the order of the ids. */
  byId(ids: readonly number[]): Promise<Document[]>
  find(collection: string, path: string): Promise<Document | undefined>
  /** What is known of these paths of a collection: documents, and files that are none; in no order. */
  among(collection: string, paths: readonly string[]): Promise<KnownPaths>
  /** How many documents there are below each of these directories, such as `a/b`. */
  below(collection: string, directories: readonly string[]): Promise<number[]>
  /** What a directory such as `a/b` holds; `''` is the collection itself. Nothing where there is none. */
  children(collection: string, directory: string): Promise<DirectoryChildren>
  /** Those whose hash begins like this, by collection and path; at most `most`. */
  byHash(prefix: string, most: number): Promise<Document[]>
  /** By collection and path. */
  list(filter: DocumentFilter): Promise<Document[]>
  /** The texts of those that there are. */
  texts(ids: readonly number[]): Promise<Map<number, string>>
}
