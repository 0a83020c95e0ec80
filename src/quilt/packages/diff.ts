import type { Difference, EntryState, PackageDiffAnswer } from '../answers.ts'
import { haveSameBytes } from '../hashes.ts'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import { byTree, mergeInOrder, type Records } from './in-order.ts'
import { isObject, type Json } from './json.ts'
import type { Manifest } from './manifest.ts'
import { pythonJson } from './top-hash.ts'

/** From one revision to another. Where the bytes of an entry are, and the type of its hash, is not a difference. */
type PackageDiff = Omit<PackageDiffAnswer, 'before' | 'after'>
type EntryChange = PackageDiff['changes'][number]
type MetadataChange = PackageDiff['metadata'][number]

export interface DiffOptions {
  /** Maximum number of changes in the answer. Default: 1,000. */
  readonly limit?: number
  readonly signal?: AbortSignal | undefined
}

/** What changed between two manifests. Both are read side by side: only the answer is held in memory. */
export function diffOf(before: Manifest, after: Manifest, { limit = 1000, signal }: DiffOptions = {}) {
  const use = ([left, right]: readonly Records[]) => compare(new Cursor(left), new Cursor(right), limit)
  return mergeInOrder([before, after], use, { signal })
}

async function compare(left: Cursor, right: Cursor, limit: number): Promise<PackageDiff> {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 }
  const changes: EntryChange[] = []
  let [a, b] = [await left.next(), await right.next()]
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : byTree(a.logicalKey, b.logicalKey)
    const found = changeOf(order <= 0 ? a : undefined, order >= 0 ? b : undefined)
    counts[found?.change ?? 'unchanged']++
    if (found !== undefined && changes.length < limit) changes.push(found)
    if (order <= 0) a = await left.next()
    if (order >= 0) b = await right.next()
  }
  const metadata = [...metadataChanges(left.header?.userMeta ?? null, right.header?.userMeta ?? null)].slice(0, limit)
  return { ...headersOf(left.header, right.header), metadata, ...counts, changes }
}

function headersOf(before: ManifestHeader | undefined, after: ManifestHeader | undefined) {
  const parts = ['userMeta', 'workflow'] as const
  return {
    message: { before: before?.message ?? null, after: after?.message ?? null },
    header: parts.filter((part) => !areSameJson(before?.[part] ?? null, after?.[part] ?? null)),
  }
}

/** Objects are compared key by key; an array is one value. */
export function* metadataChanges(before: Json, after: Json, path = ''): Generator<MetadataChange, void> {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]).values()) {
      const [a, b] = [ownValue(before, key), ownValue(after, key)]
      const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (a !== undefined && b !== undefined) yield* metadataChanges(a, b, at)
      else if (b !== undefined) yield { change: 'added', path: at, after: pythonJson(b) }
      else if (a !== undefined) yield { change: 'removed', path: at, before: pythonJson(a) }
    }
  } else if (!areSameJson(before, after)) {
    yield { change: 'changed', path, before: pythonJson(before), after: pythonJson(after) }
  }
}

function ownValue(object: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function areSameJson(a: Json, b: Json): boolean {
  return pythonJson(a) === pythonJson(b)
}

/** Entries one by one; the header once the first was asked for. */
class Cursor {
  readonly #records: Records | undefined
  #batch: readonly ManifestEntry[] = []
  #at = 0
  header: ManifestHeader | undefined

  constructor(records: Records | undefined) {
    this.#records = records
  }

  async next(): Promise<ManifestEntry | undefined> {
    while (this.#at >= this.#batch.length) {
      const found = await this.#records?.next()
      if (found === undefined || found.done) return undefined
      this.header ??= found.value.find((record) => record.kind === 'header')
      this.#batch = found.value.filter((record) => record.kind === 'entry')
      this.#at = 0
    }
    return this.#batch[this.#at++]
  }
}

/** What of an entry is compared. */
type Compared = Pick<ManifestEntry, 'logicalKey' | 'size' | 'hash' | 'meta'>

/** @returns undefined where both say the same. */
export function changeOf(before: Compared | undefined, after: Compared | undefined): EntryChange | undefined {
  const logicalKey = (before ?? after)?.logicalKey ?? ''
  const states = { ...(before && { before: stateOf(before) }), ...(after && { after: stateOf(after) }) }
  if (before === undefined || after === undefined)
    return { change: before === undefined ? 'added' : 'removed', logicalKey, ...states }
  const differences = differencesOf(before, after)
  return differences.length === 0 ? undefined : { change: 'changed', logicalKey, differences, ...states }
}

function differencesOf(a: Compared, b: Compared): Difference[] {
  const found: Difference[] = []
  if (a.size !== b.size) found.push('size')
  if (!haveSameBytes(a.hash, b.hash, a.size === b.size ? a.size : null)) found.push('hash')
  if (!areSameJson(a.meta, b.meta)) found.push('meta')
  return found
}

function stateOf({ size, hash }: Compared): EntryState {
  return { size, hash }
}
