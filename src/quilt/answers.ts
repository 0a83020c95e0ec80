/** Answers of the commands on packages. Plain data. */

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

/** `place`: what the other commands take. */
const named = { bucket: text, name: text, place: text }

/** Cursor for more results, as `registry` and `after`; and places that could not be read, with the reason. */
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
    /** The hash of the manifest as it is now; null where it is unknown, and `problem` says why. */
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
    /** Hash that `latest` points to; null without such a pointer. */
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
  /** The values of the metadata that differ, by their paths (JSON pointers), as JSON; not more than were asked for. */
  metadata: array(object({ change, path: text, 'before?': text, 'after?': text })),
})
export const packageDiffAnswer = () =>
  object({
    before: revisionSchema(),
    after: revisionSchema(),
    ...changedHeader(),
    /** The parts of the header that differ. */
    header: array(oneOf('userMeta', 'workflow')),
    added: count,
    removed: count,
    changed: count,
    unchanged: count,
    /** In the order of the tree; not more than were asked for. */
    changes: array(object({ change, ...changedEntry() })),
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
    /** Cursor for more results, as `after`. */
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

/** A problem of an entry, or the reason why it was not checked. */
export type EntryProblem =
  /** There is no such object, or no such version of it. */
  | 'missing'
  | 'size-mismatch'
  | 'hash-mismatch'
  /** Its hash is of a type that is not known here. */
  | 'unknown-hash'
  /** The manifest says neither hash nor size. */
  | 'no-hash'
  /** Its logical key leaves the package, or its physical key is invalid. */
  | 'bad-key'
  /** Its object is in another place than the registry. */
  | 'outside'
  | 'denied'
  /** Reading it failed otherwise. */
  | 'failed'
  /** Its name starts programs. */
  | 'executable'
  /** A file is in its place in the directory, and is another one. */
  | 'different'
  /** A file in the directory that the package does not have. */
  | 'extra'

const entryReport = () => object({ line: count, logicalKey: text, problem: word<EntryProblem>(), detail: text })
export type EntryReport = AnswerOf<typeof entryReport>

export const packageVerifyAnswer = () =>
  object({
    ...revision,
    computedHash: textOrNull,
    /** The top hash is right, and so is every entry that could be read. */
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
/** A part of a package that a search reads. */
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
        /** Fields that fit. */
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

/** Results of the entries to get, in a directory. */
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
    /** Hash that `latest` had before; null for a new package. */
    parent: textOrNull,
    isPushed: flag,
    /** The revision is `latest` already: nothing is to be written. */
    isCurrent: flag,
    totalEntries: count,
    totalBytes: count,
    /** Files whose bytes are new to the package. */
    uploaded: count,
    uploadedBytes: count,
    /** Entries that stay though the directory does not have their files. */
    absent: count,
    /** How many entries change, and the first of them, in the order of the tree. */
    changed: count,
    changes: array(object({ change: oneOf('added', 'changed', 'metadata', 'removed'), ...changedEntry() })),
    ...changedHeader(),
    /** Files that are left out: those of git and of Quilt, and those that `.quiltignore` names. */
    ignored: count,
    /** Files with a secret in content or name that `secrets` does not list: the push is refused. */
    secrets: array(object({ path: text, what: text })),
    /** `latest` was written without a comparison, which the service does not have, and read back. */
    isUncompared: flag,
    /** Revisions that others pushed at the same time, whose changes this one does not have. */
    rivals: array(text),
    isDryRun: flag,
  })
export type PackagePushAnswer = AnswerOf<typeof packagePushAnswer>
