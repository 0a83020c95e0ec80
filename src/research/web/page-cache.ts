/** Answers of the web that are kept between runs, in the cache directory of the user: a file for each address. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { listCacheFiles, readCacheFile, removeCacheFile, writeCacheFile } from '../../files/cache-file.ts'
import type { KeptResponse, ResponseCache } from '../../internet/fetch.ts'

/** Bytes of all pages of all owners; a page alone has at most 20 MB. */
const MOST_BYTES = 256 * 1024 * 1024

/** Pages that are written between two looks at how much there is. */
const BETWEEN = 32

/** Bytes of the line before a body: addresses, types and validators. */
const MOST_HEAD = 16 * 1024

export interface PageCacheOptions {
  /** Of the user alone; made with the first page. */
  readonly directory: string
  /** Whose pages they are: nobody sees from them what another has asked for. */
  readonly owner: string
  /** Bytes; 256 MiB. */
  readonly mostBytes?: number
}

/** Over the limit, what its server confirmed longest ago goes first. What is damaged is as if it were not there. */
export function pageCache({ directory, owner, mostBytes = MOST_BYTES }: PageCacheOptions): ResponseCache {
  const folder = join(directory, sha256(owner).slice(0, 16))
  const fileOf = (url: string) => join(folder, sha256(url))
  let written = 0
  return {
    find: (url) => readKept(fileOf(url), url),
    keep: (url, response) => {
      const head = headOf(url, response)
      if (head.length > MOST_HEAD || !writeCacheFile(fileOf(url), [head, response.fetched.bytes])) return
      if (written++ % BETWEEN === 0) removeOldest(directory, mostBytes)
    },
    forget: (url) => removeCacheFile(fileOf(url)),
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** All but the body, on one line. The hash tells a file that a machine that stopped left in part. */
function headOf(url: string, { fetched: { bytes, ...fetched }, freshness }: KeptResponse): Buffer {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(`${JSON.stringify({ asked: url, fetched, freshness, hash })}\n`)
}

function readKept(path: string, url: string): KeptResponse | undefined {
  const file = readCacheFile(path)
  const end = file?.indexOf('\n') ?? -1
  if (!file || end < 0 || end > MOST_HEAD) return undefined
  try {
    const { asked, fetched, freshness, hash } = JSON.parse(file.subarray(0, end).toString('utf8'))
    const bytes = file.subarray(end + 1)
    const isWhole = asked === url && createHash('sha256').update(bytes).digest('hex') === hash
    return isWhole ? { fetched: { ...fetched, bytes }, freshness } : undefined
  } catch {
    return undefined
  }
}

function removeOldest(directory: string, most: number): void {
  const files = listCacheFiles(directory).toSorted((a, b) => b.writtenAt - a.writtenAt)
  let sum = 0
  for (const { path, size } of files) {
    sum += size
    if (sum > most) removeCacheFile(path)
  }
}
