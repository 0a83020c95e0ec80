import type { Fragment, Left, Selection, Source, Warning } from '../../../core/flow.ts'
import {
  type BeginningResult,
  type Beginnings,
  type Candidate,
  type FileBeginning,
  MOST_SHOWN_BYTES,
  readBeginnings,
} from './beginning.ts'

/** Names printed with each file besides its path. */
export interface BucketNames {
  readonly bucket: string
  /** Of files in a package. */
  readonly package?: string
}

/** A source that remembers what it read, by uri. */
export interface BucketSource extends Source {
  readonly read: ReadonlyMap<string, FileBeginning>
}

/** The files of a bucket or a package that are there, read all at once. `find`: the most important first; and what is not looked for. */
export function bucketFiles(
  name: string,
  find: () => Promise<{ readonly candidates: readonly Candidate[]; readonly left: readonly Left[] }>,
  { names, beginnings }: { readonly names: BucketNames; readonly beginnings: Beginnings },
): BucketSource {
  const read = new Map<string, FileBeginning>()
  return {
    name,
    kind: 'context-file',
    scope: names.package === undefined ? 'bucket' : 'package',
    read,
    async gather(_, { signal }) {
      const { candidates, left } = await find()
      const results = await readBeginnings(candidates, beginnings, signal)
      for (const one of results) if ('beginning' in one) read.set(one.beginning.candidate.uri, one.beginning)
      return selectionOf(results, left, names)
    },
  }
}

function selectionOf(results: readonly BeginningResult[], left: readonly Left[], names: BucketNames): Selection {
  const beginnings = results.flatMap((one) => ('beginning' in one ? [one.beginning] : []))
  const failed = results.flatMap((one) => ('left' in one ? [one.left] : []))
  // Somebody should look after these: that a file is not there is no failure.
  const failures = failed.filter(({ why }) => why !== 'missing' && why !== 'empty')
  return {
    kept: beginnings.map((beginning) => fragmentOf(beginning, names)),
    left: [...failed, ...left],
    warnings: [...beginnings.flatMap(warningsOf), ...failureWarnings(results.length, failures)],
  }
}

function fragmentOf({ candidate, text, size }: FileBeginning, { bucket, package: name }: BucketNames): Fragment {
  const { uri, title, path, scope } = candidate
  return {
    origin: { uri, labels: { path, scope, bucket, ...(name !== undefined && { 'package-name': name }) } },
    kind: 'context-file',
    title,
    text,
    syntax: 'markdown',
    scope,
    ...(size > MOST_SHOWN_BYTES && {
      cut: { to: 'part', why: 'over-limit' } as const,
      unreadBytes: size - MOST_SHOWN_BYTES,
      note: `Only its first ${MOST_SHOWN_BYTES} of ${size} bytes are loaded.`,
    }),
  }
}

function warningsOf({ candidate, size, warnings }: FileBeginning): Warning[] {
  const cut = size > MOST_SHOWN_BYTES ? [`Only the first ${MOST_SHOWN_BYTES} of its ${size} bytes are loaded.`] : []
  return [...cut, ...warnings].map((message) => ({ path: candidate.title, message }))
}

/** One warning instead of one for each file, where none may be read. */
function failureWarnings(results: number, failed: readonly Left[]): Warning[] {
  const [first, ...others] = failed
  const isAll = first && others.length === results - 1 && others.every(({ detail }) => detail === first.detail)
  return isAll
    ? [{ path: first.title, message: `Nothing is loaded: ${first.detail}` }]
    : failed.map(({ title, detail = '' }) => ({ path: title, message: `It is not loaded: ${detail}` }))
}
