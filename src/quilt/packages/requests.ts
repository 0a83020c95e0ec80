/** Inputs of the commands on packages. */

import type { ReadRequest } from '../../files/objects.ts'

/** Options of a call that can be stopped. */
export type Stoppable = Pick<ReadRequest, 'signal'>

/** A request for the names of packages. */
export interface PackageListRequest {
  /** `collection`, `collection/namespace/` or `s3://bucket`. Default: all collections. */
  readonly registry?: string | undefined
  /** Maximum number of names from each registry. Default: 1,000. */
  readonly limit?: number | undefined
  /** The name to continue after; only with `registry`. */
  readonly after?: string | undefined
}

/** A package: `collection/namespace/name`, with `@hash` or `:tag`, or `quilt+s3://bucket#package=namespace/name`. */
export interface PackageRequest {
  readonly package: string
}

export interface PackageLogRequest extends PackageRequest {
  /** Maximum revisions. Default: 20. */
  readonly limit?: number | undefined
}

/** Two packages, or two revisions of one. */
export interface PackageDiffRequest {
  readonly before: string
  readonly after: string
  /** Maximum number of changes in the answer. Default: 1,000. */
  readonly limit?: number | undefined
}

/** A place in a package. */
export interface PackagePathRequest extends PackageRequest {
  /** Default: the path in the address, if it has one; else the package itself. */
  readonly path?: string | undefined
}

export interface PackageLsRequest extends PackagePathRequest {
  /** Maximum children. Default: 1,000. */
  readonly limit?: number | undefined
  /** The name of the last child of the previous page. */
  readonly after?: string | undefined
}

export interface PackageCatRequest extends PackagePathRequest {
  /** Maximum bytes of the text. Default: 1 MiB. */
  readonly maxBytes?: number | undefined
}

export interface PackageVerifyRequest extends PackageRequest {
  /** Whether to check only the top hash, and read no object. Default: false. */
  readonly topHashOnly?: boolean | undefined
  /** A directory on disk whose files are compared with the entries. Default: the objects of the package are compared. */
  readonly dir?: string | undefined
}

export interface PackageSearchRequest extends Pick<PackageListRequest, 'registry'> {
  readonly query: string
  /** Maximum packages. Default: 10. */
  readonly limit?: number | undefined
}

export interface PackageGetRequest extends PackagePathRequest {
  /** A directory on disk, which is created if missing. */
  readonly dir: string
  /** Whether to replace different files. Default: they are left out, and reported. */
  readonly force?: boolean | undefined
  /** Whether to write files whose names start programs. Default: they are left out, and reported. */
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
  /** The metadata of the package: a JSON object. Default: unchanged. */
  readonly meta?: string | undefined
  /** A file on disk that holds `meta`. */
  readonly metaFile?: string | undefined
  /** The metadata of entries: `KEY=JSON`, where the JSON is an object, or null for none. Default: unchanged. */
  readonly entryMeta?: readonly string[] | undefined
  /** A file on disk with the metadata of entries: a JSON object by the keys of the entries. */
  readonly entryMetaFile?: string | undefined
  /** Entries or directories to remove from the package. */
  readonly remove?: readonly string[] | undefined
  /** A workflow of the registry, or `none`. Default: the default workflow of the registry. */
  readonly workflow?: string | undefined
  /** Whether to write. Default: only reports what would be written. */
  readonly isConfirmed?: boolean | undefined
  /** Paths of files to push although they contain a secret, or have the name of a secret. Default: none. */
  readonly secrets?: readonly string[] | undefined
}
