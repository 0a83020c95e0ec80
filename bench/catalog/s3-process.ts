/**
 * Run as a program: an S3 service in its own process, so that it takes no time of the measured process. Prints its URL and keys.
 */

import { Bucket } from '../../test/support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../../test/support/s3/server.ts'

/** The bucket of many objects. */
const LARGE_BUCKET = 'many'

const server = await s3Server()
const many = new Bucket(REGION)
for (const [key, bytes] of objectsOf(Number(process.argv[2] ?? 0))) many.put(key, bytes, {})
server.buckets.set(LARGE_BUCKET, many)
console.log(JSON.stringify({ url: server.url, key: KEY, secret: SECRET, region: REGION }))

/** `count` objects of ten bytes. */
function* objectsOf(count: number): Generator<readonly [string, Buffer]> {
  for (let at = 0; at < count; at++) {
    yield [`run-${Math.floor(at / 1000)}/sample-${at}.txt`, Buffer.from(String(at).padStart(10, '0'))]
  }
}
