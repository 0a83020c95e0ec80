import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ContextError } from '../../core/errors.ts'

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Encodings on top of each other. */
const MOST_ENCODINGS = 2

/** A body, decoded, of at most `most` bytes both on the wire and after it. @throws ContextError `over-limit`, `unavailable`. */
export async function readBody(message: IncomingMessage, most: number, shown: string): Promise<Buffer> {
  const declared = Number(message.headers['content-length'] ?? 0)
  if (declared > most) throw tooLong(shown, most)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of decodeStream(message, shown)) {
      size += part.length
      if (size > most) throw tooLong(shown, most)
      parts.push(part as Buffer)
    }
  } finally {
    message.destroy()
  }
  return Buffer.concat(parts)
}

/** What is decoded is never more than a buffer ahead of what is read; so a bomb takes no memory. */
function decodeStream(message: IncomingMessage, shown: string): AsyncIterable<Buffer> {
  const names = (message.headers['content-encoding'] ?? '').toLowerCase().split(',')
  const encodings = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity')
  const makers = encodings.map((name) => (Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined))
  if (makers.length > MOST_ENCODINGS || makers.includes(undefined)) {
    const hint = 'Open it in a browser, and give it as a file.'
    throw new ContextError('unavailable', `${shown} is encoded as ${encodings.join(', ').slice(0, 100)}.`, { hint })
  }
  if (makers.length === 0) return message
  const stages = makers.flatMap((make) => (make ? [make()] : [])).reverse()
  const last = pipeline([message, ...stages], () => undefined)
  return last as unknown as AsyncIterable<Buffer>
}

function tooLong(shown: string, most: number): ContextError {
  const hint = 'Download it in another way, and give it as a file.'
  return new ContextError('over-limit', `${shown} has more than ${most} bytes.`, { hint })
}
