import { Readable } from 'node:stream'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { loadPackage } from '../../core/errors.ts'
import { type BucketSettings, checkEndpoint } from '../bucket-root.ts'
import { isExpired, regionIn } from './errors.ts'

/** The module of the AWS SDK for S3. */
export type Sdk = typeof import('@aws-sdk/client-s3')

/** Maximum connections: enough to request all files that may be context for a place in a bucket at the same time. */
const MAX_SOCKETS = 128
const IDLE_MS = 30_000
const CONNECT_MS = 10_000
const MAX_ATTEMPTS = 4

/** The default region. For a bucket in another region, the response names the region. */
const DEFAULT_REGION = 'us-east-1'

/** @throws ContextError `unavailable` if the SDK is not installed. */
export function loadSdk(): Promise<Sdk> {
  const need = 'Buckets of S3 need the package @aws-sdk/client-s3'
  return loadPackage(() => import('@aws-sdk/client-s3'), need, '@aws-sdk/client-s3')
}

export type S3Connection = Awaited<ReturnType<typeof connect>>

/** Maximum corrections (of the region or the credentials) of one request, because a service may redirect in circles. */
const MAX_CORRECTIONS = 2

/**
 * Makes a client of a service, without opening a connection. After a failed request, corrects region or credentials.
 */
export async function connect(sdk: Sdk, settings: S3Settings) {
  const baseClient = new sdk.S3Client(clientConfig(settings, {}))
  const region = await baseClient.config.region().catch(() => DEFAULT_REGION)
  const clientFor = (region: string) => {
    const { requestHandler } = baseClient.config
    const client = new sdk.S3Client(clientConfig(settings, { region, requestHandler }))
    checkResponses(client, settings.idleMs)
    if (settings.requesterPays) payForRequests(client)
    return { client, region }
  }
  let current = clientFor(region)
  let renewal: Promise<void> | undefined
  /** Number of searches for new credentials. */
  let renewalCount = 0

  /** Makes a client with new credentials the current client, if there are new credentials. */
  async function renewCredentials(used: typeof current): Promise<void> {
    const next = clientFor(used.region)
    if (!(await isSameIdentity(used.client, next.client)) && used === current) current = next
  }

  /** Whether to repeat a failed request with the current client. `renewalsBefore`: the number of searches before the request. */
  async function correctClient(used: typeof current, error: unknown, renewalsBefore: number): Promise<boolean> {
    if (used !== current) return true
    const otherRegion = regionIn(error)
    if (otherRegion !== undefined && otherRegion !== used.region) current = clientFor(otherRegion)
    else if (isExpired(error) && renewalCount === renewalsBefore) {
      // Simultaneous requests share one search for credentials, which may start a program or call a service.
      renewal ??= renewCredentials(used).finally(() => {
        renewal = undefined
        renewalCount++
      })
      await renewal
    }
    return used !== current
  }

  return {
    /** Runs a request with a client. Repeats the request with another client for another region or new credentials. */
    async use<T>(work: (client: S3Client) => Promise<T>): Promise<T> {
      for (let corrections = 0; ; corrections++) {
        const [used, renewalsBefore] = [current, renewalCount]
        try {
          return await work(used.client)
        } catch (error) {
          if (corrections === MAX_CORRECTIONS || !(await correctClient(used, error, renewalsBefore))) throw error
        }
      }
    },
    close: () => baseClient.destroy(),
  }
}

/** Maximum bytes of a response that counts as an error. */
const ERROR_BYTES = 64 * 1024

/** Maximum bytes of a response that the SDK reads completely: 1000 keys of a list, percent-encoded, take less than 4 MB. */
const MAX_RESPONSE_BYTES = 16_000_000

/**
 * Maximum time of a response that the SDK reads completely, as a multiple of `idleMs`. `joined`: while S3 joins the
 * parts of an object, it may send spaces for minutes.
 */
const MAX_TIMES = { joined: 20, other: 2 }

/**
 * Adds a check of responses to a client. S3 may send an error with status 200. The SDK notices such an error in lists
 * and after writes, but not in a streamed body. Therefore a short XML response to GET without an etag gets the status
 * 503, and the SDK repeats the request. Responses without an object are limited in size and time: the SDK reads them
 * completely.
 */
function checkResponses(client: S3Client, idleMs = IDLE_MS): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args)
        if (commandName === 'GetObjectCommand' && isError(result.response)) result.response.statusCode = 503
        const response: { statusCode?: unknown; body?: unknown } = Object(result.response)
        const isObject = commandName === 'GetObjectCommand' && Number(response.statusCode) < 300
        const times = MAX_TIMES[commandName === 'CompleteMultipartUploadCommand' ? 'joined' : 'other']
        if (!isObject && response.body instanceof Readable)
          response.body = Readable.from(limitedParts(response.body, times * idleMs), { objectMode: false })
        return result
      },
    // Runs before the middleware that reads the response.
    { step: 'deserialize', priority: 'low', name: 'failWhereItSays' },
  )
}

async function* limitedParts(body: AsyncIterable<Uint8Array>, ms: number): AsyncGenerator<Uint8Array> {
  const end = performance.now() + ms
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > MAX_RESPONSE_BYTES) throw new Error(`It has more than ${MAX_RESPONSE_BYTES} bytes.`)
    // The SDK repeats a request that failed with an error of this name.
    if (performance.now() > end)
      throw Object.assign(new Error(`It takes longer than ${ms} ms.`), { name: 'TimeoutError' })
    yield part
  }
}

/** Adds the header that says that the requester pays, before the request is signed, because the signature covers it. */
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
  const { statusCode, headers = {} } = Object(response)
  const { etag, 'content-type': type = '', 'content-length': length = '0' } = headers
  return statusCode === 200 && etag === undefined && type.startsWith('application/xml') && Number(length) <= ERROR_BYTES
}

async function isSameIdentity(one: S3Client, other: S3Client): Promise<boolean> {
  const [a, b] = await Promise.all([one.config.credentials(), other.config.credentials()])
  return a.accessKeyId === b.accessKeyId && a.sessionToken === b.sessionToken
}

function clientConfig(settings: S3Settings, extra: Pick<S3ClientConfig, 'region' | 'requestHandler'>): S3ClientConfig {
  const { region, endpoint, profile, credentials, idleMs = IDLE_MS } = settings
  const agent = { maxSockets: MAX_SOCKETS, keepAlive: true }
  const socketTimeout = { socketTimeout: idleMs, connectionTimeout: Math.min(idleMs, CONNECT_MS) }
  return {
    maxAttempts: settings.maxAttempts ?? MAX_ATTEMPTS,
    retryMode: 'standard',
    forcePathStyle: settings.pathStyle ?? (endpoint !== undefined && !isAmazon(endpoint)),
    // Services other than Amazon S3 may support neither the checksums that the SDK adds, nor the checksums that it requests.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { ...socketTimeout, httpAgent: agent, httpsAgent: agent },
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint: checkEndpoint(endpoint) }),
    ...(profile !== undefined && { profile }),
    ...(credentials !== undefined && { credentials }),
    ...(settings.anonymous && ANONYMOUS_CONFIG),
    ...extra,
  }
}

const ANONYMOUS_CONFIG: S3ClientConfig = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: async (request) => request },
}

function isAmazon(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(new URL(checkEndpoint(endpoint)).hostname)
}

/** A bucket and its settings. Default: from the environment and the files of AWS. */
export interface S3Settings extends BucketSettings, Pick<S3ClientConfig, 'credentials' | 'maxAttempts'> {
  readonly bucket: string
  /** Limits the objects to keys below it: `a/b` means `a/b/…`. Default: the whole bucket. */
  readonly prefix?: string
  /** Maximum milliseconds without data on a connection. Default: 30,000. */
  readonly idleMs?: number
}
