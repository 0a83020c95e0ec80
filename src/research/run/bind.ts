/** Binds files to a run: reads their spans (citable pieces of text), digests each file, and merges the digests. */

import { ContextError } from '../../core/errors.ts'
import { mapParallel } from '../../core/steps.ts'
import { authorIn, type Extraction } from '../../ingest/extracted.ts'
import type { RunStore, StoredFile } from '../../stores/run-store.ts'
import { type ReadFile, ReportSources } from '../report/sources.ts'
import type { RunWork } from './allotment.ts'
import { BRIEF_WORK } from './done-work.ts'
import type { BoundFile, ContextBundle } from './evidence.ts'
import { aggregateOf, aliasOf, type FileDigest, routingIndexOf, withConflicts } from './slices.ts'
import type { Brief, DigestedFile, StageResult, UsageLimits } from './stages.ts'
import { cutText } from './text-thread.ts'

/** The fields of a file that the binding needs. */
type UnboundFile = Pick<StoredFile, 'id' | 'name' | 'alias' | 'sha256'>

/** A run and its files. */
export interface FileWork extends RunWork {
  readonly store: RunStore
  readonly files: readonly UnboundFile[]
  readonly revision: number
  extract(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<Extraction>
}

interface BindParts extends FileWork {
  /** The limits of one task of the binding, such as a digest. `share`: its share of all limits, 0 to 1. */
  limitsFor(share: number): UsageLimits
}

interface FileRead extends ReadFile {
  readonly file: UnboundFile
  readonly failure?: string
  readonly warnings: readonly string[]
}

interface FileBinding {
  readonly read: FileRead
  readonly digest: StageResult<DigestedFile> | undefined
}

/** Binds all files, with an event for each. An unreadable file does not stop the others. */
export async function bindFiles(parts: BindParts): Promise<void> {
  const { journal, files, settings } = parts
  const files_total = files.length
  await journal.append('context_binding_parsing_started', { payload: { files_total } })
  const reads = await mapParallel(files, { atOnce: settings.concurrency }, (file) => readFile(parts, file))
  const brief = await briefOf(parts, reads)
  let previous: Promise<unknown> = Promise.resolve()
  const bound = await mapParallel(
    reads.entries(),
    { atOnce: settings.concurrency, signal: parts.signal },
    ([at, read], signal) => {
      const { failure: reason, alias: file, title, spans } = read
      const task = { alias: file, title, spans, ...(brief && { brief }) }
      const limits = { signal, limits: parts.limitsFor(shareOf(reads, read.text.length)) }
      const digest = () => journal.work(`file-${at + 1}`, 'digest', () => parts.stages.digest(task, limits))
      const digesting = reason === undefined ? digest() : undefined
      // Waits for the previous file: the events are in the order of the files.
      const completed = Promise.all([digesting, previous]).then(async ([digest]): Promise<FileBinding> => {
        const status = reason === undefined ? 'ready' : 'error'
        const payload = { index: at + 1, total: files_total, file, status, fallback_reason: digest?.failed, reason }
        await journal.append('context_binding_parsing_file_completed', { key: String(at + 1), payload })
        return { read, digest }
      })
      previous = completed
      return completed
    },
  )
  await writeBundle(parts, bound)
}

async function writeBundle(parts: BindParts, bound: readonly FileBinding[]): Promise<void> {
  const { journal, revision } = parts
  const reads = bound.map(({ read }) => read)
  const files = bound.map(boundOf)
  const digests = bound.flatMap(({ read: { alias }, digest }) => (digest ? [{ alias, items: digest.value.items }] : []))
  const digestLength = reads.reduce((all, { text }) => all + text.length * DIGEST_SHARE, 0)
  const { value: items, failed } = await aggregateDigests(parts, digests, shareOf(reads, digestLength))
  const sources = new ReportSources(reads, new Map())
  const bundle: ContextBundle = {
    session_context_id: `${journal.session}.${revision}`,
    revision,
    files,
    aggregate_digest: { items },
    routing_index: routingIndexOf(items, (ref) => sources.span(ref)?.headings ?? []),
  }
  const files_ready = files.filter(({ status }) => status === 'ready').length
  const counts = { files_ready, files_error: files.length - files_ready, items_count: items.length }
  const payload = { ...counts, fallback_reason: failed }
  await journal.append('context_binding_parsing_completed', { payload, made: { bundle } })
  if (files.length > 0 && files_ready === 0) {
    const reason = 'No file could be read. The run continues with no usable context.'
    await journal.append('context_unavailable', { payload: { reason } })
  }
}

async function aggregateDigests(parts: BindParts, digests: readonly FileDigest[], share: number) {
  const { journal, stages, signal, limitsFor } = parts
  const items = aggregateOf(digests)
  // A `lead` points to another source. It states nothing that another item could contradict.
  const stated = items.filter(({ kind }) => kind !== 'lead')
  const files = new Set(stated.map(({ sources: [first = ''] }) => aliasOf(first)))
  if (files.size < 2) return { value: items, failed: undefined }
  const { value, ...done } = await journal.work('file-0', 'digest-0', () =>
    stages.aggregate(stated, { signal, limits: limitsFor(share) }),
  )
  return { ...done, value: withConflicts(items, value) }
}

function boundOf({ read: { file, alias, title, spans, failure, warnings }, digest }: FileBinding): BoundFile {
  const { id, name, sha256 } = file
  return {
    ...{ id, name, alias, sha256, title },
    status: failure === undefined ? 'ready' : 'error',
    ...(failure !== undefined && { reason: failure }),
    spans: spans.length,
    items: digest?.value.items.length ?? 0,
    rejected: digest?.value.rejected ?? 0,
    warnings: [...warnings, ...(digest?.failed === undefined ? [] : [digest.failed])],
  }
}

/** Characters of a request besides texts of files. Characters of a digest, as a share of its text. */
const REQUEST_OVERHEAD = 4500
const DIGEST_SHARE = 0.4

/** The share of the binding's limits for work on this number of characters. */
function shareOf(reads: readonly FileRead[], characters: number): number {
  const sum = reads.reduce((all, { text }) => all + text.length, 0)
  return (characters + REQUEST_OVERHEAD) / (sum * (1 + DIGEST_SHARE) + REQUEST_OVERHEAD * (reads.length + 2))
}

/** Maximum headings of one file that a model gets. */
const MAX_HEADINGS = 30

/** Makes the brief (the parts of the question) before any file is digested. Undefined without a model. */
async function briefOf(parts: BindParts, reads: readonly FileRead[]): Promise<Brief | undefined> {
  const { journal, signal, stages, limitsFor } = parts
  const { brief } = stages
  if (!brief) return undefined
  const files = reads.map(({ alias, title, spans }) => {
    const headings = new Set<string>()
    for (const span of spans) for (const heading of span.headings) headings.add(heading)
    return { name: alias, title, headings: [...headings].slice(0, MAX_HEADINGS) }
  })
  const { question, today } = journal.state
  const task = { question, today, files }
  const limits = limitsFor(shareOf(reads, 0))
  const { value, failed } = await journal.work('', BRIEF_WORK, () => brief(task, { signal, limits }))
  const { question: _, ...payload } = value
  await journal.append('brief_ready', { payload: { ...payload, fallback_reason: failed } })
  return value
}

type FileReading = Pick<FileWork, 'store' | 'extract' | 'signal'>

/** Reads a file: its text, and the text as spans. */
export async function readFile(parts: FileReading, file: UnboundFile): Promise<FileRead> {
  const extracted = await extractFile(parts, file)
  const { alias } = file
  if (!extracted.ok) return { file, alias, title: alias, text: '', spans: [], warnings: [], failure: extracted.detail }
  const { text, syntax, pages, title, warnings, format } = extracted
  const spans = await cutText({ text, syntax, pages, isCsv: format === 'csv' }, parts.signal)
  return { file, alias, title, ...authorIn(extracted), text, isPrinted: format === 'pdf', spans, warnings }
}

/** Extracts the text of a file, or takes it from the store. */
async function extractFile({ store, extract, signal }: FileReading, file: UnboundFile): Promise<Extraction> {
  const key = textKey(file)
  const stored = await store.findDerived(key)
  if (stored !== undefined) return JSON.parse(stored)
  const bytes = await store.bytes(file.sha256, signal).catch(lostReason)
  if (typeof bytes === 'string') return { ok: false, why: 'unreadable', detail: bytes }
  const extraction = await extract(file.name, bytes, signal)
  await store.putDerived(key, JSON.stringify(extraction), file.sha256)
  return extraction
}

/** Why the bytes of a file are not available to this run. Rethrows errors that may be temporary. */
function lostReason(error: unknown): string {
  if (error instanceof ContextError && ['not-found', 'conflict'].includes(error.code)) return error.message
  throw error
}

/** The key of an extracted text. It includes the extension of the name, which decides how bytes are read. */
function textKey({ sha256, name }: UnboundFile): string {
  return `text ${sha256} ${name.slice(name.lastIndexOf('.') + 1).toLowerCase()}`
}

/** The extracted text of a file; undefined if none is stored. */
export async function extractedText(store: RunStore, file: UnboundFile): Promise<string | undefined> {
  const stored = await store.findDerived(textKey(file))
  const extraction = stored === undefined ? undefined : (JSON.parse(stored) as Extraction)
  return extraction?.ok ? extraction.text : undefined
}
