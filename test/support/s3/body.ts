import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { S3Fault } from './fault.ts'
import type { S3Request } from './request.ts'
import { sha256 } from './signature.ts'

/** Holds the body of a request against the hashes that were sent with it. @throws S3Fault when they differ. */
export function verifyBody({ headers }: S3Request, raw: Buffer): void {
  const declared = headers['x-amz-content-sha256']?.toString() ?? 'UNSIGNED-PAYLOAD'
  if (declared !== 'UNSIGNED-PAYLOAD' && declared !== sha256(raw)) throw mismatched()
  for (const [name, sumOf] of Object.entries(CHECKSUMS)) {
    const told = headers[name]
    if (told === undefined || told === sumOf(raw)) continue
    throw new S3Fault(400, 'BadDigest', `The ${name} you specified did not match what we received.`)
  }
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

function mismatched(): S3Fault {
  const message = "The provided 'x-amz-content-sha256' header does not match what was computed."
  return new S3Fault(400, 'XAmzContentSHA256Mismatch', message)
}
