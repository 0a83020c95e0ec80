import { BucketTrouble, ContextError } from '../core/errors.ts'
import type { Objects } from '../files/objects.ts'
import { decode } from '../text/decode.ts'
import { gitignore, type Verdict } from '../text/gitignore.ts'
import type { Rules } from './file-filter.ts'

/** Bytes of the largest `.gitignore` that counts. */
const MOST_RULES = 1024 * 1024

/** What the `.gitignore` of a directory says; `''` is the root. One that cannot be read says nothing. */
export async function rulesAt(objects: Objects, path: string, signal: AbortSignal | undefined): Promise<Rules> {
  const key = path === '' ? '.gitignore' : `${path}/.gitignore`
  return { path, verdict: await verdictOf(objects, key, signal) }
}

async function verdictOf(objects: Objects, key: string, signal: AbortSignal | undefined): Promise<Verdict | undefined> {
  try {
    const read = await objects.read(key, { maxBytes: MOST_RULES, ...(signal === undefined ? {} : { signal }) })
    const decoded = read === 'unchanged' ? undefined : decode(read.bytes)
    return decoded === undefined || 'binary' in decoded ? undefined : gitignore(decoded.text)
  } catch (error) {
    if (!(error instanceof ContextError) || error instanceof BucketTrouble) throw error
    if (['not-found', 'denied', 'over-limit'].includes(error.code)) return undefined
    throw error
  }
}
