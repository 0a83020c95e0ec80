/** Translates errors of the S3 SDK into errors that say what to do, without access keys and signed data. */

import { BucketTrouble, ContextError, type ErrorCode, NoSpace, throwIfAborted } from '../../core/errors.ts'
import { oneLine } from '../../text/controls.ts'

/** The object and the service of a request, for messages. */
export interface S3Request {
  /** `s3://bucket/key`. */
  readonly place: string
  /** The host of the endpoint; undefined for Amazon's. */
  readonly host: string | undefined
  readonly isAnonymous: boolean
}

type S3Failure = readonly [code: ErrorCode, problem: string, hint?: string]

const CHECK_KEYS = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile that AWS_PROFILE names.'
const SIGN_IN = 'Sign in again (as with `aws sso login`), or set new AWS_* variables.'
const EXPIRED: S3Failure = ['denied', 'was requested with expired credentials.', SIGN_IN]
const OBJECT_CHANGED: S3Failure = ['conflict', 'was replaced.', 'Read it again.']

const CLOCK_SKEWED: S3Failure = [
  'denied',
  'was requested with a time that the service rejects.',
  'Set the clock of this machine.',
]

/** Failures by the requester's credentials or clock, by the service's error code. */
const REQUESTER_FAILURES: Readonly<Record<string, S3Failure>> = {
  InvalidAccessKeyId: ['denied', 'was requested with an access key that is unknown to the service.', CHECK_KEYS],
  SignatureDoesNotMatch: ['denied', 'was requested with a secret that does not match the access key.', CHECK_KEYS],
  InvalidToken: ['denied', 'was requested with a session token that the service rejects.', SIGN_IN],
  ExpiredToken: EXPIRED,
  ExpiredTokenException: EXPIRED,
  TokenRefreshRequired: EXPIRED,
  RequestExpired: EXPIRED,
  RequestTimeTooSkewed: CLOCK_SKEWED,
  RequestInTheFuture: CLOCK_SKEWED,
}

/** Failures by the requested object, by the service's error code. */
const OBJECT_FAILURES: Readonly<Record<string, S3Failure>> = {
  NoSuchKey: ['not-found', 'does not exist.'],
  NoSuchVersion: ['not-found', 'has no such version.'],
  MethodNotAllowed: ['not-found', 'was deleted in this version.'],
  NoSuchBucket: ['not-found', 'cannot be accessed: there is no such bucket.', 'Check the name and the endpoint.'],
  InvalidBucketName: ['not-found', 'cannot be accessed: no bucket can have this name.', 'Check the name.'],
  PreconditionFailed: OBJECT_CHANGED,
  ConditionalRequestConflict: ['conflict', 'is being written by another process.', 'Read it again.'],
  KeyTooLongError: ['invalid-input', 'has a key that is too long.', 'A key has 1,024 bytes at most.'],
  InvalidObjectState: [
    'unavailable',
    'is in an archive, and cannot be read now.',
    'Have it restored first: aws s3api restore-object. That takes hours.',
  ],
  EntityTooLarge: ['over-limit', 'is larger than the service accepts in one request.'],
}

const KMS_DENIED: S3Failure = [
  'denied',
  'is encrypted with a key of KMS that these credentials may not use.',
  'They need kms:Decrypt for the key of the bucket, besides s3:GetObject.',
]

/** Codes of several services for a full disk or an exhausted quota. */
const FULL_CODES: ReadonlySet<string> = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** Codes about the whole bucket. */
const BUCKET_CODES: ReadonlySet<string> = new Set(['NoSuchBucket', 'InvalidBucketName'])

/** Failures by status, for responses without a code, such as every response to HEAD. */
const STATUS_FAILURES: Readonly<Record<number, S3Failure>> = {
  404: ['not-found', 'does not exist.'],
  405: ['not-found', 'was deleted in this version.'],
  412: OBJECT_CHANGED,
}

/** Runs a request of a bucket. @throws ContextError `cancelled`, or for the failure. */
export async function withBucketErrors<T>(request: S3Request, signal: AbortSignal | undefined, work: () => Promise<T>) {
  try {
    throwIfAborted(signal)
    return await work()
  } catch (error) {
    throwIfAborted(signal)
    throw error instanceof ContextError ? error : toContextError(error, request)
  }
}

/** The error of the SDK does not become the cause, because it contains the signed request and the service's message about it. */
function toContextError(error: unknown, request: S3Request): ContextError {
  if (!(error instanceof Error)) throw error
  const status = serviceStatus(error)
  const { name } = error
  const { place } = request
  const requesterFailure = REQUESTER_FAILURES[name] ?? credentialsFailure(error)
  if (!requesterFailure && (status === 507 || FULL_CODES.has(name))) {
    return new NoSpace(`${place} could not be written: the service has no room left for it (${serviceCode(error)}).`)
  }
  const failure =
    requesterFailure ?? OBJECT_FAILURES[name] ?? accessFailure(error, request) ?? STATUS_FAILURES[status ?? 0]
  const [code, problem, hint] = failure ?? serviceFailure(error, request)
  const Problem = requesterFailure || BUCKET_CODES.has(name) ? BucketTrouble : ContextError
  return new Problem(code, `${place} ${problem}`, hint === undefined ? {} : { hint })
}

/** The failure for missing credentials; undefined for other errors. */
function credentialsFailure({ name, message }: Error): S3Failure | undefined {
  if (!/^(CredentialsProvider|TokenProvider)Error$/.test(name)) return undefined
  if (/\bSSO\b|aws sso login/i.test(message))
    return ['denied', 'cannot be requested: you are not signed in to SSO.', SIGN_IN_TO_SSO]
  const isExpired = /expired/i.test(message)
  const why = isExpired ? 'the credentials have expired.' : 'there are no credentials.'
  return ['denied', `cannot be requested: ${why}`, isExpired ? SIGN_IN : SET_CREDENTIALS]
}

/** The failure for a request that the service denies, or for a key of KMS; undefined for other errors. */
function accessFailure(error: Error, { isAnonymous }: S3Request): S3Failure | undefined {
  if (/^KMS\.|^kms:/i.test(error.name) || /\bkms:\w+|KMS key/i.test(error.message)) return KMS_DENIED
  if (serviceStatus(error) !== 403 && serviceStatus(error) !== 401) return undefined
  if (isAnonymous) return ['denied', 'is not public.', 'Give credentials, and unset AMBIT_S3_ANONYMOUS.']
  return ['denied', `is denied to these credentials (${serviceCode(error)}).`, PERMISSIONS]
}

const SIGN_IN_TO_SSO = 'Sign in: aws sso login, with --profile NAME if AWS_PROFILE or the configuration names one.'
const SET_CREDENTIALS = `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; or AMBIT_S3_ANONYMOUS=1 for a public bucket.`
const PERMISSIONS =
  'They need s3:GetObject and s3:ListBucket; without the second, S3 denies objects that do not exist, too. If the ' +
  'requester pays, set requesterPays for the bucket.'

function serviceFailure(error: Error, { host }: S3Request): S3Failure {
  const status = serviceStatus(error)
  const service = host ?? 'S3'
  if (status === 301 || status === 307 || error.name === 'AuthorizationHeaderMalformed') {
    const problem = `is in another region than the request to ${service}.`
    return ['unavailable', problem, 'Set AWS_REGION to the region of the bucket.']
  }
  if (error.name === 'TimeoutError' && codeIn(error) === undefined) {
    return ['unavailable', `could not be accessed: ${service} did not answer in time.`, TRY_AGAIN]
  }
  if (status === undefined || status < 300)
    return ['unavailable', `could not be accessed: ${service} ${connectionProblem(error)}`, ENDPOINT]
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return ['unavailable', `could not be accessed: ${service} refused the request (${serviceCode(error)}).`, ENDPOINT]
  }
  return ['unavailable', `could not be accessed: ${service} failed (${serviceCode(error)}).`, TRY_AGAIN]
}

const TRY_AGAIN = 'Try again in a moment.'
const ENDPOINT = 'Check the endpoint (AWS_ENDPOINT_URL_S3), the region, and whether the service runs.'

function connectionProblem(error: Error): string {
  const code = codeIn(error)
  if (code === 'ECONNRESET' || code === 'EPIPE') return `ended the connection (${code}).`
  if (code !== undefined) return `was not reached (${code}).`
  return `gave an answer that is not valid: ${oneLine(error.message.split('\n')[0] ?? '').slice(0, 200)}`
}

/** The code of a failed system call, such as ECONNREFUSED. */
function codeIn(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The status of the response, and the error code of the service, if any: `403 AccessDenied`. */
function serviceCode(error: Error): string {
  const status = serviceStatus(error) ?? ''
  return /^\w+$/.test(error.name) && error.name !== 'Unknown' ? `${status} ${error.name}` : `${status}`
}

/** The status of the response behind an error of the SDK. */
export function serviceStatus(error: unknown): number | undefined {
  const { httpStatusCode: status } = Object(Object(error).$metadata)
  return typeof status === 'number' ? status : undefined
}

/** The real region of a bucket, if the response names it. */
export function regionIn(error: unknown): string | undefined {
  const { $response: response, Region } = Object(error)
  const region = serviceStatus(error) === 403 ? undefined : (response?.headers?.['x-amz-bucket-region'] ?? Region)
  return typeof region === 'string' && /^[a-z0-9-]{1,40}$/.test(region) ? region : undefined
}

export function isExpired(error: unknown): boolean {
  return error instanceof Error && REQUESTER_FAILURES[error.name] === EXPIRED
}
