import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { packageError } from '../../core/errors.ts'
import { type BucketSettings, checkEndpoint } from '../bucket-root.ts'
import { isExpired, regionIn } from './errors.ts'

/** The SDK, as a module. */
export type Sdk = typeof import('@aws-sdk/client-s3')

const SOCKETS = 128
const IDLE_MS = 30_000
const CONNECT_MS = 10_000
const ATTEMPTS = 4

/** The region without a setting. Buckets elsewhere name their own. */
const REGION = 'us-east-1'

/** @throws ContextError `unavailable` where the SDK is not installed. */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (cause) {
    throw packageError(cause, 'Buckets of S3 need the package @aws-sdk/client-s3', '@aws-sdk/client-s3')
  }
}

/** Asks a service, and puts right what it says of the region and of the credentials. */
export interface S3Connection {
  /** Does something with a client; again with another one when the bucket is elsewhere, or the credentials are new. */
  use<T>(work: (client: S3Client) => Promise<T>): Promise<T>
  close(): void
}

interface Current {
  readonly client: S3Client
  readonly region: string
}

/** Each is put right at most once for one request: a service that sends in circles is not followed. */
const MENDS = 2

export async function connect(sdk: Sdk, settings: S3Settings): Promise<S3Connection> {
  const first = new sdk.S3Client(configOf(settings, {}))
  const region = await first.config.region().catch(() => REGION)
  const clientFor = (region: string): Current => {
    const { requestHandler } = first.config
    const client = new sdk.S3Client(configOf(settings, { region, requestHandler }))
    failWhereItSays(client)
    if (settings.requesterPays) payForRequests(client)
    return { client, region }
  }
  let current = clientFor(region)
  let renewing: Promise<boolean> | undefined
  /** How often new credentials were looked for. */
  let looks = 0

  /** Takes new credentials, where there are some. */
  async function renewed(used: Current): Promise<boolean> {
    const next = clientFor(used.region)
    if ((await isSameIdentity(used.client, next.client)) || used !== current) return used !== current
    current = next
    return true
  }

  /** Whether another client may do better than the one that failed. `seen`: the looks before it was asked. */
  async function mended(used: Current, error: unknown, seen: number): Promise<boolean> {
    if (used !== current) return true
    const elsewhere = regionIn(error)
    if (elsewhere !== undefined && elsewhere !== used.region) current = clientFor(elsewhere)
    else if (isExpired(error) && looks === seen) {
      // Requests that are under way together look for new credentials once: that may start a program, or ask a service.
      renewing ??= renewed(used).finally(() => {
        renewing = undefined
        looks++
      })
      await renewing
    }
    return used !== current
  }

  return {
    async use(work) {
      for (let mends = 0; ; mends++) {
        const [used, seen] = [current, looks]
        try {
          return await work(used.client)
        } catch (error) {
          if (mends === MENDS || !(await mended(used, error, seen))) throw error
        }
      }
    },
    close: () => first.destroy(),
  }
}

/** Bytes of the longest error. */
const MAX_ERROR = 64 * 1024

/**
 * S3 may say 200 and mean an error. The SDK sees that in lists and after writing, but not where it gives a body as it comes.
 * An object has an etag, and an error is short XML: it is made to fail like others of its kind, so that it is asked again.
 */
function failWhereItSays(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args)
        if (commandName === 'GetObjectCommand' && isError(result.response)) result.response.statusCode = 503
        return result
      },
    // Behind what reads the answer, so that this is done before.
    { step: 'deserialize', priority: 'low', name: 'failWhereItSays' },
  )
}

/** Signed with the rest, as every header of S3 is. */
function payForRequests(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const { headers } = args.request as { readonly headers: Record<string, string> }
      headers['x-amz-request-payer'] = 'requester'
      return next(args)
    },
    { step: 'build', name: 'payForRequests' },
  )
}

function isError(response: unknown): response is { statusCode: number } {
  const { statusCode, headers = {} } = Object(response) as Partial<Answered>
  const { etag, 'content-type': type = '', 'content-length': length = '0' } = headers
  return statusCode === 200 && etag === undefined && type.startsWith('application/xml') && Number(length) <= MAX_ERROR
}

interface Answered {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

async function isSameIdentity(one: S3Client, other: S3Client): Promise<boolean> {
  const [a, b] = await Promise.all([one.config.credentials(), other.config.credentials()])
  return a.accessKeyId === b.accessKeyId && a.sessionToken === b.sessionToken
}

function configOf(settings: S3Settings, more: Pick<S3ClientConfig, 'region' | 'requestHandler'>): S3ClientConfig {
  const { region, endpoint, profile, credentials, idleMs = IDLE_MS, maxSockets = SOCKETS } = settings
  const agent = { maxSockets, keepAlive: true }
  const socketTimeout = { socketTimeout: idleMs, connectionTimeout: Math.min(idleMs, CONNECT_MS) }
  return {
    maxAttempts: settings.maxAttempts ?? ATTEMPTS,
    retryMode: 'standard',
    forcePathStyle: settings.pathStyle ?? (endpoint !== undefined && !isAmazon(endpoint)),
    // Others than Amazon know neither the checksums that the SDK would add, nor those that it would ask for.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { ...socketTimeout, httpAgent: agent, httpsAgent: agent },
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint: checkEndpoint(endpoint) }),
    ...(profile !== undefined && { profile }),
    ...(credentials !== undefined && { credentials }),
    ...(settings.anonymous && ANONYMOUS),
    ...more,
  }
}

const ANONYMOUS: S3ClientConfig = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: async (request) => request },
}

function isAmazon(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(new URL(checkEndpoint(endpoint)).hostname)
}

/** A bucket and its settings. Default: from the environment and the files of AWS. */
export interface S3Settings extends BucketSettings {
  readonly bucket: string
  /** The objects are those below it, `a/b` for `a/b/…`. Default: all of the bucket. */
  readonly prefix?: string
  /** Default: what the environment, the profile or the machine has. */
  readonly credentials?: S3Credentials
  /** Most connections. Default: 128, more than a place in a bucket has candidates. */
  readonly maxSockets?: number
  /** How long nothing may come, in milliseconds. Default: 30,000. */
  readonly idleMs?: number
  /** How often a request is sent before it fails. Default: 4. */
  readonly maxAttempts?: number
}

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}
