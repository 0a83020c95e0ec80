import type { Difference, EntryState } from './packages/diff.ts'
import type { Json } from './packages/json.ts'
import type { Download } from './packages/local.ts'
import type { Push } from './packages/push.ts'
import type { EntryReport } from './packages/verify.ts'
import type { EntryHash } from './records.ts'

/** Names of packages. */
export interface PackageListAnswer {
  /** `place`: what the other commands take. */
  readonly packages: readonly { readonly bucket: string; readonly name: string; readonly place: string }[]
  /** Where there are more than were asked for: what to give as `registry` and `after`. */
  readonly more: readonly { readonly registry: string; readonly after: string }[]
  /** Why nothing is known of some places, when all were asked for. */
  readonly problems: readonly { readonly registry: string; readonly message: string }[]
}

/** One revision of a package. */
export interface RevisionAnswer {
  /** The bucket of S3, or the collection where that is a directory. */
  readonly bucket: string
  readonly name: string
  /** What it is asked for by. */
  readonly hash: string
}

export interface PackageShowAnswer extends RevisionAnswer {
  /** The hash of the manifest as it is now; null where it cannot be told, and `problem` says why. */
  readonly computedHash: string | null
  /** When it was pushed, ISO 8601; null when it was asked for by its hash, which says nothing of that. */
  readonly modified: string | null
  readonly message: string | null
  readonly userMeta: Json
  readonly workflow: Json
  readonly totalEntries: number
  /** Of the entries whose size is known. */
  readonly totalBytes: number
  readonly problem?: string
}

export interface PackageLogAnswer {
  readonly bucket: string
  readonly name: string
  /** What `latest` points to; null where there is no such pointer. */
  readonly latest: string | null
  /** How many revisions there are in all. */
  readonly total: number
  /** The newest first. */
  readonly revisions: readonly LoggedRevision[]
}

export interface LoggedRevision {
  readonly hash: string
  /** ISO 8601. */
  readonly modified: string
  /** The names by which it can be asked for, besides its hash. */
  readonly pointers: readonly string[]
  readonly isLatest: boolean
  readonly message: string | null
  /** Why its manifest cannot be read. */
  readonly problem?: string
}

export interface PackageDiffAnswer {
  readonly before: RevisionAnswer
  readonly after: RevisionAnswer
  readonly message: { readonly before: string | null; readonly after: string | null }
  /** The parts of the header that differ. */
  readonly header: readonly ('userMeta' | 'workflow')[]
  /** The values of the metadata that differ, by their paths (JSON pointers), as JSON; not more than were asked for. */
  readonly metadata: readonly {
    readonly change: 'added' | 'removed' | 'changed'
    readonly path: string
    readonly before?: string
    readonly after?: string
  }[]
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly unchanged: number
  /** In the order of the tree; not more than were asked for. */
  readonly changes: readonly {
    readonly change: 'added' | 'removed' | 'changed'
    readonly logicalKey: string
    readonly differences?: readonly Difference[]
    readonly before?: EntryState
    readonly after?: EntryState
  }[]
}

export interface PackageLsAnswer extends RevisionAnswer {
  /** Without slashes around it; `''` is the package itself. */
  readonly path: string
  readonly userMeta: Json
  /** Of all below it. */
  readonly totalEntries: number
  readonly totalBytes: number
  readonly totalChildren: number
  readonly children: readonly PackageChild[]
  /** What to give as `after` for more. */
  readonly next?: string
}

export type PackageChild =
  | {
      readonly kind: 'directory'
      readonly name: string
      readonly totalEntries: number
      readonly totalBytes: number
    }
  | {
      readonly kind: 'entry'
      readonly name: string
      readonly size: number | null
      readonly hash: EntryHash | null
      readonly physicalKey: string
      readonly userMeta: Json
    }

export interface PackageCatAnswer extends RevisionAnswer {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly text: string
  /** Byte sequences that are no UTF-8, for which U+FFFD stands. */
  readonly replaced: number
  /** Whether the bytes were held against a hash that the manifest says. */
  readonly isVerified: boolean
}

export interface PackageVerifyAnswer extends RevisionAnswer {
  readonly computedHash: string | null
  /** The top hash is right, and so is every entry that could be looked at. */
  readonly isGood: boolean
  readonly isTopHashGood: boolean
  readonly totalEntries: number
  readonly totalBytes: number
  /** Entries that are as the manifest says. */
  readonly verified: number
  /** Entries with a problem, by problem. */
  readonly counts: Readonly<Record<string, number>>
  /** The first of them, in the order of the manifest. */
  readonly reports: readonly EntryReport[]
  readonly problem?: string
}

/** A part of a package that a search looks at. */
export type PackageField = 'name' | 'message' | 'metadata' | 'entry'

/** Packages that fit a query, the best first. */
export interface PackageSearchAnswer {
  readonly query: string
  readonly packages: readonly {
    readonly bucket: string
    readonly name: string
    readonly place: string
    /** Of the latest revision, which was searched. */
    readonly hash: string
    readonly message: string | null
    /** Above 0; compares packages of one answer only. */
    readonly score: number
    /** What of it fits. */
    readonly fields: readonly PackageField[]
    /** The logical keys that fit best, five at most. */
    readonly entries: readonly string[]
  }[]
  /** Packages that were looked through. */
  readonly searched: number
  /** As of a list: where there are packages that were not. */
  readonly more: PackageListAnswer['more']
  readonly problems: PackageListAnswer['problems']
}

/** What was written of a package into a directory. */
export interface PackageGetAnswer extends RevisionAnswer, Download {
  /** As it was given. */
  readonly dir: string
}

/** A revision that was made of a directory, or would be. */
export interface PackagePushAnswer extends RevisionAnswer, Push {
  /** What the other commands take. */
  readonly place: string
}

/** Names of packages that are asked for. */
export interface PackageListRequest {
  /** `collection`, `collection/namespace/` or `s3://bucket`. Default: all collections. */
  readonly registry?: string | undefined
  /** Most names of a registry. Default: 1,000. */
  readonly limit?: number | undefined
  /** The name behind which to go on; only with `registry`. */
  readonly after?: string | undefined
}

/** A package: `collection/namespace/name`, with `@hash` or `:tag`, or `quilt+s3://bucket#package=namespace/name`. */
export interface PackageRequest {
  readonly package: string
}

export interface PackageLogRequest extends PackageRequest {
  /** Most revisions. Default: 20. */
  readonly limit?: number | undefined
}

/** Two packages, or two revisions of one. */
export interface PackageDiffRequest {
  readonly before: string
  readonly after: string
  /** Most changes that are told one by one. Default: 1,000. */
  readonly limit?: number | undefined
}

/** A place in a package. */
export interface PackagePathRequest extends PackageRequest {
  /** Default: that in the address, where it has one; else the package itself. */
  readonly path?: string | undefined
}

export interface PackageLsRequest extends PackagePathRequest {
  /** Most children. Default: 1,000. */
  readonly limit?: number | undefined
  /** The name of the last child of the page before. */
  readonly after?: string | undefined
}

export interface PackageCatRequest extends PackagePathRequest {
  /** Bytes of the largest text. Default: 1 MiB. */
  readonly maxBytes?: number | undefined
}

export interface PackageVerifyRequest extends PackageRequest {
  /** No object is read. Default: false. */
  readonly topHashOnly?: boolean | undefined
  /** A directory on disk, whose files are compared with the entries. Default: the objects of the package are read. */
  readonly dir?: string | undefined
}

export interface PackageSearchRequest extends Pick<PackageListRequest, 'registry'> {
  readonly query: string
  /** Most packages. Default: 10. */
  readonly limit?: number | undefined
}

export interface PackageGetRequest extends PackagePathRequest {
  /** A directory on disk; made where there is none. */
  readonly dir: string
  /** Replaces files that are others. Default: they are left, and told. */
  readonly force?: boolean | undefined
  /** Writes files that start programs by their names, too. Default: they are left, and told. */
  readonly allowExecutableConfig?: boolean | undefined
}

export interface PackagePushRequest {
  /** A directory on disk. */
  readonly dir: string
  /** `namespace/name`. */
  readonly name: string
  /** A collection, or `s3://bucket`. */
  readonly registry: string
  readonly message?: string | undefined
  /** The metadata of the package: a JSON object. Default: as it was. */
  readonly meta?: string | undefined
  /** The same, in a file on disk. */
  readonly metaFile?: string | undefined
  /** The metadata of entries: `KEY=JSON`, where the JSON is an object, or null for none. Default: as it was. */
  readonly entryMeta?: readonly string[] | undefined
  /** The same, in a file on disk: a JSON object by the keys of the entries. */
  readonly entryMetaFile?: string | undefined
  /** Entries, or directories, that the package shall not have any more. */
  readonly remove?: readonly string[] | undefined
  /** A workflow of the registry, or `none`. Default: the one that the registry names. */
  readonly workflow?: string | undefined
  /** Writes. Default: only says what would be written. */
  readonly isMeant?: boolean | undefined
  /** Files that are pushed though they hold a secret, or are called like one. Default: none. */
  readonly secrets?: readonly string[] | undefined
}
