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
}
