/** Pushes a directory as a revision of a package, as quilt3 does: objects, manifest, a pointer with the time, and `latest`. */

import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { mapParallel } from '../../core/steps.ts'
import { openWritable } from '../../files/directory.ts'
import type { Objects } from '../../files/objects.ts'
import type { PackagePushAnswer } from '../answers.ts'
import { quoteForeign } from '../names.ts'
import { readHeaderRecord } from '../records.ts'
import { metadataChanges } from './diff.ts'
import { type Json, type JsonObject, parseJson, parseObject, pythonLine, withMembers } from './json.ts'
import { filesIn, hashFile, secretsRefused } from './local-files.ts'
import { type Manifest, manifestAt } from './manifest.ts'
import { type OlderLines, readOrigin, writeOrigin } from './origin.ts'
import { MANIFESTS, pointersOf } from './registry.ts'
import type { PackagePushRequest } from './requests.ts'
import { pointedManifest } from './resolve.ts'
import { type BaseRevision, type EntryRow, NO_BASE, readBase, reviseEntries } from './revise.ts'
import { TopHash } from './top-hash.ts'
import { checkWorkflow, type WorkflowChoice } from './workflow.ts'
import {
  findRivals,
  markTime,
  moveLatest,
  type PackagePointers,
  type PushTarget,
  readPointersOf,
  uploadRow,
  writeManifest,
} from './write-revision.ts'

export interface PushRequest extends Pick<PackagePushRequest, 'name' | 'message' | 'remove' | 'secrets'> {
  /** The metadata of the package. Default: the metadata of the previous revision. */
  readonly userMeta?: JsonObject | undefined
  /** The metadata of entries, by their keys; null for none. Default: the metadata of the previous revision. */
  readonly entryMeta?: Readonly<Record<string, Json>> | undefined
  readonly workflow?: WorkflowChoice
  /** Whether to write. If false, the push only reports what would be written. */
  readonly isConfirmed: boolean
}

type PushResult = Omit<PackagePushAnswer, 'bucket' | 'name' | 'place' | 'isDryRun'>

/** Maximum concurrent files to hash and to upload. */
const MAX_CONCURRENT = 4

/** Maximum number of changes in an answer. */
const MAX_CHANGES = 1000

/** Unit of the progress, in bytes. */
const MEBIBYTE = 1 << 20

/**
 * Pushes the files below a directory as a revision. An entry whose file is unchanged or missing keeps its object, hash
 * and metadata. Changed and new files are uploaded; no object of another revision is overwritten. From a directory that
 * was fetched from an older revision, only files that changed since then change their entries.
 *
 * If the process is killed, `latest` is unchanged, or points to the complete revision. A repeated push reuses the written objects.
 *
 * @throws ContextError `invalid-input` if there is nothing to push, or if a workflow refuses;
 * `conflict` if `latest` moved meanwhile, or a file changed; `denied`, also for unlisted secrets.
 */
export async function pushPackage(
  directory: Objects,
  objects: Objects,
  request: PushRequest,
  run: Run,
): Promise<PushResult> {
  const { name, message, userMeta, workflow, isConfirmed, secrets: allowed = [], remove = [], entryMeta = {} } = request
  const target: PushTarget = { objects, name, run }
  const { files, ignored } = await filesIn(directory, run)
  const pointersBefore = await readPointersOf(target)
  const pushBase = await readPushBase(directory, target, pointersBefore)
  const { base, origin } = pushBase
  if (files.length === 0 && base.entries.size === 0)
    throw invalidInput('The directory has no files: there is nothing to push.')
  const scannedFiles = await mapParallel(files, { atOnce: MAX_CONCURRENT, signal: run.signal }, (file, signal) =>
    hashFile(directory, file, { bases: origin ? [base, origin] : [base], signal }),
  )
  const secrets = scannedFiles.flatMap(({ file: { key: path }, secret }) =>
    secret === undefined ? [] : [{ path, what: secret }],
  )
  const unlisted = secrets.filter(({ path }) => !allowed.includes(path))
  if (isConfirmed && unlisted.length > 0) throw secretsRefused(unlisted)
  const localFiles = scannedFiles.map(({ file }) => file)
  const { rows, changes, absent, older } = reviseEntries({ ...pushBase, files: localFiles, remove, entryMeta })
  const userMetaText = userMeta === undefined ? base.header.get('user_meta') : pythonLine(userMeta)
  const newUserMeta = userMetaText === undefined ? undefined : parseJson(userMetaText)
  const previousHeader = readHeaderRecord(withMembers(base.header, {}))
  const subject = { name, message, userMeta: newUserMeta, workflow, entries: rows }
  const workflowField = await checkWorkflow(objects, subject, run.signal)
  const header = withMembers(base.header, {
    top_hash: undefined,
    version: '"v0"',
    user_meta: userMetaText,
    message: pythonLine(message ?? null),
    workflow: workflowField && pythonLine(workflowField),
  })
  const hash = topHashOf(header, rows)
  const parent = pointersBefore.latest?.pointer.hash ?? null
  const isCurrent = parent === hash
  const uploads = rows.flatMap(({ file }) => (file && !isCurrent ? [file] : []))
  const push = {
    hash,
    parent,
    isPushed: isConfirmed,
    isCurrent,
    totalEntries: rows.length,
    totalBytes: sumSizes(rows),
    uploaded: uploads.length,
    uploadedBytes: sumSizes(uploads),
    absent,
    changed: changes.length,
    changes: changes.slice(0, MAX_CHANGES),
    message: { before: previousHeader.message, after: message ?? null },
    metadata: [...metadataChanges(previousHeader.userMeta, newUserMeta ?? null)].slice(0, MAX_CHANGES),
    ignored,
    secrets: unlisted,
  }
  if (!isConfirmed) return { ...push, isUncompared: false, rivals: [] }
  const content = { directory, header, base, rows, pointersBefore, isCurrent }
  const { isAlone, ...outcome } = await writeRevision(target, hash, content)
  await objects.sweep([`${name}/`, `${MANIFESTS}${hash}`, `${pointersOf(name)}latest`], run.signal)
  // Only a fetched directory has an origin. After concurrent pushes another revision may be the latest; then the origin still names
  // the fetched revision, because the files still differ from it.
  const manifest = isAlone ? manifestAt(objects, `${MANIFESTS}${hash}`) : pushBase.fetched?.manifest
  if (pushBase.fetched && manifest) await keepOrigin(directory, target, { hash, older, manifest })
  return { ...push, ...outcome }
}

interface RevisionContent {
  readonly directory: Objects
  readonly header: string
  readonly base: BaseRevision
  readonly rows: readonly EntryRow[]
  readonly pointersBefore: PackagePointers
  readonly isCurrent: boolean
}

async function writeRevision(
  target: PushTarget,
  hash: string,
  { directory, header, base, rows, pointersBefore, isCurrent }: RevisionContent,
): Promise<Pick<PushResult, 'isUncompared' | 'rivals'> & { readonly isAlone: boolean }> {
  const { run } = target
  if (isCurrent) {
    if (pointersBefore.timePointers.length === 0) await markTime(target, hash, pointersBefore)
    return { isUncompared: false, rivals: [], isAlone: true }
  }
  const toMebibytes = (bytes: number) => Math.ceil(bytes / MEBIBYTE)
  const total = sumSizes(rows.filter(({ file }) => file))
  let sentBytes = 0
  const reportSent = (bytes: number) => {
    sentBytes += bytes
    run.emit({ type: 'progress', what: 'push, MiB', done: toMebibytes(sentBytes), total: toMebibytes(total) })
  }
  const context = { ...target, directory, reportSent, latest: pointersBefore.latest }
  const entries = await mapParallel(rows, { atOnce: MAX_CONCURRENT, signal: run.signal }, (row, signal) =>
    uploadRow(row, { ...context, signal }),
  )
  await writeManifest(target, hash, [header, ...base.directories, ...entries])
  const isSettled = await markTime(target, hash, pointersBefore)
  const isCompared = await moveLatest(target, hash, pointersBefore.latest)
  const rivals = await findRivals(target, hash, { pointersBefore, isCompared })
  return { isUncompared: !isCompared, rivals, isAlone: isSettled && rivals.length === 0 }
}

/**
 * `fetched`: the revision that the directory was fetched from, if any. `base`: the latest revision of the package; for
 * a new package, `fetched`. `origin`: the entries of `fetched`, if it is an older revision of the package. `isForeign`:
 * whether the base is of another registry.
 */
async function readPushBase(directory: Objects, { objects, name, run }: PushTarget, { latest }: PackagePointers) {
  const { signal } = run
  const fetched = await readOrigin(directory, signal)
  const isOurs = fetched?.registry === objects.uri
  if (latest) {
    const { hash } = latest.pointer
    const base = await readBase(pointedManifest(objects, `${pointersOf(name)}latest`, hash), signal)
    const isOlder = isOurs && fetched.name === name && (fetched.hash !== hash || fetched.isMixed)
    return { base, origin: isOlder ? await readBase(fetched.manifest, signal) : undefined, isForeign: false, fetched }
  }
  if (!fetched) return { base: NO_BASE, origin: undefined, isForeign: false, fetched }
  const manifest = isOurs ? manifestAt(objects, `${MANIFESTS}${fetched.hash}`) : fetched.manifest
  return { base: await readBase(manifest, signal), origin: undefined, isForeign: !isOurs, fetched }
}

/**
 * Writes the origin of the directory after a push. If the write is denied, the next push compares with the old origin.
 */
async function keepOrigin(
  directory: Objects,
  { objects, name, run }: PushTarget,
  origin: { readonly hash: string; readonly older: OlderLines; readonly manifest: Manifest },
): Promise<void> {
  try {
    await writeOrigin(directory, { registry: objects.uri, name, ...origin }, run.signal)
  } catch (error) {
    if (!(error instanceof ContextError) || error.code !== 'denied') throw error
  }
}

function sumSizes(files: readonly { readonly size: number | null }[]): number {
  return files.reduce((sum, { size }) => sum + (size ?? 0), 0)
}

/** @throws ContextError `invalid-input` if an entry of the previous revision has no hash. */
function topHashOf(header: string, rows: readonly EntryRow[]): string {
  const topHash = new TopHash()
  topHash.header(readHeaderRecord(header))
  for (const { key, ...row } of rows) topHash.entry({ line: 0, logicalKey: key, ...row })
  const hash = topHash.digest()
  if (hash !== null) return hash
  const unhashedKeys = rows.flatMap((row) => (row.hash === null || row.size === null ? [quoteForeign(row.key)] : []))
  throw invalidInput(`The previous revision cannot be revised: ${unhashedKeys[0]} has no hash or no size.`)
}

type MetadataRequest = Pick<PackagePushRequest, 'meta' | 'metaFile' | 'entryMeta' | 'entryMetaFile'>

/**
 * @throws ContextError `invalid-input` for values other than a JSON object, or for metadata that is given twice; errors of reading a
 * file.
 */
export async function readMetadata(request: MetadataRequest, signal?: AbortSignal) {
  const { meta, metaFile, entryMeta = [], entryMetaFile } = request
  if (meta !== undefined && metaFile !== undefined) throw invalidInput('The metadata is given twice.', 'Give it once.')
  const inlineText = meta ?? (metaFile?.trimStart().startsWith('{') ? metaFile : undefined)
  const text = inlineText ?? (metaFile && (await readFile(metaFile, signal)))
  const inFile = entryMetaFile === undefined ? {} : parseMetadata(await readFile(entryMetaFile, signal), entryMetaFile)
  return {
    ...(text !== undefined && { userMeta: parseMetadata(text, inlineText === undefined ? metaFile : undefined) }),
    entryMeta: { ...inFile, ...Object.fromEntries(entryMeta.map(parseEntryMeta)) },
  }
}

async function readFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const content = await openWritable(path.slice(0, -name.length) || '.').read(name, { signal })
  return content === 'unchanged' ? '' : Buffer.from(content.bytes).toString()
}

/** Parses `data/a.csv={"by": "me"}`. The key ends at the first `=` that is followed by `{`, or by `null` at the end. */
function parseEntryMeta(text: string): [string, Json] {
  const [, key, json = ''] = /^(.+?)=(\{.*|null)$/s.exec(text) ?? []
  if (key !== undefined) return [key, json === 'null' ? null : parseMetadata(json)]
  const hint = 'Write KEY={"key": "value"}.'
  throw invalidInput(`${JSON.stringify(text)} does not say which entry has which metadata.`, hint)
}

function parseMetadata(text: string, file?: string): JsonObject {
  const value = parseObject(text.trim())
  if (value) return value
  const subject = file === undefined ? 'The metadata' : JSON.stringify(file)
  throw invalidInput(`${subject} is not a JSON object.`, 'Write it as {"key": "value"}.')
}
