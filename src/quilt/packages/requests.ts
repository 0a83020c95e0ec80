/** Inputs of the commands on packages. */

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
  /** Maximum number of changes in the answer. Default: 1,000. */
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
  /** Replaces files that are others. Default: they are left out, with a report. */
  readonly force?: boolean | undefined
  /** Writes files that start programs by their names, too. Default: they are left out, with a report. */
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
