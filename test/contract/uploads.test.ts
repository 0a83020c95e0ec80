import { expect, it } from 'vitest'
import type { PutStreamRequest } from '../../src/files/objects.ts'
import { type Served, served } from '../files/s3-bucket.ts'
import { S3Fault } from '../support/s3/fault.ts'
import type { S3Request } from '../support/s3/request.ts'

/* What a service is asked for uploads of these sizes, whole and broken off. */

const MIB = 1 << 20
const SIZES = [0, 1, 8 * MIB, 8 * MIB + 1, 17 * MIB]

async function* pieces(total: number, last: number) {
  for (let at = 0; at < total; at += 5 * MIB)
    yield Buffer.alloc(Math.min(5 * MIB, total - at), at + 5 * MIB < total ? at / MIB : last)
}

/** The requests since one, without the ids of uploads; those of parts in their order. */
function requestsOf({ log }: Served, since: number): string[] {
  const rows = log.slice(since).map(({ method, query, status, headers }) => {
    const words = [...query].filter(([name]) => !/^uploadId$|^x-id$/i.test(name))
    const pairs = words.map((pair) => pair.filter(Boolean).join('='))
    return [method, ...pairs, headers['if-none-match'] ?? '', status].filter((one) => one !== '').join(' ')
  })
  const isPart = (row: string) => row.startsWith('PUT partNumber')
  const first = rows.findIndex(isPart)
  return [...rows.filter((row) => !isPart(row)).toSpliced(Math.max(first, 0), 0, ...rows.filter(isPart).sort())]
}

it('a service is asked for this', async () => {
  await using on = await served()
  const { troubles } = on.server
  const shown: string[] = []
  const upload = async (
    title: string,
    size: number,
    { last = 7, ...request }: PutStreamRequest & { last?: number } = {},
  ) => {
    const [objects, since] = [await on.open(), on.log.length]
    const end = await objects.putStream('a', pieces(size, last), request).then(
      (written) => JSON.stringify({ ...written, stored: on.bucket.current('a')?.bytes?.length }),
      (error) => `${error.code}: ${error.message}`,
    )
    shown.push(`# ${title}`, ...requestsOf(on, since), end)
  }
  const fails = (of: (request: S3Request) => boolean, status: number, code: string) =>
    troubles.splice(0, 9, { of, times: 99, answer: new S3Fault(status, code, 'No.') })
  const isEnd = ({ method, query }: S3Request) => method === 'POST' && query.has('uploadId')
  for (const size of SIZES) await upload(`${size} bytes`, size)
  await upload('of a known size', 17 * MIB, { size: 17 * MIB })
  fails(isEnd, 403, 'AccessDenied')
  await upload('broken off', 20 * MIB)
  troubles.length = 0
  await upload('again, with another end', 20 * MIB, { last: 8 })
  await upload('not to be replaced, and there', 9 * MIB, { if: 'absent' })
  await (await on.open()).remove('a')
  await upload('not to be replaced, and not there', 9 * MIB, { if: 'absent' })
  await (await on.open()).remove('a')
  fails(({ method, headers }) => method === 'POST' && headers['if-none-match'] !== undefined, 501, 'NotImplemented')
  await upload('not to be replaced, at a service without the condition', 9 * MIB, { if: 'absent' })
  fails(({ method, query }) => method === 'GET' && query.has('uploads'), 403, 'AccessDenied')
  await upload('where uploads are not told', 9 * MIB)
  fails(isEnd, 404, 'NoSuchUpload')
  await upload('ended by somebody else', 9 * MIB)
  await upload('stopped', 9 * MIB, { signal: AbortSignal.abort() })
  const text = shown.join('\n').replaceAll(/"version":"[^"]*"/g, '"version":"…"')
  await expect(`${text.replaceAll(on.server.url, 'URL')}\n`).toMatchFileSnapshot('snapshots/uploads.txt')
})
