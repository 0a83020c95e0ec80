/** A directory becomes a revision of a package, as quilt3 writes one: objects, manifest, `latest`, and the pointer of its time. */

import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { listPages, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { gitignore } from '../../text/gitignore.ts'
import { looksSecret } from '../../text/secrets.ts'
import type { PackagePushAnswer } from '../answers.ts'
import { hasherOf } from '../hashes.ts'
import { quoteForeign } from '../names.ts'
import { headerOf, type ManifestEntry } from '../records.ts'
import { byTree } from './in-order.ts'
import type { JsonObject } from './json.ts'
import { SecretScan } from './secret-scan.ts'
import { TopHash } from './top-hash.ts'
import { Uploading } from './upload.ts'
import { checkWorkflow, type WorkflowChoice } from './workflow.ts'
import {
  type LocalFile,
  latestOf,
  markTime,
  moveLatest,
  type PushTarget,
  readEntries,
  writeManifest,
} from './write-revision.ts'

export interface PushRequest {
  readonly name: string
  readonly message?: string | undefined
  /** What is said of the package as a whole. Default: nothing. */
  readonly userMeta?: JsonObject | undefined
  readonly workflow?: WorkflowChoice
  /** Writes. Default: only says what would be written. */
  readonly isMeant: boolean
  /** Files that are pushed though they hold a secret, or are called like one. Default: none. */
  readonly secrets?: readonly string[] | undefined
}

/** What a push wrote, or would write. */
export type Push = Omit<PackagePushAnswer, 'bucket' | 'name' | 'place'>

/** Type of the hashes that are written, as quilt3 does. */
const HASH_TYPE = 'sha2-256-chunked'

/** Bytes of the largest file that is uploaded: it is sent as one request. */
const MAX_FILE = 512 << 20

/** Files that are hashed and uploaded at the same time. */
const WIDE = 4

/**
 * Makes a revision of a package of all files below a directory. A file that the latest revision has, with the same hash and under
 * the same key, is not sent again. No object that a revision may point to is overwritten.
 *
 * Where it is killed, nothing points to what was written, and the same push goes on.
 *
 * @throws ContextError `invalid-input` for an empty directory, a workflow that refuses, a registry that is not of layout 1;
 * `over-limit` for a file of more than 512 MiB; `conflict` where `latest` moved meanwhile, or a file changed; `denied`, also
 * for secrets that nobody named.
 */
export async function pushPackage(
  directory: Objects,
  registry: Objects,
  { name, message, userMeta, workflow, isMeant, secrets: allowed = [] }: PushRequest,
  run: Run,
): Promise<Push> {
  const at: PushTarget = { objects: registry, name, run }
  const { files, ignored } = await filesIn(directory, run)
  if (files.length === 0) throw invalidInput('The directory has no files: there is nothing to push.')
  const parent = await latestOf(at)
  const known = parent ? await readEntries(parent.pointer.hash, at) : new Map<string, ManifestEntry>()
  const read = await inParallel(files, (file) => readFile(directory, file, run))
  const secrets = read.flatMap(({ file: { key: path }, secret }) =>
    secret === undefined ? [] : [{ path, what: secret }],
  )
  const unnamed = secrets.filter(({ path }) => !allowed.includes(path))
  if (isMeant && unnamed.length > 0) throw secretsRefused(unnamed)
  const hashed = read.map(({ file }) => file)
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
    secrets: unnamed,
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
  await markTime(at, hash, isCurrent)
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

/** Secrets that are told one by one. */
const MOST_TOLD = 10

function secretsRefused(secrets: Push['secrets']): ContextError {
  const told = secrets.slice(0, MOST_TOLD).map(({ path, what }) => `${quoteForeign(path)} (${what})`)
  const more = secrets.length > told.length ? `, and ${secrets.length - told.length} more` : ''
  const hint = 'Name them in .quiltignore, or push a file that has no secret with --secret PATH.'
  return new ContextError('denied', `Nothing was pushed: there are secrets. ${told.join(', ')}${more}.`, { hint })
}

/** What a file is in the package, and whether it is a secret. */
async function readFile(directory: Objects, { key, size, etag }: ObjectInfo, { signal }: Run) {
  const hasher = hasherOf(HASH_TYPE, size)
  if (!hasher) throw new Error(`${HASH_TYPE} is not known.`)
  const scan = new SecretScan()
  for await (const bytes of directory.stream(key, { only: etag, ...(signal && { signal }) })) {
    hasher.update(bytes)
    scan.add(bytes)
  }
  const file: LocalFile = { key, size, hash: { type: HASH_TYPE, value: hasher.digest() } }
  return { file, secret: looksSecret(key) ? 'by its name' : scan.end() }
}

function topHashOf(header: JsonObject, files: readonly LocalFile[]): string {
  const top = new TopHash()
  top.header(headerOf(JSON.stringify(header)))
  for (const file of files)
    top.entry({ kind: 'entry', line: 0, logicalKey: file.key, physicalKey: '', meta: {}, ...file })
  return top.digest() ?? ''
}
