import { Bucket, type Versioning } from './bucket.ts'
import { S3Fault } from './fault.ts'
import { listObjects, listVersions } from './listing.ts'
import { multipart } from './multipart.ts'
import { type Answer, deleteObject, getObject, putObject } from './objects.ts'
import type { S3Request } from './request.ts'
import { textsOf } from './xml.ts'

export type Buckets = Map<string, Bucket>

/** Does what is asked, of one who may. @throws S3Fault. */
export function answered(buckets: Buckets, request: S3Request, body: Buffer, region: string): Answer {
  const { method, bucket: name, key, query } = request
  if (method === 'PUT' && key === '' && !query.has('versioning')) return createBucket(buckets, name, body, region)
  const bucket = existing(buckets, name)
  const inParts = multipart(bucket, request, body)
  if (inParts) return inParts
  if (key !== '') return onObject(bucket, request, body)
  switch (method) {
    case 'HEAD':
      return { status: 200, headers: { 'x-amz-bucket-region': bucket.region } }
    case 'DELETE':
      if (!bucket.isEmpty) throw new S3Fault(409, 'BucketNotEmpty', 'The bucket you tried to delete is not empty')
      buckets.delete(name)
      return { status: 204 }
    case 'PUT':
      bucket.versioning = textsOf(body.toString('utf8'), 'Status')[0] as Versioning
      return { status: 200 }
    default:
      return list(name, bucket, request)
  }
}

export function existing(buckets: Buckets, name: string): Bucket {
  const bucket = buckets.get(name)
  if (bucket) return bucket
  throw new S3Fault(404, 'NoSuchBucket', 'The specified bucket does not exist', { details: { BucketName: name } })
}

function onObject(bucket: Bucket, request: S3Request, body: Buffer): Answer {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return getObject(bucket, request)
  if (method === 'PUT') return putObject(bucket, request, body)
  if (method === 'DELETE') return deleteObject(bucket, request)
  throw notImplemented()
}

function list(name: string, bucket: Bucket, request: S3Request): Answer {
  const { query } = request
  if (query.has('versions')) return listVersions(name, bucket, request)
  if (query.get('list-type') === '2') return listObjects(name, bucket, request)
  throw notImplemented()
}

function createBucket(buckets: Buckets, name: string, body: Buffer, region: string): Answer {
  if (buckets.has(name)) throw new S3Fault(409, 'BucketAlreadyOwnedByYou', 'Your previous request succeeded.')
  buckets.set(name, new Bucket(textsOf(body.toString('utf8'), 'LocationConstraint')[0] ?? region))
  return { status: 200, headers: { location: `/${name}` } }
}

function notImplemented(): S3Fault {
  return new S3Fault(501, 'NotImplemented', 'A header you provided implies functionality that is not implemented.')
}
