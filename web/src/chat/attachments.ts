import type { FileUIPart } from 'ai'
import { decodeBytes } from '../api/decode.ts'
import { sizeOf } from '../ui/format.ts'

/** Files of a question, and bytes of an image and of another file, as the server takes them. */
export const MOST_FILES = 10
const MOST_IMAGE = 3_750_000
const MOST_FILE = 10_000_000

const IMAGES = /^image\/(png|jpeg|gif|webp)$/

/** Documents whose words the server finds. */
const DOCUMENTS = /\.(pdf|docx|docm|xlsx|xlsm|pptx|pptm|odt)$/i

/** A file as a question takes it: images and documents as they are, texts as UTF-8. @throws Error that says why not. */
export async function attachedFile(file: File): Promise<FileUIPart> {
  const { name, type, size } = file
  const part = (mediaType: string, bytes: Uint8Array) => ({
    type: 'file' as const,
    filename: name,
    mediaType,
    url: `data:${mediaType};base64,${base64(bytes)}`,
  })
  const most = IMAGES.test(type) ? MOST_IMAGE : MOST_FILE
  if (size > most) throw new Error(`${name} has ${sizeOf(size)}: at most ${sizeOf(most)} can be attached.`)
  const bytes = await bytesOf(file)
  if (IMAGES.test(type)) return part(type, bytes)
  if (DOCUMENTS.test(name)) return part(type || 'application/octet-stream', bytes)
  const text = decodeBytes(bytes)?.text
  if (text === undefined) throw new Error(`${name} is neither an image (PNG, JPEG, GIF, WebP) nor a document nor text.`)
  if (text.trim() === '') throw new Error(`${name} has no text.`)
  return part('text/plain', new TextEncoder().encode(text))
}

async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
}

/** Bytes that a call of a function takes as arguments. */
const PART = 32_768

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PART) text += String.fromCharCode(...bytes.subarray(at, at + PART))
  return btoa(text)
}
