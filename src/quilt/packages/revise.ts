/** Combines the previous revision (the base) and the files of a directory into the entries of a new revision. */

import { ContextError, invalidInput } from '../../core/errors.ts'
import { listFirst } from '../../text/counts.ts'
import type { PackagePushAnswer } from '../answers.ts'
import { haveSameBytes } from '../hashes.ts'
import { quoteForeign } from '../names.ts'
import { type EntryHash, type ManifestEntry, readRecord, userMetaOf } from '../records.ts'
import { changeOf } from './diff.ts'
import { entryNotFound } from './directory.ts'
import { byTree } from './in-order.ts'
import { type Json, type MemberTexts, memberTextsOf, pythonLine, withMembers } from './json.ts'
import { batchesOf, type Manifest } from './manifest.ts'
import { pythonJson } from './top-hash.ts'

/** A file of the directory. */
export interface LocalFile {
  readonly key: string
  readonly size: number
  /** The hash, of the type that new entries get. */
  readonly hash: EntryHash
  /** Hashes by type: the type of new entries, and the types in earlier revisions. */
  readonly digests: ReadonlyMap<string, string>
}

/** An entry of a revision, and its line in the manifest. */
export interface BaseEntry extends Pick<ManifestEntry, 'size' | 'hash'> {
  readonly text: string
}

/** The revision on which a new revision is based. */
export interface BaseRevision {
  /** The fields of the first line of the manifest. */
  readonly header: MemberTexts
  /** Lines with metadata of directories. */
  readonly directories: readonly string[]
  readonly entries: ReadonlyMap<string, BaseEntry>
}

export const NO_BASE: BaseRevision = { header: new Map(), directories: [], entries: new Map() }

/** @throws ContextError `invalid-input` for an unreadable manifest, or a duplicate key. */
export async function readBase(manifest: Manifest, signal?: AbortSignal): Promise<BaseRevision> {
  const entries = new Map<string, BaseEntry>()
  const directories: string[] = []
  let header = NO_BASE.header
  for await (const { records, texts } of batchesOf(manifest, signal)) {
    for (const [index, record] of records.entries()) {
      const text = texts[index] ?? ''
      if (record.kind === 'header') header = memberTextsOf(text)
      else if (record.kind === 'directory') directories.push(text)
      else if (entries.has(record.logicalKey))
        throw invalidInput(`The manifest ${manifest.name} has ${quoteForeign(record.logicalKey)} twice.`)
      else entries.set(record.logicalKey, { text, size: record.size, hash: record.hash })
    }
  }
  return { header, directories, entries }
}

/** An entry of the new revision. */
export interface EntryRow extends Pick<ManifestEntry, 'size' | 'hash' | 'meta'> {
  readonly key: string
  /** The line in the manifest; for a file to upload, without its physical key. */
  readonly text: string
  /** A file to upload. Absent: the bytes stay where the line says. */
  readonly file?: LocalFile
}

type EntryChange = PackagePushAnswer['changes'][number]

export interface RevisionInput {
  readonly base: BaseRevision
  /** The revision from which the directory was fetched, if it is not `base`. */
  readonly origin: BaseRevision | undefined
  /** Whether the registry lacks the objects of `base`. */
  readonly isForeign: boolean
  readonly files: readonly LocalFile[]
  /** Keys or directories to remove from the package. */
  readonly remove: readonly string[]
  /** The metadata of entries, by their keys. */
  readonly entryMeta: Readonly<Record<string, Json>>
}

/**
 * Combines base and files. `rows`: the entries of the new revision; `absent`: the number of entries without a file;
 * `older`: manifest lines of files that are older than their entries, by key.
 *
 * @throws ContextError `conflict` for files that changed here and in the package; `not-found` for an unknown key; `invalid-input` for a
 * key to remove that has a file, and for an entry below another.
 */
export function reviseEntries(input: RevisionInput) {
  const { base, files, remove } = input
  const entryRows: EntryRow[] = []
  const conflicts: string[] = []
  for (const file of files) {
    const row = rowOf(file, input)
    if (row === 'both') conflicts.push(file.key)
    else if (row !== 'gone') entryRows.push(row)
  }
  if (conflicts.length > 0) throw changedTwiceError(conflicts)
  const removedKeys = findKeysToRemove(remove, base, files)
  const fileKeys = new Set(files.map(({ key }) => key))
  let absent = 0
  for (const [key, entry] of base.entries) {
    if (fileKeys.has(key) || removedKeys.has(key)) continue
    absent++
    entryRows.push(rowOfEntry(key, entry))
  }
  if (input.isForeign && absent > 0) throw notFetchedError(absent)
  entryRows.sort((a, b) => byTree(a.key, b.key))
  checkTree(entryRows)
  const older = new Map(files.flatMap((file) => olderLine(file, input)))
  const rows = describeEntries(entryRows, input.entryMeta)
  const rowsByKey = new Map(rows.map((row) => [row.key, row]))
  const changes = [...rowsByKey.keys(), ...removedKeys].flatMap((key) =>
    changesOf(key, base.entries.get(key), rowsByKey.get(key)),
  )
  return { rows, changes: changes.sort((a, b) => byTree(a.logicalKey, b.logicalKey)), absent, older }
}

function changesOf(key: string, before: BaseEntry | undefined, after: EntryRow | undefined): EntryChange[] {
  if (before?.text === after?.text) return []
  const change = changeOf(before && entryOfLine(before.text), after && { ...after, logicalKey: key })
  if (change === undefined) return []
  return [change.differences?.join() === 'meta' ? { ...change, change: 'metadata' } : change]
}

/**
 * The row for a file. `gone`: the file is unchanged since it was fetched, and somebody else removed its entry; `both`:
 * the file changed, and somebody else changed its entry.
 */
function rowOf(file: LocalFile, { base, origin, isForeign }: RevisionInput): EntryRow | 'gone' | 'both' {
  const baseEntry = base.entries.get(file.key)
  const fetchedEntry = origin?.entries.get(file.key)
  if (holdsFile(baseEntry, file)) return { ...rowOfEntry(file.key, baseEntry), ...(isForeign && { file }) }
  if (holdsFile(fetchedEntry, file)) return baseEntry ? rowOfEntry(file.key, baseEntry) : 'gone'
  return origin && !areSame(baseEntry, fetchedEntry) ? 'both' : rowOfFile(file, baseEntry)
}

/**
 * The key and the fetched line of a file that is unchanged while the base has another entry, or none. Empty otherwise.
 */
function olderLine(file: LocalFile, { base, origin }: RevisionInput): [string, string][] {
  const fetchedEntry = origin?.entries.get(file.key)
  const isOlder = holdsFile(fetchedEntry, file) && !holdsFile(base.entries.get(file.key), file)
  return isOlder ? [[file.key, fetchedEntry.text]] : []
}

function holdsFile(entry: BaseEntry | undefined, { size, digests }: LocalFile): entry is BaseEntry {
  return entry?.size === size && entry.hash !== null && digests.get(entry.hash.type) === entry.hash.value
}

function areSame(a: BaseEntry | undefined, b: BaseEntry | undefined): boolean {
  return a?.size === b?.size && haveSameBytes(a?.hash ?? null, b?.hash ?? null, a?.size ?? null)
}

function rowOfEntry(key: string, { text, size, hash }: BaseEntry): EntryRow {
  return { key, size, hash, text, meta: entryOfLine(text).meta }
}

function rowOfFile(file: LocalFile, baseEntry: BaseEntry | undefined): EntryRow {
  const { key, size, hash } = file
  const members = { physical_keys: '[]', size: `${size}`, hash: pythonLine(hash) }
  if (baseEntry) {
    const text = withMembers(memberTextsOf(baseEntry.text), members)
    return { key, size, hash, text, meta: entryOfLine(baseEntry.text).meta, file }
  }
  const text = withMembers(new Map(), { logical_key: JSON.stringify(key), ...members, meta: '{}' })
  return { key, size, hash, text, meta: {}, file }
}

/** The record of a line that was read before. */
export function entryOfLine(text: string): ManifestEntry {
  return readRecord(text, 0) as ManifestEntry
}

function findKeysToRemove(remove: readonly string[], { entries }: BaseRevision, files: readonly LocalFile[]) {
  const removedKeys = new Set<string>()
  for (const name of remove) {
    const isMatch = (key: string) => key === name || key.startsWith(name.endsWith('/') ? name : `${name}/`)
    const file = files.find(({ key }) => isMatch(key))
    if (file)
      throw invalidInput(
        `${quoteForeign(file.key)} is to be removed from the package, and is in the directory.`,
        'Delete the file, or name it in .quiltignore.',
      )
    const keys = [...entries.keys()].filter(isMatch)
    if (keys.length === 0) throw entryNotFound(`The package has no ${quoteForeign(name)} that could be removed.`)
    for (const key of keys) removedKeys.add(key)
  }
  return removedKeys
}

function changedTwiceError(keys: readonly string[]): ContextError {
  const shownKeys = listFirst(keys.map(quoteForeign))
  return new ContextError('conflict', `Nothing was pushed: somebody else also changed ${shownKeys}.`, {
    hint: 'Get the package into another directory, merge these files, and push from there.',
  })
}

function notFetchedError(count: number): ContextError {
  return invalidInput(
    `The directory lacks ${count} of the entries of the package that it was fetched from, and this registry does not have them.`,
    'Get all of the package first, or push to the registry that it is from.',
  )
}

function checkTree(rows: readonly EntryRow[]): void {
  for (const [index, { key }] of rows.entries()) {
    const previous = rows[index - 1]?.key
    if (previous !== undefined && key.startsWith(`${previous}/`))
      throw invalidInput(
        `The package has an entry ${quoteForeign(previous)}, so that ${quoteForeign(key)} cannot be in it.`,
        `Remove the first one: --remove ${previous}`,
      )
  }
}

/** The rows with the requested metadata. @throws ContextError `not-found` for metadata of an entry that does not exist. */
function describeEntries(rows: readonly EntryRow[], entryMeta: RevisionInput['entryMeta']): readonly EntryRow[] {
  const unappliedMeta = new Map(Object.entries(entryMeta))
  const newRows = rows.map((row) => {
    const userMeta = unappliedMeta.get(row.key)
    if (userMeta === undefined) return row
    unappliedMeta.delete(row.key)
    if (pythonJson(userMeta) === pythonJson(userMetaOf(row))) return row
    const members = memberTextsOf(row.text)
    const metaText = userMeta === null ? undefined : pythonLine(userMeta)
    const meta = withMembers(memberTextsOf(members.get('meta') ?? '{}'), { user_meta: metaText })
    const { user_meta: _, ...others } = row.meta
    return {
      ...row,
      text: withMembers(members, { meta }),
      meta: userMeta === null ? others : { ...others, user_meta: userMeta },
    }
  })
  const [unknown] = unappliedMeta.keys()
  if (unknown === undefined) return newRows
  const message = `The metadata is for ${quoteForeign(unknown)}, which is not an entry of the package.`
  throw new ContextError('not-found', message)
}
