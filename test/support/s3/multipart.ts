import { createHash, randomUUID } from 'node:crypto'
import type { Bucket } from './bucket.ts'
import { S3Fault } from './fault.ts'
import { page } from './listing.ts'
import { type Answer, putObject } from './objects.ts'
import type { S3Request } from './request.ts'
import { textsOf } from './xml.ts'

/** An object that comes in parts. */
export interface MultipartUpload {
  readonly id: string
  readonly key: string
  readonly initiated: Date
  readonly parts: Map<number, ReceivedPart>
}

interface ReceivedPart {
  readonly bytes: Buffer
  readonly size: number
  readonly md5: Buffer
  readonly sha256: Buffer
}

const hashed = (type: string, bytes: Buffer) => createHash(type).update(bytes).digest()

/** Undefined for a request that is about something else. @throws S3Fault. */
export function multipart(bucket: Bucket, request: S3Request, body: Buffer): Answer | undefined {
  const { method, key, query } = request
  if (key === '') return query.has('uploads') ? listUploads(bucket, query.get('prefix') ?? '') : undefined
  if (method === 'POST' && query.has('uploads')) return begin(bucket, key)
  const id = query.get('uploadId')
  if (id === undefined) return undefined
  const upload = bucket.uploads.get(id)
  if (!upload || upload.key !== key) throw new S3Fault(404, 'NoSuchUpload', 'The specified upload does not exist.')
  if (method === 'PUT') return putPart(bucket, upload, { request, body })
  if (method === 'GET') return listParts(upload, request)
  if (method === 'POST') return complete(bucket, upload, { request, body })
  bucket.uploads.delete(id)
  return { status: 204 }
}

function begin(bucket: Bucket, key: string): Answer {
  const id = randomUUID()
  bucket.uploads.set(id, { id, key, initiated: new Date(), parts: new Map() })
  return page('InitiateMultipartUploadResult', { Key: key, UploadId: id })
}

function putPart(
  { isForgetful }: Bucket,
  { parts }: MultipartUpload,
  { request: { query, headers }, body }: { readonly request: S3Request; readonly body: Buffer },
): Answer {
  const sum = headers['content-md5']
  const md5 = hashed('md5', body)
  if (sum !== undefined && sum !== md5.toString('base64'))
    throw new S3Fault(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.')
  const bytes = isForgetful ? Buffer.alloc(0) : body
  parts.set(Number(query.get('partNumber')), { bytes, size: body.length, md5, sha256: hashed('sha256', body) })
  return { status: 200, headers: { etag: `"${md5.toString('hex')}"` } }
}

/** As Ceph answers: it names a next page behind the last, too. */
function listParts({ key, id, parts }: MultipartUpload, { query }: S3Request): Answer {
  const marker = Number(query.get('part-number-marker') ?? 0)
  const rows = [...parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b)
  const Part = rows.map(([at, { md5, size }]) => ({ PartNumber: at, ETag: `"${md5.toString('hex')}"`, Size: size }))
  const NextPartNumberMarker = rows.at(-1)?.[0] ?? 0
  return page('ListPartsResult', { Key: key, UploadId: id, IsTruncated: false, NextPartNumberMarker, Part })
}

function listUploads(bucket: Bucket, prefix: string): Answer {
  const found = [...bucket.uploads.values()].filter(({ key }) => key.startsWith(prefix))
  const Upload = found.map(({ key, id, initiated }) => ({ Key: key, UploadId: id, Initiated: initiated.toISOString() }))
  return page('ListMultipartUploadsResult', { IsTruncated: false, Upload })
}

function complete(
  bucket: Bucket,
  { id, parts }: MultipartUpload,
  { request, body }: { readonly request: S3Request; readonly body: Buffer },
): Answer {
  const [numbers, etags] = [textsOf(body.toString(), 'PartNumber'), textsOf(body.toString(), 'ETag')]
  const chosen = numbers.map((number, at) => {
    const part = parts.get(Number(number))
    if (!part || `"${part.md5.toString('hex')}"` !== etags[at])
      throw new S3Fault(400, 'InvalidPart', 'One or more of the specified parts could not be found.')
    return part
  })
  bucket.received = chosen.map(({ sha256 }) => sha256)
  const { headers = {} } = putObject(bucket, request, Buffer.concat(chosen.map(({ bytes }) => bytes)))
  bucket.uploads.delete(id)
  const answer = page('CompleteMultipartUploadResult', { Key: request.key, ETag: headers.etag })
  return { ...answer, headers: { ...answer.headers, ...headers } }
}
