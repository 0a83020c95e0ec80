/** S3 in a process of its own, so that it takes no time from who is measured. Prints where it is, then waits to be ended. */

import { Bucket } from '../../test/support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../../test/support/s3/server.ts'

const server = await s3Server()
// Buckets are made by who measures, as at any other service.
server.buckets.set('warm-up', new Bucket(REGION))
console.log(JSON.stringify({ url: server.url, key: KEY, secret: SECRET, region: REGION }))
