/** Reads bytes of files for previews. */

import { useQuery } from '@tanstack/react-query'
import { fetchOrThrow } from './call.ts'
import { type DecodedText, decodeBytes } from './decode.ts'
import type { Place } from './place.ts'

/** The beginning of a file, or all of it. */
export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Number of bytes of the whole file; undefined if unknown. */
  readonly total: number | undefined
  /** Whether the file has more bytes than were read. */
  readonly isCut: boolean
}

/** The URL of the bytes of a file in a collection or in a package. */
export function bytesUrl({ collection, path, within }: Place): string {
  if (within !== undefined) return `/entries?${new URLSearchParams({ package: `${collection}/${within}`, path })}`
  return `/files/${[collection, ...path.split('/')].map(encodeURIComponent).join('/')}`
}

/** Reads at most `most` bytes of a file. @throws Failure */
export async function readBytes(place: Place, most: number, signal?: AbortSignal): Promise<FileBytes> {
  const response = await fetchOrThrow(new Request(bytesUrl(place)), { signal: signal ?? null })
  const length = response.headers.get('content-length')
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = response.body?.getReader()
  while (reader && size <= most) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  const isCut = size > most
  // Stops the download.
  if (isCut) await reader?.cancel().catch(() => {})
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer()).slice(0, most)
  return { bytes, total: length === null ? (isCut ? undefined : size) : Number(length), isCut }
}

/** Maximum bytes of a file to show as text. */
export const MOST_TEXT = 4 * 1024 * 1024

/** A file with its text; `text` is undefined if the file is not text. */
export interface FileText extends FileBytes {
  readonly text: DecodedText | undefined
}

export function useFileText(place: Place) {
  return useQuery({
    queryKey: ['bytes', place] as const,
    queryFn: async ({ signal }): Promise<FileText> => {
      const file = await readBytes(place, MOST_TEXT, signal)
      return { ...file, text: decodeBytes(file.bytes, file.isCut) }
    },
    // Files may be large, so they are cached only briefly.
    gcTime: 30_000,
    structuralSharing: false,
  })
}
