import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { denied, S3Fault } from './fault.ts'
import type { S3Request } from './request.ts'
import { chunkSignature, type Signed, sha256 } from './signature.ts'

const STREAMING = /^STREAMING-(AWS4-HMAC-SHA256|UNSIGNED)-PAYLOAD(-TRAILER)?$/

/**
 * The body of a request as it is meant: without the frames of `aws-chunked`, and held against the hash or the signatures
 * that were sent with it.
 *
 * @throws S3Fault when they differ.
 */
export function bodyOf({ headers }: S3Request, raw: Buffer, signed: Signed | undefined): Buffer {
  const declared = headers['x-amz-content-sha256']?.toString() ?? 'UNSIGNED-PAYLOAD'
  const streaming = STREAMING.exec(declared)
  if (!streaming) {
    if (declared !== 'UNSIGNED-PAYLOAD' && declared !== sha256(raw)) throw mismatched()
    verifyChecksums(headers, raw)
    return raw
  }
  const { bytes, trailers } = unframed(raw, streaming[1] === 'UNSIGNED' ? undefined : signed)
  if (bytes.length !== Number(headers['x-amz-decoded-content-length'])) throw incomplete()
  verifyChecksums({ ...headers, ...trailers }, bytes)
  return bytes
}

interface Unframed {
  readonly bytes: Buffer
  readonly trailers: Readonly<Record<string, string>>
}

/** `size;chunk-signature=…\r\n bytes \r\n`, until a size of 0; then trailers. */
function unframed(raw: Buffer, signed: Signed | undefined): Unframed {
  const parts: Buffer[] = []
  let before = signed?.signature ?? ''
  for (let at = 0; ; ) {
    const end = raw.indexOf('\r\n', at)
    if (end === -1) throw incomplete()
    const [size = '', signature = ''] = raw.toString('latin1', at, end).split(';chunk-signature=')
    const length = Number.parseInt(size, 16)
    if (!/^[0-9a-f]+$/i.test(size)) throw incomplete()
    const part = raw.subarray(end + 2, end + 2 + length)
    if (part.length !== length) throw incomplete()
    if (signed) before = verifiedChunk(signed, before, part, signature)
    if (length === 0)
      return { bytes: Buffer.concat(parts), trailers: trailersOf(raw.subarray(end + 2), signed, before) }
    parts.push(part)
    at = end + 2 + length + 2
    if (raw.toString('latin1', at - 2, at) !== '\r\n') throw incomplete()
  }
}

function verifiedChunk(signed: Signed, before: string, part: Buffer, signature: string): string {
  const expected = chunkSignature(signed, 'PAYLOAD', before, part)
  if (expected !== signature) throw denied('The signature of a chunk does not match.')
  return expected
}

function trailersOf(raw: Buffer, signed: Signed | undefined, before: string): Record<string, string> {
  const lines = raw.toString('latin1').split('\r\n').filter(Boolean)
  const pairs = lines.map((line): [string, string] => [
    line.split(':', 1)[0] ?? '',
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  const { 'x-amz-trailer-signature': signature, ...trailers } = Object.fromEntries(pairs)
  if (signed && signature !== undefined) {
    const text = Object.entries(trailers).map(([name, value]) => `${name}:${value}\n`)
    const expected = chunkSignature(signed, 'TRAILER', before, Buffer.from(text.join('')))
    if (expected !== signature) throw denied('The signature of the trailer does not match.')
  }
  return trailers
}

/** Those that clients send unasked, and the old one. */
const CHECKSUMS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'content-md5': (bytes) => createHash('md5').update(bytes).digest('base64'),
  'x-amz-checksum-sha256': (bytes) => createHash('sha256').update(bytes).digest('base64'),
  'x-amz-checksum-sha1': (bytes) => createHash('sha1').update(bytes).digest('base64'),
  'x-amz-checksum-crc32': (bytes) => {
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(bytes))
    return sum.toString('base64')
  },
}

function verifyChecksums(headers: Readonly<Record<string, string | string[] | undefined>>, bytes: Buffer): void {
  for (const [name, sumOf] of Object.entries(CHECKSUMS)) {
    const told = headers[name]
    if (told === undefined || told === sumOf(bytes)) continue
    throw new S3Fault(400, 'BadDigest', `The ${name} you specified did not match what we received.`)
  }
}

function mismatched(): S3Fault {
  const message = "The provided 'x-amz-content-sha256' header does not match what was computed."
  return new S3Fault(400, 'XAmzContentSHA256Mismatch', message)
}

function incomplete(): S3Fault {
  return new S3Fault(400, 'IncompleteBody', 'You did not provide the number of bytes specified by the headers.')
}
