/** A repository with its history, and a tree on disk into which commits are checked out. The repository itself is not changed. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { languageOf } from '../../src/code/languages.ts'

export interface Commit {
  readonly hash: string
  readonly parent: string
  readonly message: string
  readonly files: readonly ChangedFile[]
}

export interface ChangedFile {
  readonly path: string
  /** Changed lines of the parent's file, from 1. For lines that were only added, the line before them. */
  readonly lines: readonly number[]
}

const MOST_BYTES = 1 << 30

export class Repository {
  readonly name: string
  readonly #git: string
  readonly #scratch: string
  /** The object of each file in the tree. */
  #present: ReadonlyMap<string, string> = new Map()

  constructor(path: string, scratch: string) {
    this.#git = resolve(existsSync(join(path, '.git')) ? join(path, '.git') : path)
    this.name = basename(path) === 'repo' ? basename(dirname(path)) : basename(path)
    this.#scratch = join(scratch, this.name)
    mkdirSync(this.tree, { recursive: true })
  }

  /** The directory of the checked-out files. */
  get tree(): string {
    return join(this.#scratch, 'tree')
  }

  get cacheFile(): string {
    return join(this.#scratch, 'index')
  }

  get head(): string {
    return this.#run(['rev-parse', 'HEAD']).trim()
  }

  /** Commits with one parent, newest first. */
  commits(most: number): { readonly hash: string; readonly parent: string; readonly message: string }[] {
    const format = '--format=%H%x00%P%x00%B%x01'
    const log = this.#run(['log', '--no-merges', `--max-count=${most}`, format, 'HEAD'])
    return log.split('\u0001').flatMap((entry) => {
      const [hash = '', parents = '', message = ''] = entry.trim().split('\0')
      return parents.length === 40 ? [{ hash, parent: parents, message }] : []
    })
  }

  /** The changes of a commit to existing files. */
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

  /**
   * Writes the texts of a commit into the tree. Files whose content the history lacks are left out, as some copies lack large
   * files.
   */
  checkOut(hash: string): void {
    const wanted = this.#entries(hash)
    for (const path of this.#present.keys()) if (!wanted.has(path)) rmSync(join(this.tree, path), { force: true })
    const changed = [...wanted].filter(([path, object]) => this.#present.get(path) !== object)
    const contents = this.#contents(changed.map(([, object]) => object))
    for (const [path, object] of changed) {
      const content = contents.get(object)
      if (!content) continue
      mkdirSync(dirname(join(this.tree, path)), { recursive: true })
      writeFileSync(join(this.tree, path), content)
    }
    this.#present = wanted
    this.#standAt(hash)
  }

  /** Makes the tree a work tree of the commit, so that its history ends there. */
  #standAt(hash: string): void {
    const gitDirectory = join(this.tree, '.git')
    mkdirSync(gitDirectory, { recursive: true })
    writeFileSync(join(gitDirectory, 'HEAD'), `${hash}\n`)
    writeFileSync(join(gitDirectory, 'commondir'), `${this.#git}\n`)
  }

  /** Regular files of a commit with names of text files, and their objects. */
  #entries(hash: string): ReadonlyMap<string, string> {
    const entries = this.#run(['ls-tree', '-r', '-z', hash]).split('\0')
    return new Map(
      entries.flatMap((entry) => {
        const [, object = '', path = ''] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? []
        return path !== '' && (languageOf(path) || path.endsWith('.gitignore')) ? [[path, object] as const] : []
      }),
    )
  }

  #contents(objects: readonly string[]): ReadonlyMap<string, Buffer> {
    const args = ['--git-dir', this.#git, 'cat-file', '--batch']
    const output = execFileSync('git', args, { input: `${objects.join('\n')}\n`, maxBuffer: MOST_BYTES, stdio: 'pipe' })
    const found = new Map<string, Buffer>()
    for (let at = 0; at < output.length; ) {
      const end = output.indexOf(10, at)
      const [object = '', kind, size] = output.toString('latin1', at, end).split(' ')
      const length = kind === 'blob' ? Number(size) : -1
      if (length >= 0) found.set(object, output.subarray(end + 1, end + 1 + length))
      at = end + 1 + (length >= 0 ? length + 1 : 0)
    }
    return found
  }

  #run(args: readonly string[]): string {
    const options = { encoding: 'utf8', maxBuffer: MOST_BYTES, stdio: 'pipe' } as const
    return execFileSync('git', ['--git-dir', this.#git, '-c', 'core.quotepath=off', ...args], options)
  }
}
