/** Reads the files of collections as bytes. */

import { ContextError, invalidInput, isNotFound, quoteValue, throwIfAborted } from '../core/errors.ts'
import type { ObjectInfo, StreamRequest } from '../files/objects.ts'
import { isPlainKey } from '../ingest/bucket-tree.ts'
import type { Address } from '../text/collection-uri.ts'
import { oneLine } from '../text/controls.ts'
import { looksSecret } from '../text/secrets.ts'
import { quoteShell } from '../text/shell-quote.ts'
import { type Browser, hideRealPath } from './browse/browse.ts'

/** A file of a collection, in its version at the time of the request. */
export interface CollectionFile extends Omit<ObjectInfo, 'key'>, Address {
  /** Whether an etag certainly names the current version. */
  isCurrent(etag: string, signal?: AbortSignal): Promise<boolean>
  /** The bytes of the file. @throws ContextError `conflict` if the file was replaced. */
  stream(request?: Pick<StreamRequest, 'from' | 'length' | 'signal'>): AsyncIterable<Uint8Array>
}

/**
 * Finds a file by its collection and its exact path, whether it is indexed or not.
 *
 * @throws ContextError `not-found`; `denied` for paths that lead out of the collection, and for names of secrets; `invalid-input` for an invalid
 * path; `denied` and `unavailable` from the bucket; `cancelled`.
 */
export async function openCollectionFile(
  browser: Browser,
  { collection, path }: Address,
  signal?: AbortSignal,
): Promise<CollectionFile> {
  throwIfAborted(signal)
  if (!isPlainKey(path)) {
    const hint = 'Write it from the root of the collection, as in guides/api.md.'
    throw invalidInput(`${quoteValue(path)} is not a path of a file.`, hint)
  }
  const place = `${collection}/${oneLine(path.slice(0, 200))}`
  if (looksSecret(path)) {
    const hint = 'Files like it are not shown, so that nothing in them gets into a prompt or onto a screen.'
    throw new ContextError('denied', `${place} has the name of a secret.`, { hint })
  }
  const { source, objects } = await browser.open(collection)
  try {
    const { key: _, ...info } = await objects.head(path, { signal })
    return {
      collection,
      path,
      ...info,
      isCurrent: async (unless, signal) => (await objects.read(path, { unless, length: 0, signal })) === 'unchanged',
      stream: (request = {}) => objects.stream(path, { ...request, only: info.etag }),
    }
  } catch (error) {
    if (!isNotFound(error)) throw hideRealPath(error, { source, objects })
    const hint = `See "ambit browse ${quoteShell(collection)}".`
    throw new ContextError('not-found', `There is no file ${place}.`, { hint })
  }
}
