/** A directory becomes a revision of a package, as quilt3 writes one: objects, manifest, `latest`, and the pointer of its time. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { listPages, MAX_READ, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { gitignore } from '../../text/gitignore.ts'
import { hasherOf } from '../hashes.ts'
import { invalid, quoteForeign } from '../names.ts'
import { type EntryHash, headerOf, type ManifestEntry, readRecord } from '../records.ts'
import { byTree, readInOrder } from './in-order.ts'
import { escapeQuery, type Json, type JsonObject } from './json.ts'
import { MAX_LINE, type Manifest } from './manifest.ts'
import { keyBelow, parsePhysicalKey } from './physical-key.ts'
import { LATEST, LAYOUTS, type Pointer, readPointer } from './registry.ts'
import { TopHash } from './top-hash.ts'
import { checkWorkflow, type WorkflowChoice } from './workflow.ts'

export interface PushRequest {
  readonly name: string
  readonly message?: string | undefined
  /** What is said of the package as a whole. Default: nothing. */
  readonly userMeta?: JsonObject | undefined
  readonly workflow?: WorkflowChoice
  /** Writes. Default: only says what would be written. */
  readonly isMeant: boolean
}

/** What a push wrote, or would write. */
export interface Push {
  /** The top hash of the revision. */
  readonly hash: string
  /** What `latest` was before; null for a new package. */
  readonly parent: string | null
  readonly isPushed: boolean
  /** The revision is `latest` already: nothing is to be written. */
  readonly isCurrent: boolean
  readonly totalEntries: number
  readonly totalBytes: number
  /** Files whose bytes are new to the package. */
  readonly uploaded: number
  readonly uploadedBytes: number
  /** Files that are left out: what belongs to git and to Quilt, and what `.quiltignore` names. */
  readonly ignored: number
}

/** Type of the hashes that are written, as quilt3 does. */
const HASH_TYPE = 'sha2-256-chunked'

/** Bytes of the largest file that is uploaded: it is sent as one request. */
const MAX_FILE = 512 << 20

/** Files that are hashed and uploaded at the same time. */
const WIDE = 4

/** A file of the directory, and its hash. */
interface LocalFile {
  readonly key: string
  readonly size: number
  readonly hash: EntryHash
}

interface Registry {
  readonly objects: Objects
  readonly name: string
  readonly run: Run
}

/**
 * Makes a revision of a package of all files below a directory. A file that the latest revision has, with the same hash and under
 * the same key, is not sent again. No object that a revision may point to is overwritten.
 *
 * Where it is killed, nothing points to what was written, and the same push goes on.
 *
 * @throws ContextError `invalid-input` for an empty directory, a workflow that refuses, a registry that is not of layout 1;
 * `over-limit` for a file of more than 512 MiB; `conflict` where `latest` moved meanwhile, or a file changed; `denied`.
 */
export async function pushPackage(
  directory: Objects,
  registry: Objects,
  { name, message, userMeta, workflow, isMeant }: PushRequest,
  run: Run,
): Promise<Push> {
  const at: Registry = { objects: registry, name, run }
  const { files, ignored } = await filesIn(directory, run)
  if (files.length === 0) throw invalid('The directory has no files: there is nothing to push.')
  const parent = await latestOf(at)
  const known = parent ? await readEntries(parent.pointer.hash, at) : new Map<string, ManifestEntry>()
  const hashed = await inParallel(files, (file) => hashFile(directory, file, run))
  const checked = await checkWorkflow(registry, { name, message, userMeta, workflow, entries: hashed }, run.signal)
  const header: JsonObject = {
    version: 'v0',
    ...(userMeta !== undefined && { user_meta: userMeta }),
    message: message ?? null,
    ...(checked !== undefined && { workflow: checked }),
  }
  const hash = topHashOf(header, hashed)
  const isNew = (file: LocalFile) => !holdsFile(known.get(file.key), file)
  const fresh = hashed.filter(isNew)
  const isCurrent = parent?.pointer.hash === hash
  const push = {
    hash,
    parent: parent?.pointer.hash ?? null,
    isPushed: isMeant,
    isCurrent,
    totalEntries: hashed.length,
    totalBytes: sumSizes(hashed),
    uploaded: isCurrent ? 0 : fresh.length,
    uploadedBytes: isCurrent ? 0 : sumSizes(fresh),
    ignored,
  }
  if (!isMeant) return push
  if (!isCurrent) {
    const uploading = new Uploading(directory, at)
    let done = 0
    const places = await inParallel(hashed, async (file) => {
      const reused = known.get(file.key)
      const place = reused && holdsFile(reused, file) ? reused.physicalKey : await uploading.upload(file)
      run.emit({ type: 'progress', what: 'push', done: ++done, total: hashed.length })
      return place
    })
    await writeManifest(at, hash, { header, files: hashed, places })
    await moveLatest(at, hash, parent)
  }
  await markTime(at, hash)
  return push
}

function sumSizes(files: readonly LocalFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

function holdsFile(entry: ManifestEntry | undefined, { size, hash }: LocalFile): boolean {
  return entry?.size === size && entry.hash?.type === hash.type && entry.hash.value === hash.value
}

/** Does some work for each, several at a time; the answers are in the order of the items. */
async function inParallel<Item, Made>(
  items: readonly Item[],
  work: (item: Item) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) made[at] = await work(items[at] as Item)
  }
  await Promise.all(Array.from({ length: WIDE }, worker))
  return made
}

/** The files that make the package, in the order of the tree. */
async function filesIn(directory: Objects, { signal }: Run) {
  const all: ObjectInfo[] = []
  for await (const { objects, left } of listPages(directory, signal ? { signal } : {})) {
    const [first] = left
    if (first) throw new ContextError('denied', `${quoteForeign(first.key)} cannot be pushed: ${first.detail}`)
    all.push(...objects)
  }
  const isIgnored = await ignoredBy(directory, all, signal)
  const files = all.filter(({ key }) => !isIgnored(key)).sort((a, b) => byTree(a.key, b.key))
  const large = files.find(({ size }) => size > MAX_FILE)
  if (large) throw tooLarge(large)
  return { files, ignored: all.length - files.length }
}

function tooLarge({ key, size }: ObjectInfo): ContextError {
  const message = `${quoteForeign(key)} has ${size} bytes; at most ${MAX_FILE} are pushed.`
  return new ContextError('over-limit', message, { hint: 'Push it with quilt3, or name it in .quiltignore.' })
}

const QUILT_IGNORE = '.quiltignore'

async function ignoredBy(directory: Objects, all: readonly ObjectInfo[], signal: AbortSignal | undefined) {
  const isThere = all.some(({ key }) => key === QUILT_IGNORE)
  const read = isThere ? await directory.read(QUILT_IGNORE, signal ? { signal } : {}) : undefined
  const text = read && read !== 'unchanged' ? Buffer.from(read.bytes).toString() : ''
  const says = gitignore(`.git/\n.quilt/\n${text}`)
  return (key: string) => {
    const parts = key.split('/')
    return parts.some((_, at) => says(parts.slice(0, at + 1).join('/'), at < parts.length - 1) === true)
  }
}

async function hashFile(directory: Objects, { key, size, etag }: ObjectInfo, { signal }: Run): Promise<LocalFile> {
  const hasher = hasherOf(HASH_TYPE, size)
  if (!hasher) throw new Error(`${HASH_TYPE} is not known.`)
  for await (const bytes of directory.stream(key, { only: etag, ...(signal && { signal }) })) hasher.update(bytes)
  return { key, size, hash: { type: HASH_TYPE, value: hasher.digest() } }
}

function topHashOf(header: JsonObject, files: readonly LocalFile[]): string {
  const top = new TopHash()
  top.header(headerOf(JSON.stringify(header)))
  for (const file of files)
    top.entry({ kind: 'entry', line: 0, logicalKey: file.key, physicalKey: '', meta: {}, ...file })
  return top.digest() ?? ''
}

const [V1, ...OTHERS] = LAYOUTS

/** Where `latest` of a package is, and what it holds. */
interface Latest {
  readonly pointer: Pointer
  readonly etag: string
}

/** @throws ContextError `invalid-input` for a package of another layout, which only its own tools may move. */
async function latestOf({ objects, name, run: { signal } }: Registry): Promise<Latest | undefined> {
  for (const { pointersOf, name: layout } of OTHERS) {
    if (await readPointer(objects, `${pointersOf(name)}${LATEST}`, signal)) {
      throw invalid(`The package ${name} is kept in layout ${layout}, which is read, and not written.`)
    }
  }
  const key = latestKey(name)
  const pointer = await readPointer(objects, key, signal)
  if (!pointer) return undefined
  const { etag } = await objects.head(key, signal ? { signal } : {})
  return { pointer, etag }
}

function latestKey(name: string): string {
  return `${V1?.pointersOf(name)}${LATEST}`
}

/** The entries of a revision by their logical keys. One that cannot be read is as none: all is sent. */
async function readEntries(hash: string, { objects, name, run: { signal } }: Registry) {
  const manifest: Manifest = {
    name: hash,
    open: (stop) => objects.stream(V1?.manifestKey(name, hash) ?? '', stop ? { signal: stop } : {}),
  }
  const entries = new Map<string, ManifestEntry>()
  const visit = () => ({ entry: (entry: ManifestEntry) => void entries.set(entry.logicalKey, entry) })
  try {
    await readInOrder(manifest, visit, signal ? { signal } : {})
    return entries
  } catch (error) {
    if (error instanceof ContextError && (error.code === 'invalid-input' || error.code === 'not-found'))
      return new Map()
    throw error
  }
}

/** Sends files to where nothing is overwritten that a revision may need. */
class Uploading {
  readonly #directory: Objects
  readonly #registry: Registry

  constructor(directory: Objects, registry: Registry) {
    this.#directory = directory
    this.#registry = registry
  }

  /** @returns the physical key */
  async upload(file: LocalFile): Promise<string> {
    const { objects, name, run } = this.#registry
    const stop = run.signal ? { signal: run.signal } : {}
    const key = `${name}/${file.key}`
    const there = await this.#infoOf(key)
    if (there && isVersioned(there)) {
      if (await this.#holds(there, file)) return physicalKeyOf(objects.uri, key, there.version)
      const { version } = await objects.put(key, await this.#bytesOf(file), stop)
      return physicalKeyOf(objects.uri, key, version)
    }
    for (const place of [key, `${name}/.objects/${hexOf(file.hash)}/${baseName(file.key)}`]) {
      const old = await this.#infoOf(place)
      if (!old) {
        const { version } = await objects.put(place, await this.#bytesOf(file), { if: 'absent', ...stop })
        return physicalKeyOf(objects.uri, place, version)
      }
      if (await this.#holds(old, file)) return physicalKeyOf(objects.uri, place, old.version)
    }
    throw new ContextError('conflict', `${quoteForeign(file.key)} cannot be kept: another object has its place.`)
  }

  async #infoOf(key: string): Promise<ObjectInfo | undefined> {
    const { objects, run } = this.#registry
    try {
      return await objects.head(key, run.signal ? { signal: run.signal } : {})
    } catch (error) {
      if (error instanceof ContextError && error.code === 'not-found') return undefined
      throw error
    }
  }

  /** Whether an object has the bytes of a file. */
  async #holds({ key, size, version }: ObjectInfo, file: LocalFile): Promise<boolean> {
    const hasher = size === file.size ? hasherOf(file.hash.type, size) : undefined
    if (!hasher) return false
    const { objects, run } = this.#registry
    const request = { ...(version !== undefined && { version }), ...(run.signal && { signal: run.signal }) }
    for await (const bytes of objects.stream(key, request)) hasher.update(bytes)
    return hasher.digest() === file.hash.value
  }

  /** @throws ContextError `conflict` where the file is another one since it was hashed. */
  async #bytesOf({ key, size, hash }: LocalFile): Promise<Uint8Array> {
    const { signal } = this.#registry.run
    const read = await this.#directory.read(key, { maxBytes: Math.max(size, MAX_READ), ...(signal && { signal }) })
    const hasher = hasherOf(hash.type, size)
    if (read === 'unchanged' || !hasher) throw new Error('Nothing was compared.')
    hasher.update(read.bytes)
    if (hasher.digest() === hash.value) return read.bytes
    throw new ContextError('conflict', `${quoteForeign(key)} was written while it was pushed.`, { hint: 'Push again.' })
  }
}

/** `null` is what a bucket calls the object that a next write replaces. */
function isVersioned({ version }: ObjectInfo): boolean {
  return version !== undefined && version !== 'null'
}

function hexOf({ value }: EntryHash): string {
  return Buffer.from(value, 'base64').toString('hex')
}

function baseName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

/** `s3://bucket/key?versionId=…` or `file:///…`, percent-encoded. */
function physicalKeyOf(uri: string, key: string, version: string | undefined): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const text = `${uri}/${path}${version === undefined || version === 'null' ? '' : `?versionId=${escapeQuery(version)}`}`
  // What is written shall be read back as what was meant.
  if (keyBelow(parsePhysicalKey(text), uri) !== key)
    throw invalid(`${quoteForeign(key)} cannot be named in a manifest.`)
  return text
}

interface ManifestContent {
  readonly header: JsonObject
  readonly files: readonly LocalFile[]
  readonly places: readonly string[]
}

/** A manifest is named by its content: one that is there already is this one, or its objects are elsewhere, which is no difference. */
async function writeManifest({ objects, name, run: { signal } }: Registry, hash: string, content: ManifestContent) {
  const { header, files, places } = content
  const rows = files.map(({ key, size, hash: sum }, at) => {
    return { logical_key: key, physical_keys: [places[at] ?? ''], size, hash: sum, meta: {} }
  })
  const lines = [header, ...rows].map((row) => pythonLine(row))
  const long = lines.findIndex((line) => Buffer.byteLength(line) > MAX_LINE)
  if (long === 0) throw invalid(`The metadata has more than ${MAX_LINE} bytes.`)
  for (const [at, line] of lines.entries()) if (at > 0) readRecord(line, at + 1)
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  await putAbsent(objects, V1?.manifestKey(name, hash) ?? '', { bytes, signal })
}

/** As Python's `json.dumps` of quilt3 writes it: `, ` and `: ` between, characters as they are. */
function pythonLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonLine).join(', ')}]`
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return JSON.stringify(value)
  const members = Object.entries(value as JsonObject).map(([key, one]) => `${JSON.stringify(key)}: ${pythonLine(one)}`)
  return `{${members.join(', ')}}`
}

interface PutOptions {
  readonly bytes: Uint8Array
  readonly signal: AbortSignal | undefined
}

/** @returns whether it was absent. */
async function putAbsent(objects: Objects, key: string, { bytes, signal }: PutOptions): Promise<boolean> {
  try {
    await objects.put(key, bytes, { if: 'absent', ...(signal && { signal }) })
    return true
  } catch (error) {
    if (error instanceof ContextError && error.code === 'conflict') return false
    throw error
  }
}

/** @throws ContextError `conflict` where somebody else pushed since `latest` was read. */
async function moveLatest({ objects, name, run: { signal } }: Registry, hash: string, before: Latest | undefined) {
  const key = latestKey(name)
  try {
    await objects.put(key, Buffer.from(hash), {
      if: before ? { etag: before.etag } : 'absent',
      ...(signal && { signal }),
    })
  } catch (error) {
    if (!(error instanceof ContextError) || error.code !== 'conflict') throw error
    const now = await readPointer(objects, key, signal)
    // The answer to our own request may have been lost.
    if (now?.hash === hash) return
    const message = `Somebody else pushed ${name} meanwhile: latest is ${now?.hash ?? 'gone'}, and was ${before?.pointer.hash ?? 'none'}.`
    const hint = `Look at it, and push again. Yours is kept as ${name}@${hash}.`
    throw new ContextError('conflict', message, { hint, cause: error })
  }
}

/** Seconds that are tried for a pointer of its own. */
const MOST_SECONDS = 100

/** The pointer by which a log shows the revision: of now, or of a second that is free. One that it has already is enough. */
async function markTime({ objects, name, run: { signal } }: Registry, hash: string): Promise<void> {
  const folder = V1?.pointersOf(name) ?? ''
  for await (const page of listPages(objects, { prefix: folder, ...(signal && { signal }) })) {
    const times = page.objects.filter(({ key }) => /\/\d+$/.test(key)).reverse()
    for (const { key } of times.slice(0, MOST_SECONDS)) {
      if ((await readPointer(objects, key, signal))?.hash === hash) return
    }
  }
  const now = Math.floor(Date.now() / 1000)
  for (let second = now; second < now + MOST_SECONDS; second++) {
    if (await putAbsent(objects, `${folder}${second}`, { bytes: Buffer.from(hash), signal })) return
  }
}
