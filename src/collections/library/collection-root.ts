/** Reads the root of a new collection: a directory or a bucket, and the settings to open it. */

import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ContextError, invalidInput, quoteValue } from '../../core/errors.ts'
import {
  type BucketSettings,
  bucketRoot,
  checkEndpoint,
  isBucketRoot,
  type RootAccess,
} from '../../files/bucket-root.ts'
import { realOf, statOf } from '../../files/file-version.ts'
import { rootPath } from '../../files/root-path.ts'
import { assertInBounds } from '../../files/roots.ts'
import { looksSecret } from '../../text/secrets.ts'

/** Settings of a collection's bucket. Default: the settings of the configuration. */
export type BucketAccess = { readonly [Name in keyof BucketSettings]?: BucketSettings[Name] | undefined }

/**
 * The settings that have a value; undefined if no setting has one. @throws ContextError `invalid-input` for a directory
 * with settings, or a bad endpoint.
 */
function bucketAccess(request: BucketAccess, isBucket: boolean): BucketSettings | undefined {
  const { endpoint, region, profile, anonymous, pathStyle, requesterPays } = request
  const settings = { endpoint, region, profile, anonymous, pathStyle, requesterPays }
  const chosen = Object.entries(settings).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  if (chosen.length === 0) return undefined
  const names = chosen.map(([name]) => name).join(', ')
  if (!isBucket)
    throw invalidInput(`A directory has no ${names}: only buckets have them.`, 'Write the root as s3://BUCKET.')
  if (endpoint) checkEndpoint(endpoint)
  return Object.fromEntries(chosen)
}

/** The access settings of a root; for an existing directory, its real path. @throws as `bucketAccess`. */
export function rootAccess(root: string, request: BucketAccess): RootAccess | undefined {
  const isBucket = isBucketRoot(root)
  const access = bucketAccess(request, isBucket)
  return isBucket || statOf(root) === undefined ? access : { realPath: realOf(root) }
}

/**
 * The absolute path of an existing directory, or the address of a bucket, which need not exist.
 *
 * @throws ContextError `invalid-input`, `not-found`, `denied`.
 */
export function readRoot(path: string): string {
  if (isBucketRoot(path)) return bucketRoot(path).uri
  // A directory whose name looks like a URL needs `./` before it.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    const hint = 'The root of a collection is a directory, or a bucket: s3://BUCKET or s3://BUCKET/PREFIX.'
    throw invalidInput(`${quoteValue(path)} is not a root of a collection.`, hint)
  }
  const root = resolve(path.replace(/^~(?=\/|$)/, homedir()))
  assertInBounds(root)
  rootPath(root, false)
  return root
}

/** @throws ContextError `denied` if the root, or a directory above it, has a name that is known for secrets. */
export function assertNoSecrets(root: string): void {
  if (isBucketRoot(root) || !looksSecret(`${root}/x`)) return
  const hint = 'Name a directory of documents; --yes adds this one anyway.'
  throw new ContextError('denied', `${root} is known to hold secrets.`, { hint })
}

/** The result of `work`, or the message of its ContextError as `problem`. */
export function catchProblem<Value extends object>(work: () => Value): Value | { readonly problem: string } {
  try {
    return work()
  } catch (error) {
    if (error instanceof ContextError) return { problem: error.message }
    throw error
  }
}
