/** The objects of a bucket as files of a collection. */

import { BucketTrouble, ContextError } from '../core/errors.ts'
import type { ObjectInfo, Objects } from '../files/objects.ts'
import { listPages } from '../files/objects.ts'
import type { FileStamp } from '../stores/document-store.ts'
import { looksSecret } from '../text/secrets.ts'
import { type Belonging, fileFilter, isIgnored, type Rules, rulesAt, type WalkOptions } from './file-filter.ts'
import type { FileBytes, NoText } from './indexing/extraction.ts'
import type { IndexedTree } from './indexing/tree.ts'
import type { FoundFile } from './indexing/walk.ts'

/** Bytes of the largest object that is read: what is larger is refused by every format. */
const MOST_BYTES = 64 * 1024 * 1024

/** Objects that are read at the same time. */
const WIDE = 16

/** Objects in a row that may not be read before it is taken for a fault of who asks. */
const MOST_DENIED = 16

type Options = Omit<WalkOptions, 'root'>

/**
 * Lists a bucket, as a directory is walked: what a `.gitignore` in it excludes is not there, nor is what looks like a secret.
 *
 * @throws ContextError by the bucket, as its objects do; `cancelled`.
 */
export async function bucketTree(objects: Objects, { patterns, exclude, signal }: Options): Promise<IndexedTree> {
  const found = await listObjects(objects, signal)
  const plain = found.filter(({ key }) => isPlainKey(key))
  const belongs = fileFilter({ patterns, exclude })
  const rules = belongs.takesIgnored ? [] : await rulesIn(objects, plain, signal)
  const hidden = new Hidden(rules, belongs)
  const files = plain.filter(({ key }) => belongs.file(key) && !hidden.file(key)).map(toFoundFile)
  const odd = found
    .filter(({ key }) => !isPlainKey(key) && !isFolder(key))
    .map((info) => ({ file: toFoundFile(info), detail: ODD }))
  const read = reader(objects, signal)
  return {
    files: files.filter(({ path }) => !looksSecret(path)),
    secrets: files.filter(({ path }) => looksSecret(path)),
    odd,
    closed: [],
    wide: WIDE,
    read,
  }
}

/** Why a key that is no path is no file. */
export const ODD = 'Its key has an empty segment, or one of dots, and is no path.'

async function listObjects(objects: Objects, signal: AbortSignal | undefined): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = []
  for await (const page of listPages(objects, signal === undefined ? {} : { signal })) found.push(...page.objects)
  return found
}

/** What consoles make to show a folder. */
function isFolder(key: string): boolean {
  return key.endsWith('/')
}

/** Whether a key is the path of a file. */
export function isPlainKey(key: string): boolean {
  return key.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..') && !key.includes('\0')
}

function toFoundFile({ key, ...info }: ObjectInfo): FoundFile {
  return { path: key, ...stampOf(info) }
}

/**
 * The etag tells one state from another; it stands where a file has the time of its last change. Times are to the second: a
 * list may have more of them than an answer that has the object.
 */
function stampOf({ size, modifiedAt, etag }: Omit<ObjectInfo, 'key'>): FileStamp {
  const seconds = Math.floor(Date.parse(modifiedAt) / 1000)
  return { size, mtime: `${seconds}000000000`, ctime: etag }
}

/** The rules of each directory that has some. */
async function rulesIn(
  objects: Objects,
  found: readonly ObjectInfo[],
  signal: AbortSignal | undefined,
): Promise<Rules[]> {
  const keys = found.map(({ key }) => key).filter((key) => key === '.gitignore' || key.endsWith('/.gitignore'))
  return Promise.all(keys.map((key) => rulesAt(objects, above(key), signal)))
}

interface Judged {
  readonly isHidden: boolean
  /** Its own and those above, the nearest last. */
  readonly rules: readonly Rules[]
}

/** What is left out, by directories: each is judged once. */
class Hidden {
  readonly #rules: ReadonlyMap<string, Rules>
  readonly #belongs: Belonging
  readonly #known = new Map<string, Judged>()

  constructor(rules: readonly Rules[], belongs: Belonging) {
    this.#rules = new Map(rules.map((one) => [one.path, one]))
    this.#belongs = belongs
  }

  file(key: string): boolean {
    const { isHidden, rules } = this.#directory(above(key))
    return isHidden || isIgnored(key, false, rules)
  }

  #directory(path: string): Judged {
    const known = this.#known.get(path)
    if (known) return known
    const outer = path === '' ? { isHidden: false, rules: [] } : this.#directory(above(path))
    const isHidden =
      outer.isHidden || (path !== '' && (this.#belongs.isLeftOut(path) || isIgnored(path, true, outer.rules)))
    const own = this.#rules.get(path)
    const found = { isHidden, rules: own ? [...outer.rules, own] : outer.rules }
    this.#known.set(path, found)
    return found
  }
}

/** The directory that a key is in; `''` for the root. */
function above(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** Reads objects; one that cannot be read is left, unless none can be. */
function reader(objects: Objects, signal: AbortSignal | undefined): IndexedTree['read'] {
  let denied = 0
  return async ({ path }) => {
    try {
      const read = await objects.read(path, { maxBytes: MOST_BYTES, ...(signal === undefined ? {} : { signal }) })
      denied = 0
      return read === 'unchanged' ? UNREAD : toFileBytes(read)
    } catch (error) {
      if (!(error instanceof ContextError) || error instanceof BucketTrouble) throw error
      if (error.code === 'over-limit') return { ok: false, why: 'over-limit', detail: error.message }
      if (error.code === 'not-found') return { ok: false, why: 'missing', detail: error.message }
      if (error.code !== 'denied' || ++denied >= MOST_DENIED) throw error
      return { ok: false, why: 'unreadable', detail: error.message }
    }
  }
}

const UNREAD: NoText = { ok: false, why: 'unreadable', detail: 'It was not read.' }

function toFileBytes({ bytes, ...info }: ObjectInfo & { readonly bytes: Uint8Array }): FileBytes {
  return { ok: true, bytes, stamp: stampOf(info) }
}
