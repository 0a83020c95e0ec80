import type { Difference, EntryState, PackageDiffAnswer, PackageDiffRequest, Stoppable } from '../answers.ts'
import { haveSameBytes } from '../hashes.ts'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import { byTree, mergeInOrder, type Records } from './in-order.ts'
import { isObject, type Json } from './json.ts'
import type { Manifest } from './manifest.ts'
import { pythonJson } from './top-hash.ts'

/** Compares two revisions. The place where bytes are stored, and the type of an equal hash, make no difference. */
type PackageDiff = Omit<PackageDiffAnswer, 'before' | 'after'>
type EntryChange = PackageDiff['changes'][number]
type MetadataChange = PackageDiff['metadata'][number]

/** The differences of two manifests, which are read side by side, so that only the answer is held in memory. */
export function diffOf(
  before: Manifest,
  after: Manifest,
  { limit = 1000, signal }: Pick<PackageDiffRequest, 'limit'> & Stoppable = {},
): Promise<PackageDiff> {
  return mergeInOrder([before, after], ([left, right]) => compareRecords(left, right, limit), { signal })
}

async function compareRecords(oldRecords: Records | undefined, newRecords: Records | undefined, limit: number) {
  const headers: { before?: ManifestHeader; after?: ManifestHeader } = {}
  const entriesBefore = entriesUnder(oldRecords, (header) => (headers.before = header))
  const entriesAfter = entriesUnder(newRecords, (header) => (headers.after = header))
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 }
  const changes: EntryChange[] = []
  let [old, current] = [(await entriesBefore.next()).value, (await entriesAfter.next()).value]
  while (old !== undefined || current !== undefined) {
    const order = old === undefined ? 1 : current === undefined ? -1 : byTree(old.logicalKey, current.logicalKey)
    const change = changeOf(order <= 0 ? old : undefined, order >= 0 ? current : undefined)
    counts[change?.change ?? 'unchanged']++
    if (change !== undefined && changes.length < limit) changes.push(change)
    if (order <= 0) old = (await entriesBefore.next()).value
    if (order >= 0) current = (await entriesAfter.next()).value
  }
  const { before, after } = headers
  const metadata = [...metadataChanges(before?.userMeta ?? null, after?.userMeta ?? null)].slice(0, limit)
  return { ...headerDifferences(before, after), metadata, ...counts, changes }
}

/** Yields the entries of a manifest one by one. `onHeader` receives the header before the first entry. */
async function* entriesUnder(
  records: Records | undefined,
  onHeader: (header: ManifestHeader) => void,
): AsyncGenerator<ManifestEntry, undefined> {
  for await (const batch of records ?? [])
    for (const record of batch) {
      if (record.kind === 'header') onHeader(record)
      else if (record.kind === 'entry') yield record
    }
  return undefined
}

function headerDifferences(before: ManifestHeader | undefined, after: ManifestHeader | undefined) {
  const fields = ['userMeta', 'workflow'] as const
  return {
    message: { before: before?.message ?? null, after: after?.message ?? null },
    header: fields.filter((part) => !areSameJson(before?.[part] ?? null, after?.[part] ?? null)),
  }
}

/** Differences of two metadata values. Objects are compared key by key; an array is one value. */
export function* metadataChanges(before: Json, after: Json, path = ''): Generator<MetadataChange, void> {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]).values()) {
      const [a, b] = [ownValue(before, key), ownValue(after, key)]
      const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (a !== undefined && b !== undefined) yield* metadataChanges(a, b, pointer)
      else if (b !== undefined) yield { change: 'added', path: pointer, after: pythonJson(b) }
      else if (a !== undefined) yield { change: 'removed', path: pointer, before: pythonJson(a) }
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

type ComparedFields = Pick<ManifestEntry, 'logicalKey' | 'size' | 'hash' | 'meta'>

/** The change of an entry; undefined if both are the same. */
export function changeOf(before?: ComparedFields, after?: ComparedFields): EntryChange | undefined {
  const logicalKey = (before ?? after)?.logicalKey ?? ''
  const states = { ...(before && { before: stateOf(before) }), ...(after && { after: stateOf(after) }) }
  if (before === undefined || after === undefined)
    return { change: before === undefined ? 'added' : 'removed', logicalKey, ...states }
  const differences = differencesOf(before, after)
  return differences.length === 0 ? undefined : { change: 'changed', logicalKey, differences, ...states }
}

function differencesOf(a: ComparedFields, b: ComparedFields): Difference[] {
  const differences: Difference[] = []
  if (a.size !== b.size) differences.push('size')
  if (!haveSameBytes(a.hash, b.hash, a.size === b.size ? a.size : null)) differences.push('hash')
  if (!areSameJson(a.meta, b.meta)) differences.push('meta')
  return differences
}

function stateOf({ size, hash }: ComparedFields): EntryState {
  return { size, hash }
}
