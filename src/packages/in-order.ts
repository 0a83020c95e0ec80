import { ContextError } from '../core/errors.ts'
import { type Batch, batchesOf, type Manifest, namedBy } from './manifest.ts'
import { invalid, shown } from './message.ts'
import { byTree } from './order.ts'
import { type ManifestDirectory, type ManifestEntry, type ManifestHeader, recordOf } from './records.ts'

/** Sees a manifest: the header, then directories in any order, and the entries in the order of the tree. */
export interface Visitor {
  header?(header: ManifestHeader): void
  directory?(directory: ManifestDirectory): void
  entry?(entry: ManifestEntry): void
}

export interface InOrderOptions {
  readonly signal?: AbortSignal
  /** Most characters of a manifest that is sorted in memory. Default: 512 Mi. */
  readonly maxSorted?: number
}

const MAX_SORTED = 512 << 20

/**
 * Shows a manifest to a visitor in the order of its tree, and checks that no two entries are at one logical key, nor one
 * at a directory of another. The format's own tools write entries in this order: then nothing but a block is held, and an
 * entry is compared with the one before it only. Where the order is another, the manifest is read a second time into
 * memory (about twice its size) and shown to a new visitor.
 *
 * @throws ContextError `invalid-input` that names manifest and line; `over-limit` for one too large to be sorted.
 */
export async function readInOrder<Seen extends Visitor>(
  manifest: Manifest,
  start: () => Seen,
  options: InOrderOptions = {},
): Promise<Seen> {
  try {
    return (await asItLies(manifest, start(), options)) ?? (await sorted(manifest, start(), options))
  } catch (error) {
    throw error instanceof OfLine ? namedBy(manifest, error.problem) : error
  }
}

/** An error of this file, which does not name the manifest yet. */
class OfLine extends Error {
  readonly problem: ContextError

  constructor(problem: ContextError) {
    super(problem.message)
    this.problem = problem
  }
}

/** The visitor, when it has seen everything; undefined as soon as an entry is out of order. */
async function asItLies<Seen extends Visitor>(
  manifest: Manifest,
  visitor: Seen,
  { signal }: InOrderOptions,
): Promise<Seen | undefined> {
  let last: ManifestEntry | undefined
  for await (const { records } of batchesOf(manifest, signal)) {
    for (const record of records) {
      if (record.kind === 'header') visitor.header?.(record)
      else if (record.kind === 'directory') visitor.directory?.(record)
      else {
        if (last !== undefined && !follows(last, record)) return undefined
        visitor.entry?.(record)
        last = record
      }
    }
  }
  return visitor
}

async function sorted<Seen extends Visitor>(manifest: Manifest, visitor: Seen, options: InOrderOptions): Promise<Seen> {
  const kept = await allOf(manifest, visitor, options)
  kept.sort((a, b) => byTree(a.key, b.key))
  let last: ManifestEntry | undefined
  for (const { text, line } of kept) {
    const entry = recordOf(text, line)
    if (entry.kind !== 'entry') continue
    if (last !== undefined) follows(last, entry)
    visitor.entry?.(entry)
    last = entry
  }
  return visitor
}

interface Kept {
  readonly key: string
  readonly text: string
  readonly line: number
}

/** The texts of all entries: they are smaller than what they say. */
async function allOf(manifest: Manifest, visitor: Visitor, options: InOrderOptions): Promise<Kept[]> {
  const { signal, maxSorted = MAX_SORTED } = options
  const kept: Kept[] = []
  let room = maxSorted
  for await (const batch of batchesOf(manifest, signal)) {
    room -= batch.texts.reduce((sum, text) => sum + text.length, 0)
    if (room < 0) throw tooLarge(manifest, maxSorted)
    keep(batch, kept, visitor)
  }
  return kept
}

function keep({ records, texts }: Batch, kept: Kept[], visitor: Visitor): void {
  for (const [index, record] of records.entries()) {
    if (record.kind === 'header') visitor.header?.(record)
    else if (record.kind === 'directory') visitor.directory?.(record)
    else kept.push({ key: record.logicalKey, text: texts[index] ?? '', line: record.line })
  }
}

/** Whether an entry comes after another in the tree. @throws OfLine when both cannot be in one package. */
function follows(last: ManifestEntry, entry: ManifestEntry): boolean {
  const order = byTree(last.logicalKey, entry.logicalKey)
  const [first, second] = last.line < entry.line ? [last, entry] : [entry, last]
  if (order === 0) {
    const key = shown(entry.logicalKey)
    throw new OfLine(invalid(`Line ${second.line} has the logical key ${key} of line ${first.line} again.`))
  }
  if (entry.logicalKey.startsWith(`${last.logicalKey}/`)) throw new OfLine(isBoth(last, entry))
  return order < 0
}

/** What comes right after an entry is below it, if anything is. */
function isBoth(file: ManifestEntry, below: ManifestEntry): ContextError {
  const key = shown(file.logicalKey)
  return invalid(`Line ${below.line} is below ${key}, which is an entry itself, of line ${file.line}.`)
}

function tooLarge({ name }: Manifest, limit: number): ContextError {
  const size = `${limit.toLocaleString('en')} characters`
  return new ContextError('over-limit', `The manifest ${name} is out of order, and larger than ${size}.`, {
    hint: 'A manifest that lists its entries in the order of their tree is read whatever its size.',
  })
}
