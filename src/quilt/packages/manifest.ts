import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, invalidInput, throwIfAborted } from '../../core/errors.ts'
import { mapParallel } from '../../core/steps.ts'
import type { Objects } from '../../files/objects.ts'
import { type ManifestEntry, type ManifestRecord, readHeaderRecord, readRecord } from '../records.ts'

/** A manifest (the list of a package's entries, in JSON lines), which can be read repeatedly. */
export interface Manifest {
  /** Its name in messages. */
  readonly name: string
  open(signal?: AbortSignal): AsyncIterable<Uint8Array>
}

/** The manifest in the object with a key. */
export function manifestAt(objects: Objects, key: string): Manifest {
  return {
    name: `${objects.uri}/${key}`,
    open: (signal) => objects.stream(key, { signal }),
  }
}

/**
 * Yields batches of a manifest's records and their texts as its bytes arrive, the header first. Holds one block in
 * memory.
 *
 * @throws ContextError `invalid-input` that names the manifest and the line: cut off, not JSON, or of a wrong shape.
 */
export async function* batchesOf(manifest: Manifest, signal?: AbortSignal) {
  let isEmpty = true
  try {
    for await (const lines of readLines(manifest.open(signal))) {
      throwIfAborted(signal)
      isEmpty = false
      yield { records: recordsOf(lines), texts: lines.texts }
    }
  } catch (error) {
    throw addManifestName(manifest, error)
  }
  if (isEmpty) throw invalidInput(`The manifest ${manifest.name} is empty.`, DAMAGED_HINT)
}

/** Maximum number of entries to process concurrently. */
const MAX_CONCURRENT = 8

/** Runs `work` for each entry, several at a time. The first failure stops the work on all entries. */
export async function forEachEntry(
  manifest: Manifest,
  work: (entry: ManifestEntry, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  await mapParallel((stop) => entriesOf(manifest, stop), { atOnce: MAX_CONCURRENT, signal }, work)
}

async function* entriesOf(manifest: Manifest, signal: AbortSignal): AsyncGenerator<ManifestEntry, void> {
  for await (const { records } of batchesOf(manifest, signal))
    for (const record of records) if (record.kind === 'entry') yield record
}

const DAMAGED_HINT = 'It is damaged or incomplete. Other revisions of the package may be intact.'

function recordsOf({ first, texts, isOpen }: LineBatch): ManifestRecord[] {
  return texts.map((text, index) => {
    const line = first + index
    try {
      return line === 1 ? readHeaderRecord(text) : readRecord(text, line)
    } catch (error) {
      if (!isOpen || index < texts.length - 1 || !(error instanceof ContextError)) throw error
      throw invalidInput(`Line ${line}, the last, is cut off: it is incomplete, and has no line feed.`)
    }
  })
}

export function addManifestName(manifest: Manifest, error: unknown): unknown {
  if (!(error instanceof ContextError) || error.code !== 'invalid-input') return error
  const { code, message, hint = DAMAGED_HINT } = error
  return new ContextError(code, `The manifest ${manifest.name}: ${message}`, { hint, cause: error })
}

/** Consecutive lines. */
export interface LineBatch {
  /** The number of the first line, from 1. */
  readonly first: number
  /** Without their line feeds. */
  readonly texts: readonly string[]
  /** Whether the text ends after the last line, without a line feed. */
  readonly isOpen: boolean
}

const LINE_FEED = 0x0a
/** Bytes of a block. Larger chunks of the source are split. */
const BLOCK = 1 << 20

/**
 * The lines of a text in UTF-8 as its bytes arrive, in batches; at most a line and a block are in memory.
 *
 * @throws ContextError `invalid-input` that names the line: longer than `BOUNDS.manifestLine`, or not UTF-8.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBatch> {
  let line = 1
  let partialLine: Uint8Array[] = []
  let partialBytes = 0
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; offset += BLOCK) {
      const block = chunk.subarray(offset, offset + BLOCK)
      const end = block.lastIndexOf(LINE_FEED) + 1
      if (end > 0) {
        const texts = splitTexts(Buffer.concat([...partialLine, block.subarray(0, end - 1)]), line)
        yield { first: line, texts, isOpen: false }
        line += texts.length
        partialLine = []
        partialBytes = 0
      }
      // A copy, because the source of the bytes may reuse their memory.
      if (end < block.length) partialLine.push(Uint8Array.from(block.subarray(end)))
      partialBytes += block.length - end
      if (partialBytes > BOUNDS.manifestLine) throw lineTooLong(line)
    }
  }
  if (partialLine.length > 0) yield { first: line, texts: splitTexts(Buffer.concat(partialLine), line), isOpen: true }
}

function splitTexts(bytes: Buffer, first: number): string[] {
  const texts = decodeLines(bytes, first).split('\n')
  const longIndex = texts.findIndex((text) => Buffer.byteLength(text) > BOUNDS.manifestLine)
  if (longIndex >= 0) throw lineTooLong(first + longIndex)
  return texts
}

/** Does not drop a byte order mark, so that a line with one is refused as JSON. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeLines(bytes: Buffer, first: number): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    const lines = bytes.toString('latin1').split('\n')
    const badIndex = lines.findIndex(
      (line) => Buffer.from(Buffer.from(line, 'latin1').toString()).toString('latin1') !== line,
    )
    throw invalidInput(`Line ${first + badIndex} is not UTF-8.`)
  }
}

function lineTooLong(line: number): ContextError {
  return invalidInput(`Line ${line} is longer than ${BOUNDS.manifestLine.toLocaleString('en')} bytes.`)
}
