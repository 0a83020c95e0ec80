/** Words that name places, as a server that is kept to directories takes them. */

import { resolve } from 'node:path'
import { ContextError } from '../../../core/errors.ts'
import { statOf } from '../../../files/file-version.ts'
import { type Judged, type ServedRoots, withinRoots } from '../../../files/roots.ts'

/** A place that is named by a URI is not on disk. */
const URI = /^(ambit|qfs|qmd|quilt\+s3):\/\//

/** What is written like a path on disk, or leads up. A slash alone is the place that holds everything. */
const LIKE_DISK = /^(?:\/.|\.(?:\/|$)|~)|(?:^|[/\\])\.\.(?:[/\\]|$)/

export function isUri(word: string): boolean {
  return URI.test(word)
}

export function isLikeDisk(word: string): boolean {
  return LIKE_DISK.test(word)
}

/** The URI of a place that can only be in a collection. */
export function toCollectionUri(word: string): string {
  return `ambit://${word.split('/').map(encodeURIComponent).join('/')}`
}

/** Where a relative path is seen from. */
export function baseOfRoots({ paths: [base = '.'] }: ServedRoots): string {
  return base
}

/** @throws ContextError `denied` for what does not lie in a root, links followed, whether it exists or not. */
export function pathInRoots(word: string, base: string, roots: ServedRoots): Judged {
  const judged = withinRoots(word, base, roots)
  if (!judged) throw outsideRoots(word)
  return judged
}

/** A directory or file by its real path. A bare word that is neither may be the name of a collection. */
export function placeInRoots(word: string, { path, real }: Judged): string {
  if (statOf(path)) return real
  return isLikeDisk(word) || statOf(resolve(word)) ? path : word
}

export function outsideRoots(word: string): ContextError {
  const hint = 'The server shows what lies in the directories that it was started with: --root DIR.'
  return new ContextError('denied', `${JSON.stringify(word.slice(0, 200))} is not in a directory that is served.`, {
    hint,
  })
}
