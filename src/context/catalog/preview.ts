/** What there is to see in a file: its bytes, where it is a picture or a document that is shown by pages. */

import type { CollectionFile } from '../../collections/files.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { PackagePathRequest } from '../../quilt/answers.ts'
import { bucketAddress } from '../../quilt/place.ts'
import { type Address, uriOf } from '../../text/collection-uri.ts'
import { oneLine } from '../../text/controls.ts'
import type { LooseBytes } from './loose.ts'

/** Bytes of the largest picture: services take 5 MB of it in base64. */
export const MOST_IMAGE = 3_700_000

/** Bytes of the largest PDF. */
const MOST_PDF = 32_000_000

/** A file that can be shown. */
export interface Seen {
  /** As it is cited: a uri, or an absolute path. */
  readonly place: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Where files are read. */
export interface SeeingParts {
  file(address: Address, signal?: AbortSignal): Promise<CollectionFile>
  entry(request: PackagePathRequest, signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** Of the project in which the person stands; absent where there is none. */
  readonly loose?: { bytes(path: string, most: number): LooseBytes } | undefined
}

/** What pictures and PDFs begin with. */
const BEGINNINGS: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff'],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  ['image/webp', (bytes) => /^RIFF....WEBP/s.test(bytes.subarray(0, 12).toString('latin1'))],
  ['application/pdf', (bytes) => bytes.subarray(0, 5).toString('latin1') === '%PDF-'],
]

/**
 * A picture or a PDF, judged by its bytes and not by its name.
 *
 * @throws ContextError `invalid-input` for what is neither; `over-limit`; as reading does.
 */
export async function previewPlace(place: string, parts: SeeingParts, signal?: AbortSignal): Promise<Seen> {
  const { name, bytes } = await readPreview(place, parts, signal)
  const mediaType = BEGINNINGS.find(([, begins]) => begins(Buffer.from(bytes)))?.[0]
  if (mediaType === undefined) {
    const hint = 'Read it as a text.'
    throw invalidInput(`${oneLine(name)} is no PNG, JPEG, GIF, WebP or PDF.`, hint)
  }
  if (mediaType !== 'application/pdf' && bytes.length > MOST_IMAGE) throw previewTooLarge(name, MOST_IMAGE)
  return { place: name, mediaType, bytes }
}

async function readPreview(place: string, { file, entry, loose }: SeeingParts, signal?: AbortSignal) {
  if (/^[/.~]/.test(place)) {
    if (!loose) throw new ContextError('denied', `${oneLine(place)} is on disk, where nothing is read here.`)
    const { path, bytes } = loose.bytes(place, MOST_PDF)
    return { name: path, bytes }
  }
  const address = bucketAddress(place)
  if ('package' in address) return { name: place, bytes: await collectBytes(entry(address, signal), place) }
  const found = await file(address, signal)
  if (found.size > MOST_PDF) throw previewTooLarge(place, MOST_PDF)
  return { name: uriOf(address), bytes: await collectBytes(found.stream(signal ? { signal } : {}), place) }
}

async function collectBytes(parts: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.length
    if (size > MOST_PDF) throw previewTooLarge(name, MOST_PDF)
    kept.push(part)
  }
  return Buffer.concat(kept)
}

function previewTooLarge(name: string, most: number): ContextError {
  return new ContextError('over-limit', `${oneLine(name)} has more than ${most} bytes.`)
}
