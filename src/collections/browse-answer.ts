import type { Why } from '../core/flow.ts'
import type { Reason } from './browse/judge.ts'
import type { AppliedContext } from './path-contexts/resolver.ts'

export interface BrowseRequest {
  /** `collection/path`, a uri, or a path on disk inside a collection. Default: the collections. */
  readonly place?: string | undefined
  /** Most entries. Default: 1,000. */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
}

export interface BrowseAnswer {
  /** Null where the collections are listed. */
  readonly collection: string | null
  /** Without slashes around it; `''` is the collection itself. */
  readonly path: string
  readonly uri: string | null
  /** The bucket of S3 that the collection is in; null for a directory. */
  readonly bucket: string | null
  /** All that was said of the place and of those that it is in, from general to specific. */
  readonly contexts: readonly AppliedContext[]
  /** In the order of their bytes, a directory as if it had a slash at its end. None for a file. */
  readonly entries: readonly BrowseEntry[]
  /** What to give as `after` for more. */
  readonly next?: string
  /** The place itself, when it is a file. */
  readonly file?: BrowsedFile
  /** The revision that is listed, of a place in a data package; an entry of it is listed by itself. */
  readonly package?: { readonly name: string; readonly hash: string }
  /** Of a directory that a data package is called like: which was taken. */
  readonly choice?: string
}

/** What the index knows of a file. */
export interface IndexState extends Partial<Reason> {
  readonly isIndexed: boolean
  /** Of a document. */
  readonly docid?: string
  readonly title?: string
  /** It was changed since it was indexed. Absent when it was not. */
  readonly isStale?: true
}

export interface BrowseEntry extends Partial<IndexState> {
  readonly name: string
  /** `other`: it is there, and cannot be opened; `why` and `detail` say why. */
  readonly kind: 'directory' | 'file' | 'other'
  /** Bytes, of a file. */
  readonly size?: number
  /** ISO 8601, UTC. */
  readonly modifiedAt?: string
  /** Of a directory: how many are below it. Absent where no index knows. */
  readonly documents?: number
  /** Of a directory in a data package: how many entries are below it. */
  readonly files?: number
  /** Why it, or what is in it, is not indexed. Absent for what is, and for what is not indexed yet. */
  readonly why?: Why
  readonly detail?: string
  /** What was said of this very place. */
  readonly context?: string
}

export interface BrowsedFile extends IndexState {
  readonly name: string
  readonly size: number
  readonly modifiedAt: string
  readonly etag: string
  /** Of a bucket that keeps versions. */
  readonly version?: string
}
