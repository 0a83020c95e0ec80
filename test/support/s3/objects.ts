import type { Bucket, Version } from './bucket.ts'
import { noSuchKey, S3Fault } from './fault.ts'
import type { S3Request } from './request.ts'

/** What is answered. Bytes are sent bit by bit. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: Buffer | string
}

/** GET and HEAD of an object. */
export function getObject(bucket: Bucket, { key, query, headers }: S3Request): Answer {
  const version = bucket.found(key, query.get('versionId'))
  const described = describe(bucket, version)
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match !== undefined && !includes(match, version)) throw unmet('If-Match')
  if (noneMatch !== undefined && includes(noneMatch, version)) return { status: 304, headers: described }
  const size = version.bytes.length
  const range = rangeOf(headers.range, size)
  if (!range) return { status: 200, headers: { ...described, 'content-length': size }, body: version.bytes }
  return {
    status: 206,
    headers: {
      ...described,
      'content-length': range.end - range.from,
      'content-range': `bytes ${range.from}-${range.end - 1}/${size}`,
    },
    body: version.bytes.subarray(range.from, range.end),
  }
}

function describe(bucket: Bucket, version: Version): Record<string, string> {
  return {
    ...version.headers,
    etag: `"${version.etag}"`,
    'last-modified': version.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    ...versionHeader(bucket, version),
  }
}

function versionHeader({ versioning }: Bucket, { id }: Version): Record<string, string> {
  return versioning === undefined ? {} : { 'x-amz-version-id': id }
}

function includes(condition: string, { etag }: Version): boolean {
  return condition
    .split(',')
    .map((one) => one.trim().replace(/^"|"$/g, ''))
    .some((one) => one === '*' || one === etag)
}

/** Undefined for none, and for one that is not a range: it is then ignored. @throws S3Fault for one that holds nothing. */
function rangeOf(header: string | undefined, size: number): { from: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (from < end) return { from, end }
  throw new S3Fault(416, 'InvalidRange', 'The requested range is not satisfiable', {
    headers: { 'content-range': `bytes */${size}` },
    details: { RangeRequested: header ?? '', ActualObjectSize: String(size) },
  })
}

const KEPT = /^(content-type|content-encoding|content-disposition|cache-control|x-amz-meta-.*)$/

/** Longest key, in bytes. */
const LONGEST = 1024

export function putObject(bucket: Bucket, { key, headers }: S3Request, bytes: Buffer): Answer {
  const long = Buffer.byteLength(key)
  if (long > LONGEST)
    throw new S3Fault(400, 'KeyTooLongError', 'Your key is too long', { details: { Size: String(long) } })
  const { 'if-match': asked, 'if-none-match': noneMatch } = headers
  if (asked !== undefined && bucket.ifMatch === 'unknown')
    throw new S3Fault(501, 'NotImplemented', 'If-Match is not implemented.')
  if (asked !== undefined && bucket.ifMatch === 'never') throw unmet('If-Match')
  const match = bucket.ifMatch === 'ignores' ? undefined : asked
  const current = bucket.current(key)
  if (noneMatch !== undefined && noneMatch !== '*')
    throw new S3Fault(501, 'NotImplemented', 'Only If-None-Match: * is.')
  if (noneMatch !== undefined && current) throw unmet('If-None-Match')
  if (match !== undefined && !current) throw noSuchKey(key)
  if (match !== undefined && current && !includes(match, current)) throw unmet('If-Match')
  const kept = Object.entries(headers).filter(([name]) => KEPT.test(name))
  const type = { 'content-type': 'binary/octet-stream' }
  const version = bucket.put(key, bytes, {
    ...type,
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
  })
  return { status: 200, headers: { etag: `"${version.etag}"`, ...versionHeader(bucket, version) } }
}

export function deleteObject(bucket: Bucket, { key, query }: S3Request): Answer {
  const version = bucket.delete(key, query.get('versionId'))
  if (!version) return { status: 204 }
  const mark: Record<string, string> = version.bytes ? {} : { 'x-amz-delete-marker': 'true' }
  return { status: 204, headers: { ...versionHeader(bucket, version), ...mark } }
}

function unmet(condition: string): S3Fault {
  const message = 'At least one of the pre-conditions you specified did not hold'
  return new S3Fault(412, 'PreconditionFailed', message, { details: { Condition: condition } })
}
