/** Reads pictures and PDFs, for a preview. */

import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { attachmentText } from '../../ingest/extractor.ts'
import { oneLine } from '../../text/controls.ts'
import { collectBytes, type PlaceFile } from './locate.ts'
import type { ProjectFiles } from './project-files.ts'

/** Maximum bytes of a PDF. */
const MAX_PDF_BYTES = 32_000_000

export type PreviewFile = Awaited<ReturnType<typeof previewPlace>>

/** Where previews are read from: places in collections, buckets and packages, and files of the project. */
export interface PreviewSource {
  file(place: string): Promise<PlaceFile>
  /** The files of the person's project; absent outside of a project. */
  readonly project?: Pick<ProjectFiles, 'bytes'> | undefined
}

const PDF = 'application/pdf'

/** Media types, each with a pattern of the first bytes of its files. */
const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBP/s],
  [PDF, /^%PDF-/],
]

/**
 * Reads a picture or a PDF. The bytes of the file decide its type, not its name. In the result, `place` is the citation: a uri or an absolute path.
 *
 * @throws ContextError `invalid-input` for other files; `over-limit`; the errors of reading.
 */
export async function previewPlace(place: string, parts: PreviewSource) {
  const { name, bytes } = await readPreview(place, parts)
  const mediaType = mediaTypeOf(bytes)
  if (!mediaType) throw invalidInput(`${oneLine(name)} is not a PNG, JPEG, GIF, WebP or PDF.`, 'Read it as a text.')
  assertShowable(name, mediaType, bytes)
  return { place: name, mediaType, bytes }
}

function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return SIGNATURES.find(([, beginning]) => beginning.test(start))?.[0]
}

function assertShowable(name: string, mediaType: string, { length }: Uint8Array): void {
  if (mediaType !== PDF && length > BOUNDS.image) throw previewTooLarge(name, BOUNDS.image)
}

/** A file that a person sends with a question: a picture or PDF, or the text of another file. */
export type AttachmentContent = { readonly mediaType: string } | { readonly text: string }

/**
 * Reads a sent file. The bytes of the file decide its type, not its name.
 *
 * @param isText Whether to extract the text of a file of this type.
 * @throws ContextError `invalid-input` for a file without text; `over-limit`; `cancelled`.
 */
export async function readAttachment(
  { name, bytes }: Pick<PreviewFile, 'bytes'> & { readonly name: string },
  isText: (mediaType: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<AttachmentContent> {
  const mediaType = mediaTypeOf(bytes)
  if (mediaType !== undefined && !isText(mediaType)) {
    assertShowable(name, mediaType, bytes)
    return { mediaType }
  }
  return { text: await attachmentText(name, bytes, signal) }
}

async function readPreview(place: string, { file, project }: PreviewSource) {
  if (/^[/.~]/.test(place)) {
    if (!project) throw new ContextError('denied', `${oneLine(place)} is on disk: it cannot be read here.`)
    const { path, bytes } = project.bytes(place, MAX_PDF_BYTES)
    return { name: path, bytes }
  }
  const { uri, size, stream } = await file(place)
  if (size && size > MAX_PDF_BYTES) throw previewTooLarge(uri, MAX_PDF_BYTES)
  const bytes = await collectBytes(stream(), MAX_PDF_BYTES + 1)
  if (bytes.length > MAX_PDF_BYTES) throw previewTooLarge(uri, MAX_PDF_BYTES)
  return { name: uri, bytes }
}

function previewTooLarge(name: string, most: number): ContextError {
  return new ContextError('over-limit', `${oneLine(name)} has more than ${most} bytes.`)
}
