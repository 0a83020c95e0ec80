import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openS3 } from '../../src/files/s3/s3.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { S3Fault } from '../support/s3/fault.ts'
import { KEY, SECRET } from '../support/s3/server.ts'
import { tree } from '../support/tree.ts'
import { bytesOf } from './objects.contract.ts'
import { everyWay } from './s3.contract.ts'
import { BUCKET, type Served, served, withEnvironment } from './s3-bucket.ts'

let on: Served
beforeEach(async () => {
  on = await served()
  on.fill({ a: 'text' })
})
afterEach(() => on[Symbol.asyncDispose]())

const USER = {
  AWS_ACCESS_KEY_ID: KEY,
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_SESSION_TOKEN: undefined,
  AWS_REGION: 'us-east-1',
}

/** No credentials, wherever they are looked for. */
const NOBODY = {
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
  AWS_REGION: undefined,
  AWS_DEFAULT_REGION: undefined,
  AWS_CONFIG_FILE: '/nowhere/config',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
  AWS_EC2_METADATA_DISABLED: 'true',
}

describe('credentials', () => {
  it('and the region come from the environment', () =>
    withEnvironment(USER, async () => {
      expect(await (await on.openAsIs()).read('a')).toMatchObject({ size: 4 })
      expect(on.log[0]?.headers.authorization).toContain(`${KEY}/`)
    }))

  it('and the rest come from the profile that is named', async () => {
    using files = tree({
      config: `[profile lab]\nregion = us-east-1\nendpoint_url = ${on.server.url}\n`,
      credentials: `[lab]\naws_access_key_id = ${KEY}\naws_secret_access_key = ${SECRET}\n`,
    })
    const at = { AWS_CONFIG_FILE: files.at('config'), AWS_SHARED_CREDENTIALS_FILE: files.at('credentials') }
    await withEnvironment({ ...NOBODY, ...at }, async () => {
      expect(await (await on.openAsIs({ profile: 'lab' })).read('a')).toMatchObject({ size: 4 })
    })
    await withEnvironment({ ...NOBODY, ...at, AWS_PROFILE: 'lab' }, async () => {
      const objects = await openS3({ bucket: BUCKET, pathStyle: true })
      expect(await objects.read('a')).toMatchObject({ size: 4 })
      await objects.close()
    })
    expect(on.log).toHaveLength(2)
  })

  it('that are nowhere are missed before anything is sent', () =>
    withEnvironment(NOBODY, async () => {
      const objects = await on.openAsIs()
      for (const work of everyWay(objects)) {
        const hint = expect.stringContaining('AWS_ACCESS_KEY_ID')
        await expect(work()).rejects.toMatchObject({ code: 'denied', message: expect.stringContaining(BUCKET), hint })
      }
      expect(on.log).toEqual([])
    }))

  it('are not sent when nobody is asked for as', () =>
    withEnvironment(USER, async () => {
      on.bucket.isPublic = true
      const objects = await on.openAsIs({ anonymous: true })
      expect(await objects.read('a')).toMatchObject({ size: 4 })
      expect((await objects.list()).objects).toHaveLength(1)
      expect(on.log.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
    }))

  it.each([
    ['have expired', { isExpired: true, secret: SECRET }, /expired/, /Sign in again/],
    ['have a token that is no good', { secret: SECRET, token: 'other' }, /session token/, /Sign in again/],
    ['have another secret', { secret: 'other' }, /secret/, /AWS_SECRET_ACCESS_KEY/],
  ])('that %s are told so after one request', async (_, user, message, hint) => {
    on.server.users.set(KEY, user)
    const objects = await on.open()
    for (const work of everyWay(objects).filter((_, at) => at !== 2)) {
      const before = on.log.length
      await expect(work()).rejects.toMatchObject({
        code: 'denied',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      })
      expect(on.log.length - before).toBe(1)
    }
    const before = on.log.length
    const wave = Array.from({ length: 52 }, () => objects.read('a', { length: 10 }))
    const results = await Promise.allSettled(wave)
    expect(new Set(results.map((one) => one.status === 'rejected' && one.reason.code))).toEqual(new Set(['denied']))
    expect(on.log.length - before).toBe(52)
  })

  it('that have expired are looked up once more, and used when they are new', async () => {
    on.server.users.set('EXPIRED', { secret: SECRET, isExpired: true })
    await withEnvironment({ ...USER, AWS_ACCESS_KEY_ID: 'EXPIRED' }, async () => {
      const objects = await on.openAsIs()
      await expect(objects.read('a')).rejects.toMatchObject({ code: 'denied' })
      process.env.AWS_ACCESS_KEY_ID = KEY
      const wave = Array.from({ length: 10 }, () => objects.read('a', { length: 10 }))
      expect((await Promise.all(wave)).map((read) => read !== 'unchanged' && read.size)).toEqual(Array(10).fill(4))
      expect(on.log.length).toBeLessThanOrEqual(1 + 20)
      const before = on.log.length
      await objects.head('a')
      expect(on.log.length - before).toBe(1)
    })
  })

  it('that have expired are looked up once by all that fail together', async () => {
    using files = tree({})
    const printed = JSON.stringify({ Version: 1, AccessKeyId: 'EXPIRED', SecretAccessKey: SECRET })
    const program = `sh -c 'echo run >> "${files.at('runs')}"; cat "${files.at('printed')}"'`
    files.plant({ printed, config: `[profile lab]\nregion = us-east-1\ncredential_process = ${program}\n` })
    const runs = () => readFileSync(files.at('runs'), 'utf8').split('\n').length - 1
    on.server.users.set('EXPIRED', { secret: SECRET, isExpired: true })
    await withEnvironment({ ...NOBODY, AWS_CONFIG_FILE: files.at('config') }, async () => {
      const objects = await on.openAsIs({ profile: 'lab' })
      const wave = () => Promise.allSettled(Array.from({ length: 30 }, () => objects.read('a', { length: 10 })))
      const codes = (await wave()).map((one) => one.status === 'rejected' && one.reason.code)
      expect(new Set(codes)).toEqual(new Set(['denied']))
      expect([on.log.length, runs()]).toEqual([30, expect.toSatisfy((count: number) => count <= 4)])
      files.plant({ printed: printed.replace('EXPIRED', KEY) })
      expect((await wave()).every(({ status }) => status === 'fulfilled')).toBe(true)
    })
  })

  it('that may not do it are told what they need', async () => {
    on.server.refuses = ({ key }) => key === 'secret/a'
    const objects = await on.open()
    const hint = expect.stringContaining('s3:GetObject')
    const denied = {
      code: 'denied',
      message: `s3://${BUCKET}/secret/a is denied to these credentials (403 AccessDenied).`,
      hint,
    }
    await expect(objects.read('secret/a', { length: 10 })).rejects.toMatchObject(denied)
    // An answer to HEAD has no body: the reason is asked for once more.
    await expect(objects.head('secret/a')).rejects.toMatchObject(denied)
    expect(on.log).toHaveLength(3)
    expect(await objects.read('a')).toMatchObject({ size: 4 })
  })
})

describe('the clock', () => {
  it('may be wrong: the service tells the time', async () => {
    on.server.skewMs = 3_600_000
    const objects = await on.open()
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    const skewed = new S3Fault(403, 'RequestTimeTooSkewed', 'Too large.', { headers: { date } })
    on.server.troubles.push({ answer: skewed })
    expect(await objects.read('a')).toMatchObject({ size: 4 })
    expect(on.log).toHaveLength(2)
  })

  it('is blamed when that is no help', async () => {
    on.server.troubles.push({ answer: new S3Fault(403, 'RequestTimeTooSkewed', 'Too large.'), times: 99 })
    const objects = await on.open()
    await expect(objects.read('a')).rejects.toMatchObject({ code: 'denied', hint: 'Set the clock of this machine.' })
    expect(on.log.length).toBeLessThanOrEqual(4)
  })
})

describe('a bucket in another region', () => {
  const elsewhere = (region: string) =>
    new S3Fault(301, 'PermanentRedirect', 'Elsewhere.', { headers: { 'x-amz-bucket-region': region } })

  beforeEach(() => {
    const { bucket } = on
    Object.defineProperty(bucket, 'region', { value: 'eu-central-1' })
  })

  it('is followed there once, and asked there from then on', async () => {
    const objects = await on.open()
    for (const work of everyWay(objects).slice(0, -2)) await work()
    await objects.put('c', bytesOf('c'))
    expect(on.log.map(({ status }) => status)).toEqual([301, 200, 206, 200, 200, 200, 200])
  })

  it('is found from no region at all', () =>
    withEnvironment({ ...NOBODY, AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET }, async () => {
      expect(await (await on.openAsIs()).head('a')).toMatchObject({ size: 4 })
      expect(on.log.map(({ status }) => status)).toEqual([301, 200])
    }))

  it('is found by what the signature should have been', async () => {
    const objects = await on.open()
    const malformed = new S3Fault(400, 'AuthorizationHeaderMalformed', 'The region is wrong', {
      details: { Region: 'eu-central-1' },
    })
    on.server.troubles.push({ answer: malformed })
    expect(await objects.read('a')).toMatchObject({ size: 4 })
    expect(on.log.map(({ status }) => status)).toEqual([400, 200])
  })

  it('is not followed in circles', async () => {
    const objects = await on.open()
    const regions = ['eu-west-1', 'eu-west-2', 'eu-west-3', 'eu-north-1', 'eu-south-1']
    on.server.troubles.push(...regions.map((region) => ({ answer: elsewhere(region) })))
    await expect(objects.read('a')).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('AWS_REGION'),
    })
    expect(on.log).toHaveLength(3)
  })

  it.each(['evil.example/', 'a@b', '', 'x'.repeat(100)])('is not followed to %j', async (region) => {
    const objects = await on.open()
    on.server.troubles.push({ answer: elsewhere(region) })
    await expect(objects.read('a')).rejects.toMatchObject({ code: 'unavailable' })
    expect(on.log).toHaveLength(1)
  })

  it('is never followed to another host', async () => {
    let asked = 0
    await using other = await listenOnLoopback(createServer((_, response) => response.end(`${asked++}`)))
    const location = `${other.url}/${BUCKET}/a`
    const objects = await on.open()
    for (const status of [301, 302, 307, 308]) {
      on.server.troubles.push({ answer: new S3Fault(status, 'TemporaryRedirect', 'There.', { headers: { location } }) })
      await expect(objects.read('a')).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(asked).toBe(0)
  })
})

describe('what is said of a bucket', () => {
  it.each(['', 'localhost:9000', 'ftp://a', 'http://user:password@127.0.0.1:9', 'no address'])(
    'cannot be the endpoint %j, and a password in it is not repeated',
    async (endpoint) => {
      const error: unknown = await openS3({ bucket: BUCKET, endpoint }).catch((error: unknown) => error)
      const said = endpoint.includes('@') ? '' : ` ${JSON.stringify(endpoint)}`
      const message = `The endpoint of buckets${said} is not an address of a service.`
      expect(error).toMatchObject({
        code: 'invalid-input',
        message,
        hint: expect.stringContaining('AWS_ENDPOINT_URL_S3'),
      })
      expect(JSON.stringify([String(error), error])).not.toContain('password@')
    },
  )

  it('needs a package, and says how to install it where it is not', async () => {
    const hooks = `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name !== '@aws-sdk/client-s3') return next(name, context)
        throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
      } })`
    const module = join(import.meta.dirname, '../../src/files/s3/s3.ts')
    const program = `import { openS3 } from ${JSON.stringify(module)}
      try { await openS3({ bucket: 'ambit-test' }) } catch ({ code, message, hint }) { console.log(JSON.stringify([code, message, hint])) }`
    const hooked = `data:text/javascript,${encodeURIComponent(hooks)}`
    const node = ['--import', hooked, '--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, node)
    expect(JSON.parse(stdout)).toEqual([
      'unavailable',
      'Buckets of S3 need the package @aws-sdk/client-s3.',
      'Install it beside ambit: npm install -g @aws-sdk/client-s3 (without -g where ambit is installed in a project)',
    ])
  })
})
