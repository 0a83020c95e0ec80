import { describe, it } from 'vitest'
import { s3Facts } from './s3.contract.ts'
import { S3_ENDPOINT } from './s3-endpoint.ts'

/** That our S3 in process is like a service that somebody runs: both are held against the same facts. */
describe.skipIf(S3_ENDPOINT === undefined)('the service of AMBIT_TEST_S3_ENDPOINT', () => {
  const endpoint = S3_ENDPOINT
  if (endpoint) s3Facts(endpoint.url, async () => endpoint)
  else it('has the facts that our own has', () => {})
})
