import { describe, it } from 'vitest'
import { s3Contract } from './s3.contract.ts'

/**
 * The contract against a service that somebody runs, such as Ceph by `test/support/ceph.sh`. Its key may make buckets,
 * which are called `ambit-test-…` and are removed afterwards. Over plain HTTP, so that what runs can be counted.
 */
const {
  AMBIT_TEST_S3_ENDPOINT: url = '',
  AMBIT_TEST_S3_KEY: key = '',
  AMBIT_TEST_S3_SECRET: secret = '',
  AMBIT_TEST_S3_REGION: region = 'us-east-1',
} = process.env

describe.skipIf(url === '')('the service of AMBIT_TEST_S3_ENDPOINT', () => {
  if (url !== '') s3Contract(url, async () => ({ url, key, secret, region }))
  else it('keeps the contract', () => {})
})
