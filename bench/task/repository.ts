/** A repository with its history, and a tree of it on disk that goes from commit to commit. Its own directory is not written to. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface Commit {
  readonly hash: string
  readonly parent: string
  readonly message: string
  readonly files: readonly ChangedFile[]
}

export interface ChangedFile {
  readonly path: string
  /** Lines of the parent's file that were changed, from 1; of lines that were only added, the one before them. */
  readonly lines: readonly number[]
}

const MOST_BYTES = 1 << 30

export class Repository {
  readonly name: string
  readonly #git: string
  readonly #scratch: string

  constructor(path: string, scratch: string) {
    this.#git = existsSync(join(path, '.git')) ? join(path, '.git') : path
    this.name = basename(path) === 'repo' ? basename(dirname(path)) : basename(path)
    this.#scratch = join(scratch, this.name)
    mkdirSync(this.tree, { recursive: true })
  }

  /** Where its files are. */
  get tree(): string {
    return join(this.#scratch, 'tree')
  }

  get cacheFile(): string {
    return join(this.#scratch, 'index')
  }

  /** Commits with one parent, the last first. */
  commits(most: number): { readonly hash: string; readonly parent: string; readonly message: string }[] {
    const format = '--format=%H%x00%P%x00%B%x01'
    const log = this.#run(['log', '--no-merges', `--max-count=${most}`, format, 'HEAD'])
    return log.split('\u0001').flatMap((entry) => {
      const [hash = '', parents = '', message = ''] = entry.trim().split('\0')
      return parents.length === 40 ? [{ hash, parent: parents, message }] : []
    })
  }

  /** What a commit changed of files that were there before. */
  changes(parent: string, hash: string): ChangedFile[] {
    const diff = this.#run(['diff', '-U0', '--no-renames', '--diff-filter=M', '--no-ext-diff', parent, hash])
    const files: { path: string; lines: number[] }[] = []
    for (const line of diff.split('\n')) {
      const path = /^--- a\/(.*)$/.exec(line)?.[1]
      if (path !== undefined) files.push({ path, lines: [] })
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line)
      if (!hunk) continue
      const [start, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)]
      for (let at = 0; at < Math.max(1, count); at++) files.at(-1)?.lines.push(Math.max(1, start + at))
    }
    return files
  }

  /** Puts the files of a commit in the tree. */
  checkOut(hash: string): void {
    this.#run(['--work-tree', this.tree, 'read-tree', '--reset', '-u', hash])
  }

  #run(args: readonly string[]): string {
    const env = { ...process.env, GIT_INDEX_FILE: join(this.#scratch, 'git-index'), GIT_CONFIG_GLOBAL: '/dev/null' }
    const options = { env, encoding: 'utf8', maxBuffer: MOST_BYTES, stdio: 'pipe' } as const
    return execFileSync('git', ['--git-dir', this.#git, '-c', 'core.quotepath=off', ...args], options)
  }
}
