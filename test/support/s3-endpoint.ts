const {
  AMBIT_TEST_S3_ENDPOINT: url = '',
  AMBIT_TEST_S3_KEY: key = '',
  AMBIT_TEST_S3_SECRET: secret = '',
  AMBIT_TEST_S3_REGION: region = 'us-east-1',
} = process.env

/** A service that somebody runs, such as Ceph by `test/support/ceph.sh`; undefined where none is named. */
export const S3_ENDPOINT = url === '' ? undefined : { url, key, secret, region }
