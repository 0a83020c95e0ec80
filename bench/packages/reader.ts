/** Run as a program: `node reader.ts WAY FILE` reads a manifest in one of several ways, and prints the cost as JSON. */

import { createReadStream } from 'node:fs'
import { diffOf } from '../../src/quilt/packages/diff.ts'
import { listDirectory } from '../../src/quilt/packages/directory.ts'
import { type Manifest, readLines } from '../../src/quilt/packages/manifest.ts'
import { summarizeManifest } from '../../src/quilt/packages/top-hash.ts'

/** The cost of reading. */
export interface ReadCost {
  readonly milliseconds: number
  /** Peak memory of the process in bytes. */
  readonly peak: number
}

export const WAYS = {
  'reading the file alone': async ({ open }: Manifest) => {
    let bytes = 0
    for await (const chunk of open()) bytes += chunk.length
    return bytes
  },
  'JSON.parse of each line': async ({ open }: Manifest) => {
    let keys = 0
    for await (const { texts } of readLines(open()))
      for (const text of texts) keys += Object.keys(JSON.parse(text)).length
    return keys
  },
  'top hash and totals': (manifest: Manifest) => summarizeManifest(manifest),
  'a directory': (manifest: Manifest) => listDirectory(manifest, ''),
  'a difference': (manifest: Manifest) => diffOf(manifest, { ...manifest }),
} as const

export type Way = keyof typeof WAYS

const [, , way, path] = process.argv
if (import.meta.main && way !== undefined && path !== undefined) {
  const manifest: Manifest = { name: path, open: () => createReadStream(path, { highWaterMark: 1 << 18 }) }
  const start = performance.now()
  await WAYS[way as Way](manifest)
  const milliseconds = performance.now() - start
  const cost: ReadCost = { milliseconds, peak: process.resourceUsage().maxRSS * 1024 }
  console.log(JSON.stringify(cost))
}
