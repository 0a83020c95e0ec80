import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { openRoot } from '../../files/disk.ts'
import { isDirectory } from '../../files/file-version.ts'
import { projectRootOf } from '../../files/roots.ts'
import { relativeTo } from '../../text/paths.ts'
import { type PathChange, PathHistory } from './history.ts'

/** Maximum number of commits with a rename or deletion. */
const MAX_COMMITS = 2000
const TIMEOUT_MS = 5000
const COMMITS_TIMEOUT_MS = 3000
const MAX_BYTES = 64 * 1024 * 1024
/** Maximum number of renames and deletions that are read, the latest first. */
const MAX_CHANGES = 100_000

const LOG_ARGS = `--no-pager -c core.quotepath=off log --no-ext-diff --no-textconv --no-show-signature --no-color
  --no-relative --no-merges --ignore-submodules=all -z`.split(/\s+/)
const CHANGES_OPTIONS = '--format=%x01%H --name-status --diff-filter=DR --find-renames -l1000 --end-of-options HEAD'
const CHANGES_ARGS = [...LOG_ARGS, `--max-count=${MAX_COMMITS}`, ...CHANGES_OPTIONS.split(' ')]
const TREE_ARGS = '--no-pager ls-tree -r -z --name-only HEAD'.split(' ')
/** Prints each commit as the byte 1, its message, the byte 2, and the paths of its files. */
const COMMITS_ARGS = [...LOG_ARGS, '--format=%x01%B%x02', '--name-only', '--no-renames']

/** The PATH of git, instead of the user's. Windows has no such directories, and inherits the user's PATH. */
const GIT_PATH =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin:/opt/local/bin:' +
  '/home/linuxbrew/.linuxbrew/bin:/run/current-system/sw/bin:/nix/var/nix/profiles/default/bin'

/** The environment of git: no configuration, and no way to fetch missing objects. */
const ENVIRONMENT = {
  ...(process.platform !== 'win32' && { PATH: GIT_PATH }),
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
}

/**
 * The history of paths in the repository around `root` (absolute). Undefined without git, a repository or a history, or if git
 * prints nothing within five seconds. Output that git prints before this limit is used.
 *
 * The configuration of a repository can make git run any program, in more ways than a list could name. Therefore git never
 * reads that configuration: it runs in an empty repository that Ambit makes, with access to the objects of the real repository.
 */
export async function readGitHistory(root: string, signal?: AbortSignal): Promise<PathHistory | undefined> {
  const top = projectRootOf(root)
  const repository = repositoryAt(top)
  if (!repository) return undefined
  const read = (args: readonly string[]) => runInCopy(repository, { args, signal })
  const [log, tree = ''] = await Promise.all([CHANGES_ARGS, TREE_ARGS].map(read))
  if (log === undefined) return undefined
  const base = relativeTo(top, root) ?? ''
  const committed = tree.split('\0').flatMap((path) => pathBelow(base, path) || [])
  return new PathHistory(parseChanges(log, base), committed)
}

export interface RemovedCitation {
  readonly commit: string
  /** A part of the line, which ends with the citation. */
  readonly words: string
  /** The present and the former paths of the citing file, relative to `root`. */
  readonly files: readonly string[]
}

/**
 * Whether the citation was written after the removal: the checked-out commit has the citation, but the parent of the removing
 * commit does not. Then the author writes about the past.
 */
export async function isWrittenAfter(root: string, { commit, words, files }: RemovedCitation, signal?: AbortSignal) {
  const top = projectRootOf(root)
  const repository = repositoryAt(top)
  const base = relativeTo(top, root) ?? ''
  const args = ['--literal-pathspecs', 'grep', '-z', '-F', '-l', '-e', words, `${commit}^`, 'HEAD', '--']
  const paths = files.map((file) => posix.join(base, file))
  const output = repository && (await runInCopy(repository, { args: [...args, ...paths], signal }))
  return output?.includes('HEAD:') === true && !output.includes('^:')
}

export type CommitLog = NonNullable<Awaited<ReturnType<typeof readCommits>>>

export interface CommitsRequest {
  /** Only commits after this commit are read. A commit that no longer exists is ignored. */
  readonly since?: string | undefined
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

/**
 * The last commits of the repository whose top is `root` (absolute), as many as git prints in three seconds. Undefined
 * in the same cases as `readGitHistory`.
 *
 * @returns `head`: the checked-out commit. `commits`: the commits except merges, latest first. `paths`: the files that
 * a commit changed, relative to the top of the repository.
 */
export async function readCommits(root: string, { since, limit, signal }: CommitsRequest) {
  const repository = repositoryAt(root)
  if (!repository) return undefined
  const { head } = repository
  if (head === since) return { head, commits: [] }
  const read = (range: readonly string[]) => {
    const args = [...COMMITS_ARGS, `--max-count=${limit}`, '--end-of-options', ...range]
    return runInCopy(repository, { args, signal, timeoutMs: COMMITS_TIMEOUT_MS })
  }
  const log = (since === undefined ? undefined : await read(['HEAD', `^${since}`])) ?? (await read(['HEAD']))
  return log === undefined ? undefined : { head, commits: parseCommits(log) }
}

function parseCommits(output: string) {
  const entries = output.split('\u0001').slice(1)
  return entries.map((entry) => {
    const [message = '', files = ''] = entry.split('\u0002')
    return { message, paths: files.split('\0').flatMap((path) => path.replace(/^\n+/, '') || []) }
  })
}

interface GitCall {
  readonly args: readonly string[]
  readonly signal: AbortSignal | undefined
  /** Default: `TIMEOUT_MS`. */
  readonly timeoutMs?: number
}

/** Runs git in an empty repository that reads the objects of `repository`. Undefined if git fails without output. */
async function runInCopy(repository: Repository, call: GitCall): Promise<string | undefined> {
  let directory: string | undefined
  try {
    directory = mkdtempSync(join(tmpdir(), 'ambit-git-'))
    makeRepository(directory, repository)
    return await runGit(directory, repository, call)
  } catch {
    return undefined
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  }
}

/** Makes a bare repository without objects in a directory. Its HEAD is the checked-out commit `head`. */
function makeRepository(directory: string, { head, shallow }: Repository): void {
  const isSha256 = head.length === 64
  const format = isSha256 ? '1\n[extensions]\n\tobjectFormat = sha256' : '0'
  mkdirSync(join(directory, 'refs'))
  writeFileSync(join(directory, 'HEAD'), `${head}\n`)
  writeFileSync(join(directory, 'config'), `[core]\n\tbare = true\n\trepositoryFormatVersion = ${format}\n`)
  if (shallow !== undefined) writeFileSync(join(directory, 'shallow'), shallow)
}

/**
 * Runs git without a shell. In this environment git starts no other process, so killing git is enough. Returns the output even
 * after a failure or the time limit: git prints the latest commits first, so a part of the output is useful.
 */
function runGit(directory: string, { objects }: Repository, { args, signal, timeoutMs = TIMEOUT_MS }: GitCall) {
  const options = {
    cwd: directory,
    env: { ...ENVIRONMENT, GIT_DIR: directory, GIT_OBJECT_DIRECTORY: objects },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
    windowsHide: true,
    signal,
  } as const
  return new Promise<string>((resolve, fail) => {
    const child = execFile('git', args, options, (error, output) =>
      error === null || output !== '' ? resolve(output.slice(0, output.lastIndexOf('\0') + 1)) : fail(error),
    )
    child.stdin?.end()
  })
}

/** Parses the output of git, latest change first: `D`, path; or `R097`, old path, new path. A NUL ends each field. */
function parseChanges(output: string, base: string): PathChange[] {
  const changes: PathChange[] = []
  const fields = output.split('\0', 3 * MAX_CHANGES)
  let commit = ''
  for (let at = 0; at < fields.length && changes.length < MAX_CHANGES; ) {
    const status = (fields[at++] ?? '').trim()
    if (status.startsWith('\u0001')) commit = status.slice(1)
    if (status === '' || status.startsWith('\u0001')) continue
    const from = pathBelow(base, fields[at++])
    const newPath = status.startsWith('R') ? fields[at++] : undefined
    if (newPath === '') break // cut off
    if (from) changes.push({ commit, from, to: newPath === undefined ? undefined : pathBelow(base, newPath) })
  }
  return changes
}

/** A path from the repository's top, relative to `base`; undefined outside of `base`. */
function pathBelow(base: string, path = ''): string | undefined {
  return base === '' ? path : relativeTo(base, path)
}

type Repository = NonNullable<ReturnType<typeof repositoryAt>>

/** Maximum symbolic references to follow from HEAD. */
const MAX_HOPS = 5
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * What git needs to read the history of a repository without the configuration of the repository. Undefined without a
 * repository or a commit, or if references are not stored as files. `top`: the top directory of a work tree, which may
 * be a linked work tree or a submodule.
 *
 * @returns `objects`: absolute path of the directory of objects. `head`: the checked-out commit in hexadecimal: 40
 * digits, or 64 for SHA-256. `shallow`: the text of the file with the ends of a shallow clone; undefined for a full
 * clone.
 */
export function repositoryAt(top: string) {
  const gitPath = join(top, '.git')
  const link = isDirectory(gitPath) ? '.' : /^gitdir: (.+)/.exec(readTextFile(top, '.git') ?? '')?.[1]
  if (link === undefined) return undefined
  const gitDirectory = link === '.' ? gitPath : resolve(top, link)
  const commonDirectory = resolve(gitDirectory, readTextFile(gitDirectory, 'commondir')?.trim() ?? '.')
  const objects = join(commonDirectory, 'objects')
  const head = readHead(gitDirectory, commonDirectory)
  if (head === undefined || !isDirectory(objects)) return undefined
  return { objects, head, shallow: readTextFile(commonDirectory, 'shallow') }
}

function readHead(gitDirectory: string, common: string): string | undefined {
  let text = readTextFile(gitDirectory, 'HEAD')?.trim() ?? ''
  for (let hops = 0; hops < MAX_HOPS && text.startsWith('ref:'); hops++) {
    const name = text.slice('ref:'.length).trim()
    text = (name.startsWith('refs/') && (readTextFile(common, name)?.trim() ?? packedRef(common, name))) || ''
  }
  return COMMIT.test(text) ? text : undefined
}

function packedRef(commonDirectory: string, name: string): string | undefined {
  const lines = readTextFile(commonDirectory, 'packed-refs')?.split('\n')
  return lines?.find((line) => line.endsWith(` ${name}`))?.slice(0, -name.length - 1)
}

/** The text of a file in a directory. Undefined for a file that cannot be read, or that lies outside of the directory. */
function readTextFile(directory: string, name: string): string | undefined {
  try {
    const file = openRoot(directory, { unbounded: true }).read(name, { maxBytes: MAX_BYTES })
    return file.ok ? new TextDecoder().decode(file.bytes) : undefined
  } catch (error) {
    if (error instanceof ContextError) return undefined
    throw error
  }
}
