import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { decode } from '../../src/text/decode.ts'
import { findSecret, looksSecret } from '../../src/text/secrets.ts'

/** What a person says of a finding. */
type Judged = 'key' | 'sample'

export interface Looked {
  readonly files: number
  readonly megabytes: number
  readonly ms: number
  readonly found: readonly { readonly path: string; readonly line: number; readonly judged?: Judged }[]
}

const JUDGED: Readonly<Record<string, Judged>> = JSON.parse(
  readFileSync(new URL('judged.json', import.meta.url), 'utf8'),
)

const MOST_BYTES = 4_000_000

/** Looks for secrets in the text files of a folder, as an index does. */
export function lookThrough(folder: string): Looked {
  let [files, characters, ms] = [0, 0, 0]
  const found: Looked['found'][number][] = []
  for (const path of filesOf(folder)) {
    const decoded = decode(readFileSync(join(folder, path)))
    if ('binary' in decoded) continue
    const start = performance.now()
    const secret = findSecret(decoded.text)
    ms += performance.now() - start
    files++
    characters += decoded.text.length
    const judged = JUDGED[path]
    if (secret) found.push({ path, line: secret.line, ...(judged && { judged }) })
  }
  for (const { path, line, judged = 'not judged' } of found) console.log(`  ${path}:${line} ${judged}`)
  return { files, megabytes: characters / 1e6, ms, found }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)(?:\.git|node_modules)\//.test(path) && !looksSecret(path))
    .filter((path) => statSync(join(folder, path)).size <= MOST_BYTES)
}
