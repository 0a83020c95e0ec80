/** What a person reads of bad packages and buckets, word by word, and how often is asked for it. */

import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { S3Settings } from '../../../src/files/s3/s3.ts'
import { entryLine, failure, HEADER, packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import type { Held } from '../../support/memory-objects.ts'
import { S3Fault } from '../../support/s3/fault.ts'
import { KEY, type S3Server, SECRET } from '../../support/s3/server.ts'
import { type BucketLab, inBucket } from './labs.ts'

const made = packageOf({ 'a.txt': { text: 'one' }, 'b.bin': { text: 'a\0b' } })
const HELD: Held = { 'README.md': '# Lab\n', ...registryV1({ 'team/data': { 1680720300: made } }) }
const KEY_OF = `.quilt/packages/${made.hash}`
const MANIFEST = `s3://bucket/${KEY_OF}`
const LATEST = 's3://bucket/.quilt/named_packages/team/data/latest'

type Ask = (engine: Engine) => Promise<unknown>
const PLACE = { package: 'lab/team/data' }
const show: Ask = async (engine) => (await engine.packages()).show(PLACE, SILENT)
const ls: Ask = async (engine) => (await engine.packages()).ls(PLACE, SILENT)
const list: Ask = async (engine) => (await engine.packages()).list({ registry: 'lab' }, SILENT)
const verify: Ask = async (engine) => (await engine.packages()).verify(PLACE, SILENT)
const index: Ask = async (engine) => (await engine.library()).collections.index()
const cat =
  (path: string): Ask =>
  async (engine) =>
    (await engine.packages()).cat({ ...PLACE, path }, SILENT)

/** As a command prints it. */
async function told(work: Promise<unknown>): Promise<string> {
  const { message, hint } = await failure(work)
  return hint === undefined ? message : `${message}\n${hint}`
}

const withLines = (...lines: readonly string[]): Held => ({
  ...HELD,
  [KEY_OF]: [HEADER, ...lines].map((line) => `${line}\n`).join(''),
})

const DAMAGED = 'It is damaged or incomplete. Other revisions of the package may be intact.'
const REPLACED = 'The object was replaced or damaged after the package was created.'

it.each<readonly [string, Held, Ask, string]>([
  [
    'that its manifest is cut off',
    { ...HELD, [KEY_OF]: made.manifest.slice(0, -20) },
    show,
    `The manifest ${MANIFEST}: Line 3, the last, is cut off: it is incomplete, and has no line feed.\n${DAMAGED}`,
  ],
  [
    'which line is not JSON, and where in it',
    withLines(entryLine('a'), '{"logical_key": }'),
    show,
    `The manifest ${MANIFEST}: Line 3 is not JSON: unexpected "}" at character 17.\n${DAMAGED}`,
  ],
  [
    'which logical key comes twice, and where',
    withLines(entryLine('a'), entryLine('b'), entryLine('a')),
    show,
    `The manifest ${MANIFEST}: Line 4 has the logical key "a" of line 2 again.\n${DAMAGED}`,
  ],
  [
    'that a logical key leads out of it',
    withLines(entryLine('../a')),
    ls,
    `The manifest ${MANIFEST}: Line 2: the logical key "../a" leaves the package.\n${DAMAGED}`,
  ],
  [
    'that the manifest of a pointer is gone',
    Object.fromEntries(Object.entries(HELD).filter(([key]) => key !== KEY_OF)),
    show,
    `The pointer ${LATEST} names the manifest ${made.hash}, which does not exist.\n` +
      'The registry is incomplete: it was copied in part, or the manifest was deleted.',
  ],
  [
    'that an entry has other bytes',
    { ...HELD, 'data/a.txt': 'two' },
    cat('a.txt'),
    `"a.txt" differs from the package: its hash is 3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3, ` +
      `not "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed".\n${REPLACED}`,
  ],
  [
    'that an entry is longer',
    { ...HELD, 'data/a.txt': 'one and more' },
    cat('a.txt'),
    `"a.txt" differs from the package: it has more than 3 bytes.\n${REPLACED}`,
  ],
  [
    'that an entry is not text',
    HELD,
    cat('b.bin'),
    '"b.bin" is not text: it holds NUL bytes, and is 3 B long.\nOn a command line, send it to a file: > FILE',
  ],
])('of a package is read %s', async (_, held, ask, sentence) => {
  await using lab = await inBucket(held, { maxAttempts: 4 })
  expect(await told(ask(lab.engine))).toBe(sentence)
  // A pointer, a manifest twice where it is sorted, an entry: what is bad stays so, and is not asked for again.
  const time = lab.server.log.filter(({ path }) => path === '/bucket/' || /\/\d+$/.test(path))
  expect(lab.server.log.length - time.length).toBeLessThanOrEqual(3)
  expect(time.length).toBeLessThanOrEqual(2)
})

const SIGN_IN = 'Sign in again (as with `aws sso login`), or set new AWS_* variables.'
const MAY =
  'They need s3:GetObject and s3:ListBucket; without the second, S3 denies objects that do not exist, too. If the requester ' +
  'pays, set requesterPays for the bucket.'
const LOOK = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile that AWS_PROFILE names.'

interface Row {
  readonly what: string
  /** `%` stands for what was asked for. */
  readonly sentence: string
  readonly spoil?: (server: S3Server) => void
  readonly settings?: Partial<S3Settings>
  /** Default: 1. */
  readonly requests?: number
}

const answers = (status: number, code: string, message: string) => (server: S3Server) => {
  server.troubles.push({ answer: new S3Fault(status, code, message), times: 1000 })
}

const KMS = 'User: me is not authorized to perform: kms:Decrypt on the resource associated with this ciphertext'
const ARCHIVED = "The operation is not valid for the object's storage class"
const STRANGER = { accessKeyId: 'AMBITTESTKEYUNKNOWN0', secretAccessKey: SECRET }

const ROWS: readonly Row[] = [
  {
    what: 'that it may not be read',
    sentence: `% is denied to these credentials (403 AccessDenied).\n${MAY}`,
    spoil: (server) => {
      server.refuses = () => true
    },
  },
  {
    what: 'that its key of KMS may not be used',
    sentence:
      '% is encrypted with a key of KMS that these credentials may not use.\nThey need kms:Decrypt for the key of the bucket, besides s3:GetObject.',
    spoil: answers(403, 'AccessDenied', KMS),
  },
  {
    what: 'that it is in an archive',
    sentence:
      '% is in an archive, and cannot be read now.\nHave it restored first: aws s3api restore-object. That takes hours.',
    spoil: answers(403, 'InvalidObjectState', ARCHIVED),
  },
  {
    what: 'that the credentials have expired',
    sentence: `% was requested with expired credentials.\n${SIGN_IN}`,
    spoil: (server) => server.users.set(KEY, { secret: SECRET, isExpired: true }),
  },
  {
    what: 'that the secret is another one',
    sentence: `% was requested with a secret that does not match the access key.\n${LOOK}`,
    settings: { credentials: { accessKeyId: KEY, secretAccessKey: 'other' } },
  },
  {
    what: 'that nobody knows the key',
    sentence: `% was requested with an access key that is unknown to the service.\n${LOOK}`,
    settings: { credentials: STRANGER },
  },
  {
    what: 'that it is not for everybody',
    sentence: '% is not public.\nGive credentials, and unset AMBIT_S3_ANONYMOUS.',
    settings: { anonymous: true },
  },
  {
    what: 'that it is in another region, which is not told',
    sentence: '% is in another region than the request to HOST.\nSet AWS_REGION to the region of the bucket.',
    spoil: answers(301, 'PermanentRedirect', 'Elsewhere.'),
  },
  {
    what: 'that the service is down, after four requests',
    sentence: '% could not be accessed: HOST failed (503).\nTry again in a moment.',
    spoil: (server) => server.troubles.push({ answer: { status: 503, body: '' }, times: 1000 }),
    requests: 4,
  },
]

const LISTED = 's3://bucket'
const ASKS: readonly (readonly [string, Ask, string])[] = [
  ['a list of packages', list, LISTED],
  ['a package', show, LATEST],
  ['the check of a package', verify, LATEST],
  ['an entry', cat('a.txt'), LATEST],
  ['an index', index, LISTED],
]

describe.each(ROWS)('of a bucket is read $what', ({ sentence, spoil, settings, requests = 1 }) => {
  it.each(ASKS)('by %s', async (__, ask, place) => {
    await using lab = await inBucket(HELD, { maxAttempts: 4, ...settings })
    spoil?.(lab.server)
    const { host } = new URL(lab.server.url)
    expect(await told(ask(lab.engine))).toBe(sentence.replace('%', place).replace('HOST', host))
    expect(lab.server.log.length).toBe(requests)
  })
})

it('that nobody is signed in to SSO is told as that, with how to', async () => {
  const message = 'The SSO session associated with this profile has expired. To refresh it run aws sso login.'
  const error = Object.assign(new Error(message), { name: 'CredentialsProviderError' })
  await using lab = await inBucket(HELD, { credentials: (() => Promise.reject(error)) as never })
  expect(await told(show(lab.engine))).toBe(
    `${LATEST} cannot be requested: you are not signed in to SSO.\nSign in: aws sso login, with --profile NAME if AWS_PROFILE or the configuration names one.`,
  )
})

it.each([true, false])(
  'a bucket whose requests are paid by who asks is told so with each: %s',
  async (requesterPays) => {
    await using lab = await inBucket(HELD, { requesterPays })
    await show(lab.engine)
    const said = lab.server.log.map(({ headers }) => headers['x-amz-request-payer'])
    expect(new Set(said)).toEqual(new Set([requesterPays ? 'requester' : undefined]))
  },
)

it.each(ASKS)('of a bucket is read that there is none of this name by %s', async (_, ask) => {
  await using lab = await inBucket(HELD, { maxAttempts: 4 })
  lab.server.buckets.clear()
  const sentence = 's3://bucket cannot be accessed: there is no such bucket.\nCheck the name and the endpoint.'
  expect(await told(ask(lab.engine))).toBe(sentence)
  // Both layouts of a registry, and what is near.
  expect(lab.server.log.length).toBeLessThanOrEqual(3)
})

describe('a bucket in another region', () => {
  it('is asked there from then on: one request more, and nobody is told', async () => {
    await using lab = await inBucket(HELD, { region: 'eu-central-1' })
    const asked = await requests(lab, show)
    // The pointer, then its manifest beside the list of pointers, and the newest of these for its time.
    expect(asked).toEqual([301, 206, 200, 200, 206])
    expect(await requests(lab, show)).toEqual([206, 200, 200, 206])
  })

  async function requests(lab: BucketLab, ask: Ask): Promise<number[]> {
    lab.server.log.length = 0
    await ask(lab.engine)
    return lab.server.log.map(({ status }) => status)
  }
})

it('of a package that is asked for by its hash is read which one is broken, also in the log', async () => {
  await using lab = await inBucket(withLines('[]'))
  const broken = `The manifest s3://bucket/.quilt/packages/${made.hash}: Line 2 is not an object.`
  const packages = await lab.engine.packages()
  expect(await told(packages.show({ package: `lab/team/data@${made.hash}` }, SILENT))).toBe(`${broken}\n${DAMAGED}`)
  const { revisions } = await packages.log(PLACE, SILENT)
  expect(revisions).toMatchObject([{ hash: made.hash, message: null, problem: broken }])
})

it('of a collection that is called by its bucket is read how it is called', async () => {
  await using lab = await inBucket(HELD)
  await (await lab.engine.library()).collections.add({ name: 'a', root: 's3://bucket/part' })
  const asked = (await lab.engine.packages()).show({ package: 'bucket/team/data' }, SILENT)
  expect(await told(asked)).toBe('There is no collection "bucket".\nThe collection of s3://bucket is called lab.')
})

describe('NUL bytes', () => {
  it('in an object are no text: it is left, and the others are indexed', async () => {
    await using lab = await inBucket({ 'a.md': 'lion', 'b.md': 'lion\0' })
    const { collections } = await (await lab.engine.library()).collections.index()
    expect(collections).toMatchObject([{ added: 1, left: [{ path: 'b.md', why: 'binary' }] }])
  })

  it('in a manifest are no JSON, and are shown escaped', async () => {
    await using lab = await inBucket(withLines('{"logical_key": "a\0"}'))
    const sentence = await told(show(lab.engine))
    expect(sentence).toContain('Line 2 is not JSON')
    expect(sentence).not.toContain('\0')
  })
})

describe('credentials that expire on the way', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}.txt`, { text: `text ${at}` }]))
  const big = packageOf(many)
  const revisions = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [1680720300 + at, big]))
  const log: Ask = async (engine) => (await engine.packages()).log({ ...PLACE, limit: 40 }, SILENT)

  it.each<readonly [string, Ask, string]>([
    ['a check', verify, 'data/'],
    ['an index', index, 'data/'],
    ['a log', log, '.quilt/packages/'],
  ])('end %s, with one request for each object that is under way', async (_, ask, prefix) => {
    await using lab = await inBucket(registryV1({ 'team/data': revisions }), { maxAttempts: 4 })
    const expired = new S3Fault(400, 'ExpiredToken', 'The provided token has expired.')
    let refused = 0
    const of = ({ key }: { readonly key: string }) => key.startsWith(prefix) && ++refused > 0
    lab.server.troubles.push({ of, answer: expired, times: 1000 })
    expect(await told(ask(lab.engine))).toMatch(
      /^s3:\/\/bucket\/\S+ was requested with expired credentials\.\nSign in again/,
    )
    // 8 entries or 16 objects are under way at a time.
    expect(refused).toBeLessThan(32)
  })
})
