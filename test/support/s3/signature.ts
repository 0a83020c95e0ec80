import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { denied, S3Fault } from './fault.ts'
import { encoded, type S3Request } from './request.ts'

/** Who may ask. */
export interface User {
  readonly secret: string
  /** Of a session: it has to be sent along. */
  readonly token?: string
  readonly isExpired?: boolean
}

/** What a request was signed for. */
interface Signed {
  readonly region: string
}

interface Claim {
  readonly credential: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  readonly date: string
  readonly token: string | undefined
  readonly payload: string
}

/** Milliseconds that a clock may differ. */
const SKEW = 15 * 60_000

/**
 * Verifies the signature, version 4, of headers. Undefined for a request without one.
 *
 * @throws S3Fault as S3 does.
 */
export function verified(request: S3Request, users: ReadonlyMap<string, User>, now: number): Signed | undefined {
  const claim = headerClaim(request, now)
  if (!claim) return undefined
  const [accessKey = '', day = '', region = '', service = '', end = ''] = claim.credential.split('/')
  const user = users.get(accessKey)
  if (!user) throw invalidKey(accessKey)
  const scope = [day, region, service, end].join('/')
  const signingKey = [day, region, service, end].reduce<Buffer>(hmac, Buffer.from(`AWS4${user.secret}`))
  const text = stringToSign(claim, scope, canonical(request, claim))
  const expected = hmac(signingKey, text).toString('hex')
  if (!isSame(expected, claim.signature)) throw mismatch(accessKey, text)
  if (user.token !== claim.token)
    throw new S3Fault(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.')
  if (user.isExpired) throw new S3Fault(400, 'ExpiredToken', 'The provided token has expired.')
  return { region }
}

function headerClaim({ headers }: S3Request, now: number): Claim | undefined {
  const { authorization } = headers
  if (authorization === undefined) return undefined
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    authorization,
  )
  if (!match) throw new S3Fault(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed.')
  const [, credential = '', names = '', signature = ''] = match
  const signedHeaders = names.split(';')
  const unsigned = Object.keys(headers).find((name) => /^(x-amz-|host$)/.test(name) && !signedHeaders.includes(name))
  if (unsigned) throw denied(`There were headers present in the request which were not signed: ${unsigned}`)
  const date = one(headers['x-amz-date'])
  if (Math.abs(timeOf(date) - now) > SKEW) throw skewed(date, now)
  const payload = one(headers['x-amz-content-sha256'])
  if (payload === '')
    throw new S3Fault(400, 'InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
  return { credential, signedHeaders, signature, date, token: headers['x-amz-security-token']?.toString(), payload }
}

function canonical({ method, path, query, headers }: S3Request, { signedHeaders, payload }: Claim): string {
  const parameters = [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const lines = signedHeaders.map((name) => `${name}:${one(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  return [method, encoded(path, '/'), parameters.join('&'), lines.join(''), signedHeaders.join(';'), payload].join('\n')
}

function stringToSign({ date }: Claim, scope: string, request: string): string {
  return ['AWS4-HMAC-SHA256', date, scope, sha256(request)].join('\n')
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function one(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}

/** `20260102T030405Z`, in milliseconds. */
function timeOf(date: string): number {
  const time = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Number.isNaN(time)) throw denied('AWS authentication requires a valid Date or x-amz-date header')
  return time
}

function invalidKey(accessKey: string): S3Fault {
  const message = 'The AWS Access Key Id you provided does not exist in our records.'
  return new S3Fault(403, 'InvalidAccessKeyId', message, { details: { AWSAccessKeyId: accessKey } })
}

function mismatch(accessKey: string, text: string): S3Fault {
  const message =
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.'
  return new S3Fault(403, 'SignatureDoesNotMatch', message, {
    details: { AWSAccessKeyId: accessKey, StringToSign: text },
  })
}

function skewed(date: string, now: number): S3Fault {
  const message = 'The difference between the request time and the current time is too large.'
  const details = { RequestTime: date, ServerTime: new Date(now).toISOString() }
  return new S3Fault(403, 'RequestTimeTooSkewed', message, { details })
}
