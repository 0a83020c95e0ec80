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
  readonly parts: Map<number, Buffer>
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest()

/** Undefined for a request that is about something else. @throws S3Fault. */
export function multipart(bucket: Bucket, request: S3Request, body: Buffer): Answer | undefined {
  const { method, key, query } = request
  if (key === '') return query.has('uploads') ? listUploads(bucket, query.get('prefix') ?? '') : undefined
  if (method === 'POST' && query.has('uploads')) return begin(bucket, key)
  const id = query.get('uploadId')
  if (id === undefined) return undefined
  const upload = bucket.uploads.get(id)
  if (!upload || upload.key !== key) throw new S3Fault(404, 'NoSuchUpload', 'The specified upload does not exist.')
  if (method === 'PUT') return putPart(upload, request, body)
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

function putPart({ parts }: MultipartUpload, { query, headers }: S3Request, bytes: Buffer): Answer {
  const sum = headers['content-md5']
  if (sum !== undefined && sum !== md5(bytes).toString('base64'))
    throw new S3Fault(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.')
  parts.set(Number(query.get('partNumber')), bytes)
  return { status: 200, headers: { etag: `"${md5(bytes).toString('hex')}"` } }
}

/** As Ceph answers: it names a next page behind the last, too. */
function listParts({ key, id, parts }: MultipartUpload, { query }: S3Request): Answer {
  const marker = Number(query.get('part-number-marker') ?? 0)
  const rows = [...parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b)
  const Part = rows.map(([number, bytes]) => ({
    PartNumber: number,
    ETag: `"${md5(bytes).toString('hex')}"`,
    Size: bytes.length,
  }))
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
    const bytes = parts.get(Number(number))
    if (!bytes || `"${md5(bytes).toString('hex')}"` !== etags[at])
      throw new S3Fault(400, 'InvalidPart', 'One or more of the specified parts could not be found.')
    return bytes
  })
  const { headers = {} } = putObject(bucket, request, Buffer.concat(chosen))
  bucket.uploads.delete(id)
  const answer = page('CompleteMultipartUploadResult', { Key: request.key, ETag: headers.etag })
  return { ...answer, headers: { ...answer.headers, ...headers } }
}
