import type { _Object as Listed, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import { ContextError } from '../../core/errors.ts'
import { type ListRequest, MAX_PAGE, type ObjectPage } from '../objects.ts'
import { aborting, type Bucket, infoOf, noAnswer } from './bucket.ts'

/** One page. @throws ContextError `unavailable` for a service whose pages do not end. */
export async function list(bucket: Bucket, request: ListRequest): Promise<ObjectPage> {
  const { prefix = '', delimiter, token, limit = MAX_PAGE, signal } = request
  // No key begins with what UTF-8 cannot write.
  if (!prefix.isWellFormed() || !(delimiter ?? '').isWellFormed()) return { objects: [], prefixes: [], left: [] }
  const command = new bucket.sdk.ListObjectsV2Command({
    Bucket: bucket.name,
    // XML cannot hold every character of a key.
    EncodingType: 'url',
    Prefix: bucket.base + prefix,
    MaxKeys: Math.max(1, Math.min(limit, MAX_PAGE)),
    ...(delimiter && { Delimiter: delimiter }),
    ...(token !== undefined && { ContinuationToken: token }),
  })
  return bucket.ask('', signal, async (client) => pageOf(bucket, await client.send(command, aborting(signal)), token))
}

function pageOf({ base, uri }: Bucket, answer: ListObjectsV2CommandOutput, token: string | undefined): ObjectPage {
  if (answer.Name === undefined && answer.IsTruncated === undefined) throw noAnswer()
  const { Contents = [], CommonPrefixes = [], NextContinuationToken: next, IsTruncated, EncodingType } = answer
  if (IsTruncated && (next === undefined || next === token)) {
    throw new ContextError('unavailable', `${uri} cannot be listed: the service gives the same page again.`)
  }
  const own = (text = '') => (EncodingType === 'url' ? decoded(text) : text).slice(base.length)
  const objects = Contents.map((one: Listed) => infoOf(own(one.Key), one, one.Size ?? 0))
  return {
    // The prefix itself may be an object, of those that stand for folders; below the prefix it has no name.
    objects: objects.filter(({ key }) => key !== ''),
    prefixes: CommonPrefixes.map(({ Prefix }) => own(Prefix)),
    left: [],
    ...(IsTruncated && next !== undefined && { next }),
  }
}

/** As URLs are encoded; a space is a plus, or `%20`. What is no UTF-8 is read as text with U+FFFD in it. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    const bytes = spaced.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(bytes, 'latin1').toString('utf8')
  }
}
