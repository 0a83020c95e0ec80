import type { Why } from '../../core/flow.ts'
import type { Objects } from '../../files/objects.ts'
import { fileFilter, readRulesAt, SKIPPED_DIRECTORIES } from '../../ingest/file-filter.ts'
import type { Collection } from '../../stores/store.ts'
import { type IgnoreRules, isIgnored } from '../../text/gitignore.ts'
import { foldersAbove, lastPathSegment } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'

/** Why something is not indexed. */
export interface OmissionReason {
  readonly why: Why
  /** A sentence. */
  readonly detail: string
}

/** Why the index omits an entry of a directory, judged by its path alone. Undefined for an entry that is indexed. */
export interface IndexRules {
  file(path: string): OmissionReason | undefined
  directory(path: string): OmissionReason | undefined
}

const exclusionFor = (detail: string): OmissionReason => ({ why: 'excluded', detail })
const IGNORED = exclusionFor('A .gitignore leaves it out.')
const SETTINGS = exclusionFor('The settings of the collection leave it out.')
const HIDDEN = exclusionFor('Its name begins with a dot: "collection add --hidden" includes such files.')
const SKIPPED = exclusionFor('Folders of this name are left out unless a pattern names them.')
const SECRET: OmissionReason = { why: 'denied', detail: 'Its name is that of a secret.' }

/** Reads the patterns of the collection, and each `.gitignore` from the root to the directory `path`. */
export async function readIndexRules(
  objects: Objects,
  { patterns, exclude }: Pick<Collection, 'patterns' | 'exclude'>,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal | undefined },
): Promise<IndexRules> {
  const filter = fileFilter({ patterns, exclude })
  const directories = [...foldersAbove(path), path]
  const ignoreRules = await Promise.all(directories.map((entry) => readRulesAt(objects, entry, signal)))
  const directoryReason = (entry: string, rulesAbove: readonly IgnoreRules[]): OmissionReason | undefined => {
    if (filter.excludesDirectory(entry))
      return SKIPPED_DIRECTORIES.includes(lastPathSegment(entry)) ? SKIPPED : filter.isHidden(entry) ? HIDDEN : SETTINGS
    return !filter.includesIgnored && isIgnored(entry, true, rulesAbove) ? IGNORED : undefined
  }
  const reasonsAbove = directories.slice(1).map((entry, at) => directoryReason(entry, ignoreRules.slice(0, at + 1)))
  const reasonAbove = reasonsAbove.find((reason) => reason !== undefined)
  return {
    directory: (entry) => reasonAbove ?? directoryReason(entry, ignoreRules),
    file: (entry) => {
      if (looksSecret(entry)) return SECRET
      if (reasonAbove) return reasonAbove
      if (!filter.file(entry)) return filter.isHidden(entry) ? HIDDEN : SETTINGS
      return !filter.includesIgnored && isIgnored(entry, false, ignoreRules) ? IGNORED : undefined
    },
  }
}
