import { ContextError, throwIfAborted } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'
import { invalid } from '../message.ts'
import { headerOf, type ManifestRecord, recordOf } from '../records.ts'
import { type Lines, linesOf } from './lines.ts'

/** A manifest that can be read, as often as it takes. */
export interface Manifest {
  /** What it is called in messages. */
  readonly name: string
  open(signal?: AbortSignal): AsyncIterable<Uint8Array>
}

/** The manifest that is kept under a key. */
export function manifestAt(objects: Objects, key: string): Manifest {
  return {
    name: `${objects.uri}/${key}`,
    open: (signal) => objects.stream(key, signal === undefined ? {} : { signal }),
  }
}

/** Records that follow each other, with the texts they were read from. */
export interface Batch {
  readonly records: readonly ManifestRecord[]
  readonly texts: readonly string[]
}

/**
 * The records of a manifest as its bytes come: the header first. What is held at a time is a block, not the manifest.
 *
 * @throws ContextError `invalid-input` that names the manifest and the line: cut off, no JSON, of a wrong shape.
 */
export async function* batchesOf(manifest: Manifest, signal?: AbortSignal): AsyncGenerator<Batch> {
  let isEmpty = true
  try {
    for await (const lines of linesOf(manifest.open(signal))) {
      throwIfAborted(signal)
      isEmpty = false
      yield { records: recordsOf(lines), texts: lines.texts }
    }
  } catch (error) {
    throw namedBy(manifest, error)
  }
  if (isEmpty) throw invalid(`The manifest ${manifest.name} is empty.`, DAMAGED)
}

const DAMAGED = 'It was damaged, or was never whole. Other revisions of the package may be good.'

function recordsOf({ first, texts, isOpen }: Lines): ManifestRecord[] {
  return texts.map((text, index) => {
    const line = first + index
    try {
      return line === 1 ? headerOf(text) : recordOf(text, line)
    } catch (error) {
      throw isOpen && index === texts.length - 1 && error instanceof ContextError ? cutOff(line) : error
    }
  })
}

function cutOff(line: number): ContextError {
  return invalid(`Line ${line}, the last, is cut off: it has no line feed, and is not whole.`)
}

/** The same error, which says in which manifest it is. */
export function namedBy(manifest: Manifest, error: unknown): unknown {
  if (!(error instanceof ContextError) || error.code !== 'invalid-input') return error
  const { code, message, hint = DAMAGED } = error
  return new ContextError(code, `The manifest ${manifest.name}: ${message}`, { hint, cause: error })
}
