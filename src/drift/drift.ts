import { throwIfAborted } from '../core/errors.ts'
import { openRoot } from '../files/disk.ts'
import { byCodeUnit, relativeTo } from '../text/paths.ts'
import { DriftFinder, type Gone } from './lookup/finder.ts'
import type { CommitLog, CommitsAsked } from './lookup/git.ts'
import type { History } from './lookup/history.ts'
import { Lookup, type LookupReach } from './lookup/lookup.ts'

export type { State } from './citations/structure.ts'

/** A citation of something that does not exist in the tree. */
export interface Drift extends Omit<Gone, 'lost'> {
  /** Absolute path of the file that cites it. */
  readonly path: string
}

/** The texts to check. */
export interface DriftRequest {
  /** Absolute path of the project's root. Citations of paths outside it are not checked. */
  readonly root: string
  /** Markdown texts and their absolute paths. Files outside the root are skipped. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** Asks git for old and new names, and lists the whole tree. Default: false. */
  readonly history?: boolean
  /** Time limit in milliseconds. Default: 2000; with history 30,000. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

export interface DriftAnswer {
  /** Distinct findings, by file, line and citation. */
  readonly drift: readonly Drift[]
  /** Paths of the files that the time limit cut off. */
  readonly unfinished: readonly string[]
}

/** Limits without history, for the check at every start of an agent: it takes milliseconds even in a large tree. */
const QUICK: LookupReach = { levels: 3, directories: 1000 }
const THOROUGH: LookupReach = { levels: Number.POSITIVE_INFINITY, directories: 20_000 }
/** Maximum number of citations whose age git is asked for. */
const MAX_ASKED = 100
const DEADLINE_MS = { quick: 2000, thorough: 30_000 }

/**
 * Finds the paths, commands and anchors that texts cite and that no longer exist.
 *
 * @throws ContextError as `openRoot` does for the root; `cancelled`.
 */
export async function findDrift(request: DriftRequest): Promise<DriftAnswer> {
  const { root, files, history = false, signal } = request
  const end = performance.now() + (request.deadlineMs ?? (history ? DEADLINE_MS.thorough : DEADLINE_MS.quick))
  const lookup = new Lookup(openRoot(root, { unbounded: true }), history ? THOROUGH : QUICK)
  const past = history ? await pastOf(root, signal) : undefined
  let asked = 0
  const isAfter = async (lost: NonNullable<Gone['lost']>, file: string) => {
    if (++asked > MAX_ASKED || performance.now() >= end) return false
    const { isWrittenAfter } = await import('./lookup/git.ts')
    const former = past?.renames.flatMap(({ from, to }) => (to === file ? [from] : [])) ?? []
    return isWrittenAfter(root, { ...lost, files: [file, ...former] }, signal)
  }
  const finder = new DriftFinder({ lookup, history: past })
  const drift: Drift[] = []
  const unfinished: string[] = []
  for (const { path, text } of files) {
    throwIfAborted(signal)
    const relative = relativeTo(root, path)
    if (relative === undefined) continue
    const found = finder.find(relative, text, () => performance.now() >= end)
    for (const { lost, ...gone } of sortCitations(found.gone)) {
      const isPast = gone.state === 'dead' && lost !== undefined && (await isAfter(lost, relative))
      drift.push({ path, ...gone, ...(isPast && { state: 'moved' }) })
    }
    if (!found.finished) unfinished.push(path)
  }
  return { drift, unfinished }
}

/** The last commits of the repository at `root` (absolute); undefined without one. */
export async function commitsOf(root: string, asked: CommitsAsked): Promise<CommitLog | undefined> {
  const { readCommits } = await import('./lookup/git.ts')
  return readCommits(root, asked)
}

/** Loads the code that runs git on demand. */
async function pastOf(root: string, signal: AbortSignal | undefined): Promise<History | undefined> {
  const { historyOf } = await import('./lookup/git.ts')
  return historyOf(root, signal)
}

/** Distinct findings, by line, then by citation. */
function sortCitations(found: readonly Gone[]): Gone[] {
  const sorted = [...found].sort(
    (a, b) => a.line - b.line || byCodeUnit(a.cited, b.cited) || byCodeUnit(a.kind, b.kind),
  )
  return sorted.filter((gone, index) => {
    const before = sorted[index - 1]
    return gone.line !== before?.line || gone.message !== before.message
  })
}
