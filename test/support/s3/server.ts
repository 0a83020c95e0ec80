import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenOnLoopback } from '../loopback.ts'
import { verifyBody } from './body.ts'
import type { Bucket } from './bucket.ts'
import { answered, type Buckets } from './buckets.ts'
import { denied, S3Fault } from './fault.ts'
import type { Answer } from './objects.ts'
import { parsed, type S3Request } from './request.ts'
import { type User, verified } from './signature.ts'
import { errorDocument } from './xml.ts'

/** What goes wrong with a request. */
export interface Trouble {
  /** Which requests. Default: the next one. */
  readonly of?: (request: S3Request) => boolean
  /** How many of them. Default: 1. */
  readonly times?: number
  /** Instead of what would be answered; `reset` ends the connection, `hang` says nothing, ever. */
  readonly answer?: Answer | S3Fault | 'reset' | 'hang'
  /** Of the bytes of the body, then the connection ends (`cut`), or nothing comes any more (`stall`). */
  readonly cut?: number
  readonly stall?: number
}

/** One request, as the log has it. */
export interface Logged {
  readonly method: string
  readonly path: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: IncomingMessage['headers']
  /** 0 while it is not answered, or when it never was. */
  status: number
  /** Of the body. */
  sent: number
  /** The client went away before the answer was whole. */
  wasLeft: boolean
}

/** S3 on loopback, in memory: what real ones do, as far as clients of objects see it, and what goes wrong at will. */
export interface S3Server extends AsyncDisposable {
  readonly url: string
  readonly users: Map<string, User>
  readonly buckets: Buckets
  readonly log: Logged[]
  /** Requests that are not answered yet, and connections. */
  readonly running: number
  readonly connections: number
  readonly troubles: Trouble[]
  /** Before each answer. */
  latencyMs: number
  /** Added to the clock of the server. */
  skewMs: number
  /** Says no to a request of a user that is known. */
  refuses: (request: S3Request) => boolean
  /**
   * From now on, nothing is done for requests like these. It is done when the function that is given back is called, but not
   * for a client that has left.
   */
  holdAnswers(of: (request: S3Request) => boolean): () => void
}

export const REGION = 'us-east-1'
export const KEY = 'AMBITTESTKEY00000001'
export const SECRET = 'ambit-test-secret-of-no-worth-0000000001'

/** Bytes given to the connection at a time. */
const PART = 64 * 1024

interface Hold {
  readonly of: (request: S3Request) => boolean
  readonly released: Promise<void>
}

interface State extends Omit<S3Server, 'url' | 'connections' | 'running' | 'holdAnswers' | typeof Symbol.asyncDispose> {
  running: number
  readonly holds: Set<Hold>
}

export async function s3Server(): Promise<S3Server> {
  const state: State = {
    users: new Map([[KEY, { secret: SECRET }]]),
    buckets: new Map<string, Bucket>(),
    log: [],
    troubles: [],
    latencyMs: 0,
    skewMs: 0,
    refuses: () => false,
    running: 0,
    holds: new Set<Hold>(),
  }
  const sockets = new Set<unknown>()
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => serve(state, message, response))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const at = await listenOnLoopback(server)
  return Object.defineProperties(state, {
    url: { value: at.url },
    connections: { get: () => sockets.size },
    holdAnswers: { value: (of: Hold['of']) => holdAnswers(state, of) },
    [Symbol.asyncDispose]: { value: () => at[Symbol.asyncDispose]() },
  }) as unknown as S3Server
}

async function serve(state: State, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = message
  const row: Logged = { method, path: message.url ?? '', query: new Map(), headers, status: 0, sent: 0, wasLeft: false }
  state.log.push(row)
  state.running++
  response.on('close', () => {
    state.running--
    row.wasLeft = !response.writableFinished
  })
  try {
    const parts = await message.toArray()
    const request = parsed(message, `${message.socket.localAddress}:${message.socket.localPort}`)
    Object.assign(row, { path: request.path, query: request.query })
    await Promise.all([...state.holds].filter(({ of }) => of(request)).map(({ released }) => released))
    if (response.destroyed) return
    const trouble = troubleFor(state, request)
    const answer = trouble?.answer ?? outcome(() => allowed(state, request, Buffer.concat(parts)))
    if (state.latencyMs > 0) await sleep(state.latencyMs)
    await send(response, { request, row, answer, trouble })
  } catch {
    response.destroy()
  }
}

function holdAnswers({ holds }: State, of: Hold['of']): () => void {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  const hold = { of, released }
  holds.add(hold)
  return () => {
    holds.delete(hold)
    resolve()
  }
}

function troubleFor({ troubles }: State, request: S3Request): Trouble | undefined {
  const at = troubles.findIndex(({ of }) => of === undefined || of(request))
  const trouble = troubles[at]
  if (!trouble) return undefined
  const times = (trouble.times ?? 1) - 1
  troubles.splice(at, 1, ...(times > 0 ? [{ ...trouble, times }] : []))
  return trouble
}

function outcome(work: () => Answer): Answer | S3Fault {
  try {
    return work()
  } catch (error) {
    if (error instanceof S3Fault) return error
    throw error
  }
}

function allowed(state: State, request: S3Request, raw: Buffer): Answer {
  const signed = verified(request, state.users, Date.now() + state.skewMs)
  verifyBody(request, raw)
  const bucket = state.buckets.get(request.bucket)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!signed && !(bucket?.isPublic && isRead)) throw denied()
  if (state.refuses(request)) throw denied()
  if (signed && bucket && bucket.region !== signed.region) throw elsewhere(request.bucket, bucket.region)
  return answered(state.buckets, request, raw, signed?.region ?? REGION)
}

function elsewhere(bucket: string, region: string): S3Fault {
  const message = 'The bucket you are attempting to access must be addressed using the specified endpoint.'
  const details = { Bucket: bucket, Endpoint: `${bucket}.s3.${region}.amazonaws.com` }
  return new S3Fault(301, 'PermanentRedirect', message, { headers: { 'x-amz-bucket-region': region }, details })
}

interface Sending {
  readonly request: S3Request
  readonly row: Logged
  readonly answer: Exclude<Trouble['answer'], undefined>
  readonly trouble: Trouble | undefined
}

async function send(response: ServerResponse, { request, row, answer, trouble }: Sending): Promise<void> {
  if (answer === 'hang') return
  if (answer === 'reset') throw new Error('reset')
  const { status, headers = {}, body = '' } = answer instanceof S3Fault ? told(answer, request) : answer
  row.status = status
  const bytes = Buffer.from(body)
  const length = status === 204 || status === 304 ? {} : { 'content-length': bytes.length }
  response.writeHead(status, { 'x-amz-request-id': 'AMBITTEST', ...length, ...headers })
  if (request.method === 'HEAD' || bytes.length === 0) {
    response.end()
    return
  }
  const end = trouble?.cut ?? trouble?.stall ?? bytes.length
  await pipeline(Readable.from(partsOf(bytes.subarray(0, end), row)), response, { end: end === bytes.length })
  if (trouble?.cut !== undefined) await sleep(5).then(() => response.destroy())
}

function* partsOf(bytes: Buffer, row: Logged): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART) {
    const part = bytes.subarray(at, at + PART)
    row.sent += part.length
    yield part
  }
}

/** The answer to a HEAD has no body, so its code is lost. */
function told(fault: S3Fault, { method, path }: S3Request): Answer {
  const headers = { 'content-type': 'application/xml', ...fault.headers }
  return { status: fault.status, headers, body: method === 'HEAD' ? '' : errorDocument(fault, path) }
}
