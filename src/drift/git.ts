import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { projectRootOf } from '../objects/project-root.ts'
import { relativeTo } from '../text/paths.ts'
import { type Change, History } from './history.ts'

/** Commits looked back over. */
const MOST_COMMITS = 2000
const TIMEOUT_MS = 5000
const MOST_BYTES = 64 * 1024 * 1024

/**
 * What a repository's own configuration could make git run while it reads the log is turned off: a file system monitor,
 * hooks, external diffs, text conversions, the checker of signatures.
 */
const GUARDS = [
  ...['--no-pager', '--no-optional-locks', '--literal-pathspecs'],
  ...['core.quotepath=off', 'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false'].flatMap(
    (setting) => ['-c', setting],
  ),
]
const LOG = [
  ...['log', `--max-count=${MOST_COMMITS}`, '--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-color'],
  ...['--no-relative', '-O/dev/null', '--no-merges', '--ignore-submodules=all', '--format=', '--name-status', '-z'],
  ...['--diff-filter=DR', '--find-renames', '-l1000', '--end-of-options', 'HEAD'],
]
/** Settings by which git fetches objects that it lacks, which could run anything: such a repository is not asked. */
const FETCHES = '^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$'

/**
 * What became of paths, by the git history of the repository that `root` (absolute) lies in. Undefined when there is no
 * git, no repository, no history, or no answer within five seconds.
 */
export async function historyOf(root: string, signal?: AbortSignal): Promise<History | undefined> {
  const top = projectRootOf(root)
  const ask = (args: readonly string[]) => git(top, args, signal)
  const fetches = await ask(['config', '--name-only', '--get-regexp', FETCHES])
  if (fetches.failed !== NO_SUCH_SETTING) return undefined
  const log = await ask(LOG)
  return log.failed === undefined ? new History(changesIn(log.output, relativeTo(top, root) ?? '')) : undefined
}

/** What `git config` exits with when no setting has such a name. */
const NO_SUCH_SETTING = 1

interface Answer {
  readonly output: string
  /** Undefined when it did not fail: else the exit code, or whatever says that there is none. */
  readonly failed: unknown
}

/** Runs git without a shell, and not in the tree's own directory, where a program of that name could lie. */
function git(top: string, args: readonly string[], signal: AbortSignal | undefined): Promise<Answer> {
  const options = {
    cwd: dirname(process.execPath),
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_BYTES,
    windowsHide: true,
    ...(signal && { signal }),
  } as const
  return new Promise((answer) => {
    const child = execFile('git', ['-C', top, ...GUARDS, ...args], options, (error, output) =>
      answer({ output, failed: error === null ? undefined : (error.code ?? error) }),
    )
    child.stdin?.end()
  })
}

/** `D`, path; `R097`, old path, new path; each with a NUL after it. The last change comes first. */
function changesIn(output: string, base: string): Change[] {
  const changes: Change[] = []
  const words = output.split('\0')
  for (let at = 0; at < words.length; ) {
    const status = (words[at++] ?? '').trim()
    if (status === '') continue
    const from = below(base, words[at++])
    const to = status.startsWith('R') ? below(base, words[at++]) : undefined
    if (from) changes.push({ from, to })
  }
  return changes
}

/** A path from the repository's top, seen from `base`; undefined outside it. */
function below(base: string, path = ''): string | undefined {
  return base === '' ? path : relativeTo(base, path)
}
