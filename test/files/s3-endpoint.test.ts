import { describe, it } from 'vitest'
import { S3_ENDPOINT } from '../support/s3-endpoint.ts'
import { s3Contract } from './s3.contract.ts'

/**
 * The contract against a service that somebody runs, such as Ceph by `test/support/ceph.sh`. Its key may make buckets,
 * which are called `ambit-test-…` and are removed afterwards. Over plain HTTP, so that what runs can be counted.
 */
describe.skipIf(S3_ENDPOINT === undefined)('the service of AMBIT_TEST_S3_ENDPOINT', () => {
  const endpoint = S3_ENDPOINT
  if (endpoint) s3Contract(endpoint.url, async () => endpoint)
  else it('keeps the contract of objects', () => {})
})
