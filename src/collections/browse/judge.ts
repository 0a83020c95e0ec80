import type { Why } from '../../core/flow.ts'
import type { Objects } from '../../files/objects.ts'
import { fileFilter, PASSED_OVER, rulesAt } from '../../ingest/file-filter.ts'
import type { Collection } from '../../stores/store.ts'
import { type IgnoreRules, isIgnored } from '../../text/gitignore.ts'
import { foldersAbove, lastPathSegment } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'

/** Why something is not indexed. */
export interface Reason {
  readonly why: Why
  /** A sentence. */
  readonly detail: string
}

/** Says why the index omits entries of a directory, by their names alone. */
export interface Judge {
  file(path: string): Reason | undefined
  directory(path: string): Reason | undefined
}

const IGNORED: Reason = { why: 'excluded', detail: 'A .gitignore leaves it out.' }
const SETTINGS: Reason = { why: 'excluded', detail: 'The settings of the collection leave it out.' }
const HIDDEN: Reason = {
  why: 'excluded',
  detail: 'Its name begins with a dot: "collection add --hidden" takes such files.',
}
const OWN: Reason = { why: 'excluded', detail: 'Folders of this name are left out unless a pattern names them.' }
const SECRET: Reason = { why: 'denied', detail: 'Its name is that of a secret.' }

/**
 * The judge of the entries of a directory, by the patterns of the collection and each `.gitignore` from the root to the directory: one small read for
 * each level.
 */
export async function judgeAt(
  objects: Objects,
  { patterns, exclude }: Pick<Collection, 'patterns' | 'exclude'>,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal | undefined },
): Promise<Judge> {
  const belongs = fileFilter({ patterns, exclude })
  const places = [...foldersAbove(path), path]
  const rules = await Promise.all(places.map((place) => rulesAt(objects, place, signal)))
  const directory = (place: string, known: readonly IgnoreRules[]): Reason | undefined => {
    if (belongs.isLeftOut(place))
      return PASSED_OVER.includes(lastPathSegment(place)) ? OWN : belongs.isHidden(place) ? HIDDEN : SETTINGS
    return !belongs.includesIgnored && isIgnored(place, true, known) ? IGNORED : undefined
  }
  const outer = places.slice(1).map((place, at) => directory(place, rules.slice(0, at + 1)))
  const around = outer.find((reason) => reason !== undefined)
  return {
    directory: (place) => around ?? directory(place, rules),
    file: (place) => {
      if (looksSecret(place)) return SECRET
      if (around) return around
      if (!belongs.file(place)) return belongs.isHidden(place) ? HIDDEN : SETTINGS
      return !belongs.includesIgnored && isIgnored(place, false, rules) ? IGNORED : undefined
    },
  }
}
