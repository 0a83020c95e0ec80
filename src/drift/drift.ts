import { throwIfAborted } from '../core/errors.ts'
import { openRoot } from '../files/disk.ts'
import { byCodeUnit, relativeTo } from '../text/paths.ts'
import { DriftFinder, type MissingCitation } from './lookup/finder.ts'
import type { CommitLog, CommitsRequest } from './lookup/git.ts'
import { type LookupLimits, TreeLookup } from './lookup/lookup.ts'

export type { CitationState } from './citations/structure.ts'

/** A citation of a path, command or anchor that does not exist in the project. */
export interface Drift extends Omit<MissingCitation, 'removal'> {
  /** Absolute path of the file with the citation. */
  readonly path: string
}

/** The texts to check. */
export interface DriftRequest {
  /** Absolute path of the project's root. Citations of paths outside it are not checked. */
  readonly root: string
  /** Markdown texts and their absolute paths. Files outside the root are skipped. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** Whether to read renames and removals from git, and to list the whole tree. Default: false. */
  readonly history?: boolean
  /** Time limit in milliseconds. Default: 2000; with history 30,000. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal | undefined
}

/** Limits of a check without history, which runs at every start of an agent, and must end soon even in a large tree. */
const QUICK_LIMITS: LookupLimits = { levels: 3, directories: 1000 }
const FULL_LIMITS: LookupLimits = { levels: Number.POSITIVE_INFINITY, directories: 20_000 }
/** Maximum number of citations whose age is looked up in git. */
const MAX_AGE_CHECKS = 100
const DEADLINE_MS = { quick: 2000, thorough: 30_000 }

/**
 * Finds cited paths, commands and anchors that do not exist. `drift`: the citations without duplicates, in the order of
 * file, line and citation. `unfinished`: paths of files that were not checked completely within the time limit.
 *
 * @throws ContextError as `openRoot` does for the root; `cancelled`.
 */
export async function findDrift(request: DriftRequest) {
  const { root, files, history = false, signal } = request
  const deadline = performance.now() + (request.deadlineMs ?? (history ? DEADLINE_MS.thorough : DEADLINE_MS.quick))
  const lookup = new TreeLookup(openRoot(root, { unbounded: true }), history ? FULL_LIMITS : QUICK_LIMITS)
  // The code that runs git is loaded only on demand.
  const gitHistory = history ? await (await import('./lookup/git.ts')).readGitHistory(root, signal) : undefined
  let ageChecks = 0
  const isWrittenLater = async (removal: NonNullable<MissingCitation['removal']>, file: string) => {
    if (++ageChecks > MAX_AGE_CHECKS || performance.now() >= deadline) return false
    const { isWrittenAfter } = await import('./lookup/git.ts')
    const formerPaths = gitHistory?.renames.flatMap(({ from, to }) => (to === file ? [from] : [])) ?? []
    return isWrittenAfter(root, { ...removal, files: [file, ...formerPaths] }, signal)
  }
  const finder = new DriftFinder({ lookup, history: gitHistory })
  const drift: Drift[] = []
  const unfinished: string[] = []
  for (const { path, text } of files) {
    throwIfAborted(signal)
    const relative = relativeTo(root, path)
    if (relative === undefined) continue
    const result = finder.find(relative, text, () => performance.now() >= deadline)
    for (const { removal, ...citation } of sortCitations(result.missing)) {
      // A text that was written after the removal of a path speaks of the past.
      const isPast = citation.state === 'dead' && removal !== undefined && (await isWrittenLater(removal, relative))
      drift.push({ path, ...citation, ...(isPast && { state: 'moved' }) })
    }
    if (!result.isFinished) unfinished.push(path)
  }
  return { drift, unfinished }
}

/** The last commits of the repository at `root` (absolute); undefined without a repository. */
export async function commitsOf(root: string, request: CommitsRequest): Promise<CommitLog | undefined> {
  const { readCommits } = await import('./lookup/git.ts')
  return readCommits(root, request)
}

/** The citations in the order of line and citation, without duplicates. */
function sortCitations(all: readonly MissingCitation[]): MissingCitation[] {
  const sorted = [...all].sort((a, b) => a.line - b.line || byCodeUnit(a.cited, b.cited) || byCodeUnit(a.kind, b.kind))
  return sorted.filter((citation, index) => {
    const previous = sorted[index - 1]
    return citation.line !== previous?.line || citation.message !== previous.message
  })
}
