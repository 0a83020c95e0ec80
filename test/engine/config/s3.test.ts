import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/engine/config.ts'
import { tree } from '../../support/tree.ts'

const FILE = '.config/ambit/config.yaml'

async function configOf(environment: Readonly<Record<string, string>>, file = '') {
  using planted = tree(file === '' ? {} : { [FILE]: file })
  return await readConfig({ HOME: planted.base, ...environment })
}

const LOCAL = 'http://127.0.0.1:9000'

describe('how buckets are reached', () => {
  it.each<[string, Record<string, string>, object | undefined]>([
    ['as AWS has it where nothing is said', {}, undefined],
    [
      'by the variables of AWS',
      { AWS_ENDPOINT_URL_S3: LOCAL, AWS_REGION: 'eu-west-1' },
      { endpoint: LOCAL, region: 'eu-west-1' },
    ],
    ['by that of all services', { AWS_ENDPOINT_URL: LOCAL }, { endpoint: LOCAL }],
    [
      'by that of S3 before that of all',
      { AWS_ENDPOINT_URL_S3: LOCAL, AWS_ENDPOINT_URL: 'http://other' },
      { endpoint: LOCAL },
    ],
    [
      'not by endpoints that are to be ignored',
      { AWS_ENDPOINT_URL_S3: LOCAL, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
      undefined,
    ],
    ['by path', { AMBIT_S3_PATH_STYLE: '1' }, { pathStyle: true }],
    ['by host', { AMBIT_S3_PATH_STYLE: 'false' }, { pathStyle: false }],
    ['as nobody', { AMBIT_S3_ANONYMOUS: 'true' }, { anonymous: true }],
    ['as AWS has it where variables are empty', { AWS_REGION: '', AMBIT_S3_ANONYMOUS: '' }, undefined],
  ])('is told %s', async (_, environment, expected) => expect((await configOf(environment)).s3).toEqual(expected))

  it('is written in the file, and the environment wins', async () => {
    const file = `s3:\n  endpoint: ${LOCAL}\n  region: eu-west-1\n  profile: lab\n  pathStyle: true\n  anonymous: false\n`
    const filed = { endpoint: LOCAL, region: 'eu-west-1', profile: 'lab', pathStyle: true, anonymous: false }
    const config = await configOf({}, file)
    expect([config.s3, config.unknown]).toEqual([filed, []])
    const environment = { AWS_ENDPOINT_URL_S3: 'http://other', AWS_REGION: 'us-east-1', AMBIT_S3_PATH_STYLE: '0' }
    expect((await configOf({ ...environment, AMBIT_S3_ANONYMOUS: '1' }, file)).s3).toEqual({
      endpoint: 'http://other',
      region: 'us-east-1',
      profile: 'lab',
      pathStyle: false,
      anonymous: true,
    })
  })

  it('is written for single buckets, too', async () => {
    const file = 's3:\n  region: eu-west-1\n  buckets:\n    theirs: { profile: partner, requesterPays: true }\n'
    expect((await configOf({}, file)).s3).toEqual({
      region: 'eu-west-1',
      buckets: { theirs: { profile: 'partner', requesterPays: true } },
    })
  })

  it.each([
    [
      'a bucket with a key',
      {},
      's3:\n  buckets: { a: { secretAccessKey: sesame } }\n',
      '"secretAccessKey" of "s3" is not',
    ],
    ['a list of buckets', {}, 's3:\n  buckets: [a]\n', '"buckets" of "s3" has no names of buckets'],
    ['a switch that is none', { AMBIT_S3_PATH_STYLE: 'yes' }, '', 'AMBIT_S3_PATH_STYLE is "yes".'],
    ['another one', { AMBIT_S3_ANONYMOUS: '2' }, '', 'AMBIT_S3_ANONYMOUS is "2".'],
    ['a key in the file', {}, 's3:\n  secretAccessKey: sesame\n', '"secretAccessKey" of "s3" is not valid'],
    ['a text for a switch', {}, 's3:\n  pathStyle: "yes"\n', '"pathStyle" of "s3" is not valid'],
    ['a text for all of it', {}, 's3: http://127.0.0.1:9000\n', '"s3" of "s3" is not valid'],
  ])('is refused: %s', async (_, environment, file, message) => {
    await expect(configOf(environment, file)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(message),
    })
    await expect(configOf(environment, file)).rejects.not.toThrow('sesame')
  })
})
