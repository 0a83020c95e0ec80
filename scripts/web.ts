import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** Files that become smaller. */
const PACKED = 'dist/web/assets/*.{js,mjs,css,svg}'

/** Bytes below which it is not worth it. */
const LEAST = 1_024

/** Near the best, in a tenth of its time. */
const QUALITY = 9

/** Builds the web UI into dist/web/, its assets as brotli alone: the server unpacks one for who asks for another form. */
export async function buildWeb(): Promise<void> {
  const vite = createRequire(join(process.cwd(), 'web/package.json')).resolve('vite/package.json')
  const bin = join(dirname(vite), 'bin/vite.js')
  // Whoever runs the build, tests too: React without its checks.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [bin, 'build', '--logLevel', 'warn'], { cwd: 'web', env })
  await Promise.all(globSync(PACKED).map(packed))
}

async function packed(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < LEAST) return
  await writeFile(
    `${file}.br`,
    await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  )
  await rm(file)
}
