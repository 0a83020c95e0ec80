import type { Fragment, Left, Source, Warning } from '../../../core/flow.ts'
import { type FileBeginning, type FileCandidate, MAX_SHOWN_BYTES, type ReadCache, readBeginnings } from './beginning.ts'

/** Names that the element of each file shows besides its path. */
export interface BucketNames {
  readonly bucket: string
  /** Only for files in a package. */
  readonly package?: string
}

export interface BucketSource extends Source {
  /** The read files, by uri. */
  readonly read: ReadonlyMap<string, FileBeginning>
}

/** A source of files in a bucket or package. `find` returns files to request, the most important first, and others. */
export function bucketFiles(
  name: string,
  find: () => Promise<{ readonly candidates: readonly FileCandidate[]; readonly left: readonly Left[] }>,
  { names, beginnings }: { readonly names: BucketNames; readonly beginnings: ReadCache },
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
      const found = results.filter((one) => 'candidate' in one)
      const failed = results.filter((one) => 'why' in one)
      for (const one of found) read.set(one.candidate.uri, one)
      const failures = failed.filter(({ why }) => why !== 'missing' && why !== 'empty')
      return {
        kept: found.map((beginning) => fragmentOf(beginning, names)),
        left: [...failed, ...left],
        warnings: [...found.flatMap(warningsOf), ...failureWarnings(results.length, failures)],
      }
    },
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
    ...(size > MAX_SHOWN_BYTES && {
      cut: { to: 'part', why: 'over-limit' } as const,
      unreadBytes: size - MAX_SHOWN_BYTES,
      note: `Only its first ${MAX_SHOWN_BYTES} of ${size} bytes are loaded.`,
    }),
  }
}

function warningsOf({ candidate, size, warnings }: FileBeginning): Warning[] {
  const cut = size > MAX_SHOWN_BYTES ? [`Only the first ${MAX_SHOWN_BYTES} of its ${size} bytes are loaded.`] : []
  return [...cut, ...warnings].map((message) => ({ path: candidate.title, message }))
}

/** One warning for each file, or a single warning if all files fail for the same reason. */
function failureWarnings(results: number, failed: readonly Left[]): Warning[] {
  const [first, ...others] = failed
  const isAll = first && others.length === results - 1 && others.every(({ detail }) => detail === first.detail)
  if (isAll) return [{ path: first.title, message: `Nothing is loaded: ${first.detail}` }]
  return failed.map(({ title, detail = '' }) => ({ path: title, message: `It is not loaded: ${detail}` }))
}
