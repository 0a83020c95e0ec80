/** What the commands on packages take and answer. Plain data. */

import {
  type AnswerOf,
  array,
  count,
  eitherOf,
  flag,
  number,
  object,
  oneOf,
  orNull,
  recordOf,
  type SchemaOf,
  text,
  textOrNull,
  word,
} from '../core/answer.ts'
import type { Json } from './packages/json.ts'
import type { EntryProblem } from './packages/verify.ts'
import type { EntryHash } from './records.ts'

/** Any JSON, as its maker wrote it. */
const anyJson = (description: string): SchemaOf<Json> => ({ description })

/** `place`: what the other commands take. */
const named = { bucket: text, name: text, place: text }

/** Where there are more than were asked for, to give as `registry` and `after`; and why nothing is known of some places. */
const listed = {
  more: array(object({ registry: text, after: text })),
  problems: array(object({ registry: text, message: text })),
}

/** Names of packages. */
export const packageListAnswer = () => object({ packages: array(object(named)), ...listed })
export type PackageListAnswer = AnswerOf<typeof packageListAnswer>

/** One revision of a package: its bucket, or the collection where that is a directory; and the hash that it is asked for by. */
const revision = { bucket: text, name: text, hash: text }
const revisionSchema = () => object(revision)
export type RevisionAnswer = AnswerOf<typeof revisionSchema>

export const packageShowAnswer = () =>
  object({
    ...revision,
    /** The hash of the manifest as it is now; null where it cannot be told, and `problem` says why. */
    computedHash: textOrNull,
    /** When it was pushed, ISO 8601; null when it was asked for by its hash, which says nothing of that. */
    modified: textOrNull,
    message: textOrNull,
    userMeta: anyJson('what its maker says of it, any JSON; null when nothing'),
    workflow: anyJson('what it was checked by, any JSON; null when nothing'),
    totalEntries: count,
    /** Of the entries whose size is known. */
    totalBytes: count,
    'problem?': text,
  })
export type PackageShowAnswer = AnswerOf<typeof packageShowAnswer>

const loggedRevision = () =>
  object({
    hash: text,
    /** ISO 8601. */
    modified: text,
    /** The names by which it can be asked for, besides its hash. */
    pointers: array(text),
    isLatest: flag,
    message: textOrNull,
    /** Why its manifest cannot be read. */
    'problem?': text,
  })
export type LoggedRevision = AnswerOf<typeof loggedRevision>

export const packageLogAnswer = () =>
  object({
    bucket: text,
    name: text,
    /** What `latest` points to; null where there is no such pointer. */
    latest: textOrNull,
    /** How many revisions there are in all. */
    total: count,
    /** The newest first. */
    revisions: array(loggedRevision()),
  })
export type PackageLogAnswer = AnswerOf<typeof packageLogAnswer>

const entryHash: SchemaOf<EntryHash | null> = orNull(object({ type: text, value: text }) as SchemaOf<EntryHash>)
const entryState = { size: orNull(count), hash: entryHash }
const entryStateSchema = () => object(entryState)
export type EntryState = AnswerOf<typeof entryStateSchema>
const difference = oneOf('size', 'hash', 'meta')
export type Difference = AnswerOf<typeof difference>

const change = oneOf('added', 'removed', 'changed')
export const packageDiffAnswer = () =>
  object({
    before: revisionSchema(),
    after: revisionSchema(),
    message: object({ before: textOrNull, after: textOrNull }),
    /** The parts of the header that differ. */
    header: array(oneOf('userMeta', 'workflow')),
    /** The values of the metadata that differ, by their paths (JSON pointers), as JSON; not more than were asked for. */
    metadata: array(object({ change, path: text, 'before?': text, 'after?': text })),
    added: count,
    removed: count,
    changed: count,
    unchanged: count,
    /** In the order of the tree; not more than were asked for. */
    changes: array(
      object({
        change,
        logicalKey: text,
        'differences?': array(difference),
        'before?': entryStateSchema(),
        'after?': entryStateSchema(),
      }),
    ),
  })
export type PackageDiffAnswer = AnswerOf<typeof packageDiffAnswer>

const packageChild = () =>
  eitherOf(
    object({ kind: word<'directory'>(), name: text, totalEntries: count, totalBytes: count }),
    object({
      kind: word<'entry'>(),
      name: text,
      ...entryState,
      physicalKey: text,
      userMeta: anyJson('what its maker says of it; null when nothing'),
    }),
  )
export type PackageChild = AnswerOf<typeof packageChild>

export const packageLsAnswer = () =>
  object({
    ...revision,
    /** Without slashes around it; `''` is the package itself. */
    path: text,
    userMeta: anyJson('what its maker says of the directory; null when nothing'),
    /** Of all below it. */
    totalEntries: count,
    totalBytes: count,
    totalChildren: count,
    children: array(packageChild()),
    /** What to give as `after` for more. */
    'next?': text,
  })
export type PackageLsAnswer = AnswerOf<typeof packageLsAnswer>

export const packageCatAnswer = () =>
  object({
    ...revision,
    path: text,
    /** Bytes. */
    size: count,
    text,
    /** Byte sequences that are not UTF-8, which U+FFFD replaces. */
    replaced: count,
    /** Whether the bytes were compared with a hash of the manifest. */
    isVerified: flag,
  })
export type PackageCatAnswer = AnswerOf<typeof packageCatAnswer>

const entryReport = () => object({ line: count, logicalKey: text, problem: word<EntryProblem>(), detail: text })
export type EntryReport = AnswerOf<typeof entryReport>

export const packageVerifyAnswer = () =>
  object({
    ...revision,
    computedHash: textOrNull,
    /** The top hash is right, and so is every entry that could be looked at. */
    isGood: flag,
    isTopHashGood: flag,
    totalEntries: count,
    totalBytes: count,
    /** Entries that are as the manifest says. */
    verified: count,
    /** Entries with a problem, by problem. */
    counts: recordOf(count),
    /** The first of them, in the order of the manifest. */
    reports: array(entryReport()),
    'problem?': text,
  })
export type PackageVerifyAnswer = AnswerOf<typeof packageVerifyAnswer>

const packageField = oneOf('name', 'message', 'metadata', 'entry')
/** A part of a package that a search looks at. */
export type PackageField = AnswerOf<typeof packageField>

/** Packages that fit a query, the best first. */
export const packageSearchAnswer = () =>
  object({
    query: text,
    packages: array(
      object({
        ...named,
        /** Of the latest revision, which was searched. */
        hash: text,
        message: textOrNull,
        /** Above 0; compares packages of one answer only. */
        score: number,
        /** What of it fits. */
        fields: array(packageField),
        /** The logical keys that fit best, five at most. */
        entries: array(text),
      }),
    ),
    /** Packages that were looked through. */
    searched: count,
    ...listed,
  })
export type PackageSearchAnswer = AnswerOf<typeof packageSearchAnswer>

/** What became of the entries that were asked for, in a directory. */
export const packageGetAnswer = () =>
  object({
    ...revision,
    /** As it was given. */
    dir: text,
    /** The entries, and the bytes of those whose size is known. */
    entries: count,
    bytes: count,
    /** Those that were written; `current`: those that were there already. */
    written: count,
    writtenBytes: count,
    current: count,
    /** Of those written: without a hash of a known type, so that nothing could be checked. */
    unchecked: count,
    /** Entries that were not written, by problem, and the first of them. */
    counts: recordOf(count),
    reports: array(entryReport()),
  })
export type PackageGetAnswer = AnswerOf<typeof packageGetAnswer>

/** A revision that was made of a directory, or would be. */
export const packagePushAnswer = () =>
  object({
    ...revision,
    place: text,
    /** What `latest` was before; null for a new package. */
    parent: textOrNull,
    isPushed: flag,
    /** The revision is `latest` already: nothing is to be written. */
    isCurrent: flag,
    totalEntries: count,
    totalBytes: count,
    /** Files whose bytes are new to the package. */
    uploaded: count,
    uploadedBytes: count,
    /** Files that are left out: those of git and of Quilt, and those that `.quiltignore` names. */
    ignored: count,
    /** Files that hold a secret, or are called like one, and that nobody named: a push that is meant is refused. */
    secrets: array(object({ path: text, what: text })),
  })
export type PackagePushAnswer = AnswerOf<typeof packagePushAnswer>

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
  /** A JSON object: what is said of the package. */
  readonly meta?: string | undefined
  /** A workflow of the registry, or `none`. Default: the one that the registry names. */
  readonly workflow?: string | undefined
  /** Writes. Default: only says what would be written. */
  readonly isMeant?: boolean | undefined
  /** Files that are pushed though they hold a secret, or are called like one. Default: none. */
  readonly secrets?: readonly string[] | undefined
}
