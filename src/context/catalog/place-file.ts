/** Files at places in collections, buckets and packages: whether they exist, their bytes and their text. */

import { BucketTrouble, ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { isBucketRoot } from '../../files/bucket-root.ts'
import type { Objects } from '../../files/objects.ts'
import type { ResolvedPackage } from '../../quilt/found.ts'
import type { LocatedPath } from '../../quilt/registries.ts'
import { oneLine } from '../../text/controls.ts'
import { readable } from '../../text/readable.ts'
import { looksSecret } from '../../text/secrets.ts'
import { trimEnd } from '../../text/trim.ts'

/** A file at a place. */
export interface PlaceFile {
  readonly uri: string
  /** From the root of its collection, its bucket or its package. */
  readonly path: string
  /** Bytes; null where its package does not say. */
  readonly size: number | null
  /** The whole file. Ends with the error `untrusted` where its package has another hash. */
  stream(): AsyncIterable<Uint8Array>
  /** Its beginning, without a check of its hash. */
  begin(length: number): AsyncIterable<Uint8Array>
}

/** A place in a revision of a package. */
export interface PackagePath {
  readonly found: ResolvedPackage
  /** From the root of the package; `''` is the package itself. */
  readonly path: string
}

/** Some entries of a listing. */
export interface ListedPart {
  readonly limit: number
  /** The last name of the page before. */
  readonly after?: string | undefined
}

/** Whether there is an object of a key, or any below it. What may not be looked at is taken to be there: reading says why. */
export async function isThere(objects: Objects, path: string, { signal }: Run): Promise<boolean> {
  const stop = signal ? { signal } : {}
  const plain = trimEnd(path, '/')
  const [page, isFile] = await Promise.all([
    objects.list({ prefix: `${plain}/`, limit: 1, ...stop }).catch(notThere),
    objects.head(plain, stop).catch(notThere),
  ])
  return (
    isFile !== undefined || (page !== undefined && page.objects.length + page.prefixes.length + page.left.length > 0)
  )
}

function notThere(error: unknown): undefined {
  // For an object in a bucket that does not exist, the service gives the same answer.
  if (error instanceof BucketTrouble && error.code === 'not-found') throw error
  if (error instanceof ContextError && ['not-found', 'denied', 'invalid-input'].includes(error.code)) return undefined
  throw error
}

/** Hides the path of a directory on this machine. */
export function fileError(error: unknown, uri: string, { name, objects }: LocatedPath['registry']): unknown {
  if (!(error instanceof ContextError)) return error
  const place = 'collection' in name ? name.collection : objects.uri
  if (error.code === 'not-found') {
    return new ContextError('not-found', `There is no file ${oneLine(uri)}.`, {
      hint: `List ${place} to see its files.`,
    })
  }
  if (isBucketRoot(objects.uri)) return error
  const { code, message, hint } = error
  return new ContextError(code, message.replaceAll(objects.uri, place), hint === undefined ? {} : { hint })
}

export function assertNoSecret(path: string, uri: string): void {
  if (!looksSecret(path)) return
  throw new ContextError('denied', `${oneLine(uri)} has the name of a secret.`, { hint: SECRETS })
}

const SECRETS = 'Files like it are not shown, so that nothing in them gets into a prompt or onto a screen.'

/** @throws ContextError `invalid-input` for what is no text; `denied` for one that holds a secret. */
export function plainText({ uri }: Pick<PlaceFile, 'uri'>, bytes: Uint8Array) {
  const read = readable(bytes)
  if (!read.ok && read.why === 'denied')
    throw new ContextError('denied', `${oneLine(uri)} holds a secret. ${read.detail}`, { hint: SECRETS })
  if (!read.ok)
    throw invalidInput(
      `${oneLine(uri)} is not text: ${read.detail}`,
      'Pictures and PDFs can be looked at by a preview.',
    )
  return { text: read.content, notices: read.warnings.filter((one) => /U\+FFFD/.test(one)) }
}

/** At most so many bytes, from the first on. */
export async function collectBytes(parts: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let left = most
  for await (const part of parts) {
    kept.push(part.subarray(0, left))
    left -= part.length
    if (left < 0) break
  }
  return Buffer.concat(kept)
}

export function isNotFound(error: unknown): error is ContextError {
  return error instanceof ContextError && error.code === 'not-found'
}
