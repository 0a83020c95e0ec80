/**
 * Pushes one sparse file of so many GiB, kills the push half way, and pushes again: `node upload.ts GIB`. Prints how much memory the
 * program had, and how much was sent. The service is on loopback, checks every MD5, and keeps no more of large objects than sums.
 */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Elements, xml } from '../../test/support/s3/xml.ts'

/** Most parts that one answer lists, as of Amazon's. */
const LISTED = 1000

interface Part {
  readonly size: number
  readonly md5: string
  readonly sha256: Buffer
}

/** An object, or an upload that becomes one: large ones are known by the sums of their parts. */
interface Stored {
  readonly key: string
  readonly parts: Map<number, Part>
  bytes?: Buffer
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const objects = new Map<string, Stored>()
const uploads = new Map<string, Stored>()
let sent = 0

async function readPart(message: IncomingMessage): Promise<Part & { readonly bytes?: Buffer }> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  const small: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    md5.update(chunk)
    sha256.update(chunk)
    if (size < 1 << 20) small.push(chunk)
  }
  const sum = md5.digest()
  const given = message.headers['content-md5']
  if (size > 0 && message.method === 'PUT' && given !== sum.toString('base64')) throw new Error('BadDigest')
  return {
    size,
    md5: sum.toString('hex'),
    sha256: sha256.digest(),
    ...(size < 1 << 20 && { bytes: Buffer.concat(small) }),
  }
}

const document = (root: string, content: Elements): Answer => ({ body: xml(root, content) })
const etagOf = ({ parts }: Stored) =>
  `"${[...parts.values()]
    .map(({ md5 }) => md5)
    .join('')
    .slice(0, 32)}"`
const sizeOf = ({ parts }: Stored) => [...parts.values()].reduce((sum, { size }) => sum + size, 0)

function answer(method: string, url: URL, part: Awaited<ReturnType<typeof readPart>>): Answer {
  const [key, query] = [decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, ''), url.searchParams]
  const upload = uploads.get(query.get('uploadId') ?? '')
  if (query.has('uploadId') && upload) return answerUpload(method, upload, { query, part })
  if (query.has('uploads') && method === 'POST') {
    const id = `upload${uploads.size}`
    uploads.set(id, { key, parts: new Map() })
    return document('InitiateMultipartUploadResult', { Key: key, UploadId: id })
  }
  if (query.has('uploads')) {
    const Upload = [...uploads].map(([UploadId, { key: Key }]) => ({
      Key,
      UploadId,
      Initiated: new Date().toISOString(),
    }))
    return document('ListMultipartUploadsResult', { IsTruncated: false, Upload })
  }
  if (key === '') {
    const prefix = query.get('prefix') ?? ''
    const found = [...objects.values()].filter((one) => one.key.startsWith(prefix))
    const Contents = found.map((one) => ({ Key: one.key, Size: sizeOf(one), ETag: etagOf(one) }))
    return document('ListBucketResult', { Name: 'bucket', IsTruncated: false, Contents })
  }
  if (method === 'PUT') {
    const stored: Stored = { key, parts: new Map([[1, part]]), ...(part.bytes && { bytes: part.bytes }) }
    objects.set(key, stored)
    return { headers: { etag: etagOf(stored) } }
  }
  const stored = objects.get(key)
  if (!stored) return { ...document('Error', { Code: 'NoSuchKey', Message: 'None.' }), status: 404 }
  const headers = { etag: etagOf(stored), 'content-length': String(sizeOf(stored)) }
  return { headers, body: stored.bytes ?? '' }
}

interface AboutUpload {
  readonly query: URLSearchParams
  readonly part: Part
}

function answerUpload(method: string, upload: Stored, { query, part }: AboutUpload): Answer {
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), part)
    sent += part.size
    return { headers: { etag: `"${part.md5}"` } }
  }
  if (method === 'POST') {
    objects.set(upload.key, upload)
    uploads.delete(query.get('uploadId') ?? '')
    return document('CompleteMultipartUploadResult', { Key: upload.key, ETag: etagOf(upload) })
  }
  const after = Number(query.get('part-number-marker') ?? 0)
  const rows = [...upload.parts].filter(([number]) => number > after).sort(([a], [b]) => a - b)
  const page = rows.slice(0, LISTED)
  return document('ListPartsResult', {
    IsTruncated: rows.length > LISTED,
    NextPartNumberMarker: page.at(-1)?.[0] ?? after,
    Part: page.map(([PartNumber, { md5, size }]) => ({ PartNumber, ETag: `"${md5}"`, Size: size })),
  })
}

const server = createServer(async (message, response) => {
  try {
    const part = await readPart(message)
    const {
      status = 200,
      headers = {},
      body = '',
    } = answer(message.method ?? '', new URL(message.url ?? '', 'http://s3'), part)
    response.writeHead(status, headers).end(message.method === 'HEAD' ? undefined : body)
  } catch {
    response.destroy()
  }
})

const GIB = Number(process.argv[2] ?? 1)
const total = GIB * 1024 ** 3
const root = mkdtempSync(join(tmpdir(), 'ambit-upload-'))
const program = join(import.meta.dirname, '../../dist/cli/bin.js')
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** @returns the most memory that the program had, in MB. */
async function push(
  isTime: () => boolean,
): Promise<{ readonly peak: number; readonly end: unknown; readonly lines: number }> {
  const args = [program, 'package', 'push', 'src', 'team/large', '--registry', 's3://bucket', '--yes', '--json']
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-east-1' }
  const env = { PATH: process.env.PATH, HOME: root, AWS_ENDPOINT_URL_S3: endpoint, ...keys }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'pipe'] })
  let [peak, lines] = [0, 0]
  child.stderr.on('data', (text) => {
    lines += String(text).split('\n').length - 1
    if (!String(text).includes('progress')) process.stderr.write(text)
  })
  const timer = setInterval(() => {
    const status = readStatus(child.pid ?? 0)
    peak = Math.max(peak, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000)
    if (isTime()) child.kill('SIGKILL')
  }, 20)
  await once(child, 'close')
  clearInterval(timer)
  return { peak: Math.round(peak), end: child.signalCode ?? child.exitCode, lines }
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

try {
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/large.bin'), 'begins')
  truncateSync(join(root, 'src/large.bin'), total)
  const killed = await push(() => sent > total / 2)
  const sentBefore = sent
  const started = performance.now()
  const resumed = await push(() => false)
  const seconds = Math.round((performance.now() - started) / 1000)
  const stored = objects.get('team/large/large.bin')
  const digest = createHash('sha256')
  for (const [, { sha256 }] of [...(stored?.parts ?? [])].sort(([a], [b]) => a - b)) digest.update(sha256)
  const hash = digest.digest('base64')
  const manifest = [...objects.values()].find(({ key }) => key.startsWith('.quilt/packages/'))?.bytes?.toString() ?? ''
  console.log({
    GIB,
    killed,
    resumed,
    seconds,
    sentBefore,
    sentAgain: sent - sentBefore,
    isHashRight: manifest.includes(hash),
  })
} finally {
  rmSync(root, { recursive: true, force: true })
  server.close()
  server.closeAllConnections()
}
