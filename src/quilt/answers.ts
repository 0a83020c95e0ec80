/** Answers of the commands on packages, as plain data. A package is a list of files with hashes, made by Quilt. */

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
import type { EntryHash } from './records.ts'

export type * from './packages/requests.ts'

/** Any JSON, as its maker wrote it. */
const anyJson = (description: string): SchemaOf<Json> => ({ description })

/** `place`: the address that the other commands accept. */
const packageFields = { bucket: text, name: text, place: text }

/** `more`: requests for the next results, one for each registry. `problems`: registries that could not be read. */
const pageFields = {
  more: array(object({ registry: text, after: text })),
  problems: array(object({ registry: text, message: text })),
}

/** Names of packages. */
export const packageListAnswer = () => object({ packages: array(object(packageFields)), ...pageFields })
export type PackageListAnswer = AnswerOf<typeof packageListAnswer>

/**
 * One revision of a package. `bucket`: the bucket of its registry, or the collection if the registry is a directory.
 * `hash`: the name of the revision in requests.
 */
const revisionFields = { bucket: text, name: text, hash: text }
const revisionSchema = () => object(revisionFields)
export type RevisionAnswer = AnswerOf<typeof revisionSchema>

export const packageShowAnswer = () =>
  object({
    ...revisionFields,
    /** The hash computed from the manifest; null if an entry has no hash or size, as `problem` says. */
    computedHash: textOrNull,
    /** When it was pushed, ISO 8601; null if unknown. */
    modified: textOrNull,
    message: textOrNull,
    userMeta: anyJson('metadata from its maker, any JSON; null without metadata'),
    workflow: anyJson('the workflow that checked it, any JSON; null without a workflow'),
    totalEntries: count,
    /** The sum of the known sizes. */
    totalBytes: count,
    'problem?': text,
  })
export type PackageShowAnswer = AnswerOf<typeof packageShowAnswer>

const loggedRevision = () =>
  object({
    hash: text,
    /** ISO 8601. */
    modified: text,
    /** Pointers that name the revision in requests, such as `latest`. */
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
    /** Hash that `latest` points to; null without such a pointer. */
    latest: textOrNull,
    /** Number of all revisions. */
    total: count,
    /** The newest first. */
    revisions: array(loggedRevision()),
  })
export type PackageLogAnswer = AnswerOf<typeof packageLogAnswer>

const entryHash: SchemaOf<EntryHash | null> = orNull(object({ type: text, value: text }) as SchemaOf<EntryHash>)
const entryStateFields = { size: orNull(count), hash: entryHash }
const entryStateSchema = () => object(entryStateFields)
export type EntryState = AnswerOf<typeof entryStateSchema>
const difference = oneOf('size', 'hash', 'meta')
export type Difference = AnswerOf<typeof difference>

const change = oneOf('added', 'removed', 'changed')
/** Changed fields of an entry, with their old and new values. */
const changedEntry = () => ({
  logicalKey: text,
  'differences?': array(difference),
  'before?': entryStateSchema(),
  'after?': entryStateSchema(),
})
/** Changed fields of the package itself. */
const changedHeader = () => ({
  message: object({ before: textOrNull, after: textOrNull }),
  /** Changed values of the metadata, at most the requested number. `path`: a JSON pointer. `before`, `after`: JSON. */
  metadata: array(object({ change, path: text, 'before?': text, 'after?': text })),
})
export const packageDiffAnswer = () =>
  object({
    before: revisionSchema(),
    after: revisionSchema(),
    ...changedHeader(),
    /** The fields of the header that differ. */
    header: array(oneOf('userMeta', 'workflow')),
    added: count,
    removed: count,
    changed: count,
    unchanged: count,
    /** In the order of the tree; at most the requested number. */
    changes: array(object({ change, ...changedEntry() })),
  })
export type PackageDiffAnswer = AnswerOf<typeof packageDiffAnswer>

const packageChild = () =>
  eitherOf(
    object({ kind: word<'directory'>(), name: text, totalEntries: count, totalBytes: count }),
    object({
      kind: word<'entry'>(),
      name: text,
      ...entryStateFields,
      physicalKey: text,
      userMeta: anyJson('metadata from its maker; null without metadata'),
    }),
  )
export type PackageChild = AnswerOf<typeof packageChild>

export const packageLsAnswer = () =>
  object({
    ...revisionFields,
    /** Without slashes at its ends; `''` is the package itself. */
    path: text,
    userMeta: anyJson('metadata of the directory from its maker; null without metadata'),
    /** Totals of all entries below the directory. */
    totalEntries: count,
    totalBytes: count,
    totalChildren: count,
    children: array(packageChild()),
    /** The `after` of a request for the next page; absent on the last page. */
    'next?': text,
  })
export type PackageLsAnswer = AnswerOf<typeof packageLsAnswer>

export const packageCatAnswer = () =>
  object({
    ...revisionFields,
    path: text,
    /** Bytes. */
    size: count,
    text,
    /** Number of invalid byte sequences, which U+FFFD replaces. */
    replaced: count,
    /** Whether the bytes were compared with a hash of the manifest. */
    isVerified: flag,
  })
export type PackageCatAnswer = AnswerOf<typeof packageCatAnswer>

/** A problem of an entry, or the reason why it was not checked. */
export type EntryProblem =
  /** The object, or its version, does not exist. */
  | 'missing'
  | 'size-mismatch'
  | 'hash-mismatch'
  /** The type of its hash is not supported. */
  | 'unknown-hash'
  /** The manifest has no hash or no size. */
  | 'no-hash'
  /** Its logical key leads out of the package, or its physical key is invalid. */
  | 'bad-key'
  /** Its object is outside the registry. */
  | 'outside'
  | 'denied'
  /** Reading the object failed for another reason. */
  | 'failed'
  /** A file with the name of the entry could start programs. */
  | 'executable'
  /** The directory has a different file in its place. */
  | 'different'
  /** A file in the directory that the package does not have. */
  | 'extra'

const entryReport = () => object({ line: count, logicalKey: text, problem: word<EntryProblem>(), detail: text })
export type EntryReport = AnswerOf<typeof entryReport>

export const packageVerifyAnswer = () =>
  object({
    ...revisionFields,
    computedHash: textOrNull,
    /** Whether the top hash and every entry that could be checked are right. */
    isGood: flag,
    isTopHashGood: flag,
    totalEntries: count,
    totalBytes: count,
    /** Number of entries that match the manifest. */
    verified: count,
    /** Number of entries with each problem. */
    counts: recordOf(count),
    /** The first problems, in the order of the manifest. */
    reports: array(entryReport()),
    'problem?': text,
  })
export type PackageVerifyAnswer = AnswerOf<typeof packageVerifyAnswer>

const packageField = oneOf('name', 'message', 'metadata', 'entry')
/** A field of a package that a search reads. */
export type PackageField = AnswerOf<typeof packageField>

/** Packages that match a query, the best first. */
export const packageSearchAnswer = () =>
  object({
    query: text,
    packages: array(
      object({
        ...packageFields,
        /** The hash of the latest revision, which was searched. */
        hash: text,
        message: textOrNull,
        /** Above 0. Only scores of the same answer can be compared. */
        score: number,
        /** Fields that match. */
        fields: array(packageField),
        /** The logical keys that match best, at most five. */
        entries: array(text),
      }),
    ),
    /** Number of searched packages. */
    searched: count,
    ...pageFields,
  })
export type PackageSearchAnswer = AnswerOf<typeof packageSearchAnswer>

/** The result of getting entries of a package. */
export const packageGetAnswer = () =>
  object({
    ...revisionFields,
    /** The directory as written in the request. */
    dir: text,
    /** Number of entries, and the sum of their known sizes. */
    entries: count,
    bytes: count,
    /** Number of written entries. `current`: number of entries whose files were in the directory already. */
    written: count,
    writtenBytes: count,
    current: count,
    /** Number of written entries that could not be checked, because the manifest has no size, or no hash of a known type. */
    unchecked: count,
    /** Problems of entries that were not written. `counts`: number by problem. `reports`: the first problems. */
    counts: recordOf(count),
    reports: array(entryReport()),
  })
export type PackageGetAnswer = AnswerOf<typeof packageGetAnswer>

/** A revision that was made from a directory. After a dry run: the revision that would be made. */
export const packagePushAnswer = () =>
  object({
    ...revisionFields,
    place: text,
    /** Hash that `latest` had before; null for a new package. */
    parent: textOrNull,
    isPushed: flag,
    /** Whether the revision is `latest` already, so that nothing is written. */
    isCurrent: flag,
    totalEntries: count,
    totalBytes: count,
    /** Number of files whose bytes are new to the package. */
    uploaded: count,
    uploadedBytes: count,
    /** Number of entries that stay although the directory does not have their files. */
    absent: count,
    /** Number of changed entries, and the first changes in the order of the tree. */
    changed: count,
    changes: array(object({ change: oneOf('added', 'changed', 'metadata', 'removed'), ...changedEntry() })),
    ...changedHeader(),
    /** Number of ignored files: files of git and Quilt, and files that `.quiltignore` names. */
    ignored: count,
    /** Files with a secret in their content or name that the request does not allow; with any, the push is refused. */
    secrets: array(object({ path: text, what: text })),
    /** Whether `latest` was overwritten unconditionally, because the service does not support conditional writes. */
    isUncompared: flag,
    /** Hashes of revisions that others pushed at the same time. This revision does not contain their changes. */
    rivals: array(text),
    isDryRun: flag,
  })
export type PackagePushAnswer = AnswerOf<typeof packagePushAnswer>
