import type { Bucket } from './bucket.ts'
import { S3Fault } from './fault.ts'
import type { Answer } from './objects.ts'
import { encoded, type S3Request } from './request.ts'
import { type Elements, xml } from './xml.ts'

/** Where a page ended: behind a key, or behind all keys that begin like a prefix. */
interface Position {
  readonly at: string
  readonly isPrefix: boolean
}

interface Asked {
  readonly prefix: string
  readonly delimiter: string
  readonly limit: number
  readonly from: Position | undefined
}

/** GET ?list-type=2. */
export function listObjects(name: string, bucket: Bucket, { query }: S3Request): Answer {
  const asked: Asked = {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    limit: limitOf(query.get('max-keys')),
    from: fromOf(query),
  }
  const { keys, prefixes, next } = pageOf(bucket, asked)
  const told = writer(query.get('encoding-type'))
  return page('ListBucketResult', {
    Name: name,
    Prefix: told(asked.prefix),
    Delimiter: asked.delimiter === '' ? undefined : told(asked.delimiter),
    StartAfter: query.has('start-after') ? told(query.get('start-after') ?? '') : undefined,
    ContinuationToken: query.get('continuation-token'),
    EncodingType: query.get('encoding-type'),
    MaxKeys: asked.limit,
    KeyCount: keys.length + prefixes.length,
    IsTruncated: next !== undefined,
    NextContinuationToken: next && tokenOf(next),
    Contents: keys.map((key) => contents(bucket, key, told)),
    CommonPrefixes: prefixes.map((prefix) => ({ Prefix: told(prefix) })),
  })
}

function contents(bucket: Bucket, key: string, told: (text: string) => string): Elements {
  const version = bucket.current(key)
  return {
    Key: told(key),
    LastModified: version?.modifiedAt.toISOString(),
    ETag: `"${version?.etag}"`,
    Size: version?.bytes?.length,
    StorageClass: 'STANDARD',
  }
}

function limitOf(asked: string | undefined): number {
  const limit = Number(asked ?? 1000)
  if (!Number.isInteger(limit) || limit < 0)
    throw new S3Fault(400, 'InvalidArgument', 'Argument maxKeys must be an integer')
  return Math.min(limit, 1000)
}

function fromOf(query: S3Request['query']): Position | undefined {
  const token = query.get('continuation-token')
  if (token !== undefined) return positionOf(token)
  const after = query.get('start-after')
  return after === undefined ? undefined : { at: after, isPrefix: false }
}

/** Nothing that a client could guess or build. */
function tokenOf({ at, isPrefix }: Position): string {
  return `1+/${Buffer.from(JSON.stringify([isPrefix, at])).toString('base64')}=`
}

function positionOf(token: string): Position {
  try {
    const [isPrefix, at] = JSON.parse(Buffer.from(token.slice(3, -1), 'base64').toString('utf8'))
    return { at, isPrefix }
  } catch {
    throw new S3Fault(400, 'InvalidArgument', 'The continuation token provided is incorrect')
  }
}

function pageOf(bucket: Bucket, { prefix, delimiter, limit, from }: Asked) {
  const keys: string[] = []
  const prefixes: string[] = []
  let last: Position | undefined
  for (const key of bucket.keys()) {
    if (!key.startsWith(prefix) || isBehind(from, key) || (last?.isPrefix && key.startsWith(last.at))) continue
    if (!bucket.current(key)) continue
    if (keys.length + prefixes.length >= limit) return { keys, prefixes, next: last }
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    last = end === -1 ? { at: key, isPrefix: false } : { at: key.slice(0, end + delimiter.length), isPrefix: true }
    if (last.isPrefix) prefixes.push(last.at)
    else keys.push(key)
  }
  return { keys, prefixes, next: undefined }
}

/** Whether a page before has given it, or passed it. */
function isBehind(from: Position | undefined, key: string): boolean {
  if (!from) return false
  if (from.isPrefix && key.startsWith(from.at)) return true
  return Buffer.compare(Buffer.from(key), Buffer.from(from.at)) <= 0
}

function writer(encoding: string | undefined): (text: string) => string {
  if (encoding === undefined) return (text) => text
  if (encoding !== 'url') throw new S3Fault(400, 'InvalidArgument', 'Invalid Encoding Method specified in Request')
  return (text) => encoded(text, '/*').replaceAll('%20', '+')
}

/** GET ?versions, in one page. */
export function listVersions(name: string, bucket: Bucket, { query }: S3Request): Answer {
  const prefix = query.get('prefix') ?? ''
  const told = writer(query.get('encoding-type'))
  const all = bucket.keys().filter((key) => key.startsWith(prefix))
  const rows = all.flatMap((key) => bucket.versions(key).map((version, at) => ({ key, version, isLatest: at === 0 })))
  const element = ({ key, version, isLatest }: (typeof rows)[number]): Elements => ({
    Key: told(key),
    VersionId: version.id,
    IsLatest: isLatest,
    LastModified: version.modifiedAt.toISOString(),
    ETag: version.bytes && `"${version.etag}"`,
    Size: version.bytes?.length,
  })
  return page('ListVersionsResult', {
    Name: name,
    Prefix: told(prefix),
    EncodingType: query.get('encoding-type'),
    MaxKeys: 1000,
    IsTruncated: false,
    Version: rows.filter(({ version }) => version.bytes).map(element),
    DeleteMarker: rows.filter(({ version }) => !version.bytes).map(element),
  })
}

export function page(root: string, content: Elements): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: xml(root, content) }
}
