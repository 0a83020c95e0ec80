import type { Fragment, Left, Run, Selection, Source, Warning } from '../../../core/flow.ts'
import {
  type BeginningResult,
  type Beginnings,
  type Candidate,
  type FileBeginning,
  MOST_SHOWN_BYTES,
  readBeginnings,
} from './beginning.ts'

/** A file of a bucket, or of a package, that applies. */
export interface BucketContext {
  /** Seen from the root of its bucket or package. */
  readonly path: string
  /** Its text: at most the first 10,000 bytes. */
  readonly content: string
  /** ISO 8601, UTC. */
  readonly lastModified: string
  readonly scope: 'bucket' | 'package'
  readonly reason: string
}

/** The files that say what a place is for, and what names them. */
export interface BucketFiles {
  /** The most important first. */
  readonly candidates: readonly Candidate[]
  /** Candidates that are not read, and why. */
  readonly left: readonly Left[]
}

/** Names printed with each file besides its path. */
export interface BucketNames {
  readonly bucket: string
  /** Of files in a package. */
  readonly package?: string
}

/** A source that remembers the records behind its selection, by uri. */
export interface BucketSource extends Source {
  readonly contexts: ReadonlyMap<string, BucketContext>
  readonly candidates: ReadonlyMap<string, Candidate>
}

/** The files of a bucket or a package that are there, read all at once. */
export function bucketFiles(
  name: string,
  find: (run: Run) => Promise<BucketFiles>,
  { names, beginnings }: { readonly names: BucketNames; readonly beginnings: Beginnings },
): BucketSource {
  const contexts = new Map<string, BucketContext>()
  const byUri = new Map<string, Candidate>()
  return {
    name,
    kind: 'context-file',
    scope: names.package === undefined ? 'bucket' : 'package',
    contexts,
    candidates: byUri,
    async gather(_, run) {
      const { candidates, left } = await find(run)
      const results = await lookInWaves(candidates, beginnings, run.signal)
      contexts.clear()
      for (const candidate of candidates) byUri.set(candidate.uri, candidate)
      for (const one of results) {
        if ('beginning' in one) contexts.set(one.beginning.candidate.uri, contextOf(one.beginning))
      }
      return selectionOf(results, left, names)
    },
  }
}

/** Of most places there is one wave. Gives what became of each, in their order. */
async function lookInWaves(
  candidates: readonly Candidate[],
  beginnings: Beginnings,
  signal: AbortSignal | undefined,
): Promise<BeginningResult[]> {
  const became = new Map<Candidate, BeginningResult>()
  const waves = [...Map.groupBy(candidates, ({ wave }) => wave)].sort(([a], [b]) => a - b)
  for (const [, some] of waves) {
    const results = await readBeginnings(some, beginnings, signal)
    for (const [at, candidate] of some.entries()) became.set(candidate, results[at] as BeginningResult)
  }
  return candidates.flatMap((candidate) => became.get(candidate) ?? [])
}

function contextOf({ candidate, content, modifiedAt }: FileBeginning): BucketContext {
  const { path, scope, reason } = candidate
  return { path: path.slice(1), content, lastModified: modifiedAt, scope, reason }
}

function selectionOf(results: readonly BeginningResult[], left: readonly Left[], names: BucketNames): Selection {
  const beginnings = results.flatMap((one) => ('beginning' in one ? [one.beginning] : []))
  const failed = results.flatMap((one) => ('left' in one ? [one.left] : []))
  return {
    kept: beginnings.map((beginning) => fragmentOf(beginning, names)),
    left: [...failed, ...left],
    warnings: [...beginnings.flatMap(warningsOf), ...failures(results.length, failed.filter(isFailure))],
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

/** Whether somebody should look after it: that a file is not there is no failure. */
function isFailure({ why }: Left): boolean {
  return why !== 'missing' && why !== 'empty'
}

/** One warning instead of one for each file, where none may be read. */
function failures(results: number, failed: readonly Left[]): Warning[] {
  const [first, ...others] = failed
  const isAll = first && others.length === results - 1 && others.every(({ detail }) => detail === first.detail)
  return isAll ? [{ path: first.title, message: `Nothing is loaded: ${first.detail}` }] : failed.map(toWarning)
}

function toWarning({ title, detail = '' }: Left): Warning {
  return { path: title, message: `It is not loaded: ${detail}` }
}
