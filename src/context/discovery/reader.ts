import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Left, Warning, Why } from '../../core/flow.ts'
import { relativeTo } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'
import type { InstructionFile } from './instruction-file.ts'
import type { DiscoveryTree } from './tree.ts'

/** Reads instruction files of a tree, and records which files are left out, and why. */
export class InstructionReader {
  readonly warnings: Warning[] = []
  readonly #tree: DiscoveryTree
  readonly #prefix: string
  readonly #leftFiles = new Map<string, Left>()

  constructor(tree: DiscoveryTree, { prefix = '' }: Pick<FindingRequest, 'prefix'>) {
    this.#tree = tree
    this.#prefix = prefix
  }

  /** The file. For an excluded or unreadable file, records the reason, and returns undefined. */
  async read(path: string): Promise<InstructionFile | undefined> {
    const { root, gitignore } = this.#tree.options
    const name = relativeTo(root, path) ?? path
    if (looksSecret(name)) return this.leave(path, 'denied', 'Its name is that of a secret.')
    if (this.#tree.isExcluded(name)) return this.leave(path, 'excluded', 'Excluded by a pattern.')
    const isIgnored = gitignore && !/\.local\.md$/i.test(path) && (await this.#tree.gitignore.excludes(path))
    if (isIgnored) return this.leave(path, 'excluded', 'Excluded by a .gitignore.')
    const reading = await this.#tree.files.get(path)
    if (reading.ok) return reading
    this.warnings.push({ path, message: `${this.title(path)} is not loaded: ${reading.detail}` })
    return this.leave(path, reading.why, reading.detail)
  }

  /** The path for display: relative to the root, with the prefix. */
  title(path: string): string {
    return `${this.#prefix}${relativeTo(this.#tree.options.root, path) ?? basename(path)}`
  }

  /** Records why a file is left out. The first reason counts; only `untrusted` replaces an earlier reason. */
  leave(path: string, why: Why, detail: string): undefined {
    if (!this.#leftFiles.has(path) || why === 'untrusted')
      this.#leftFiles.set(path, { origin: { uri: pathToFileURL(path).href }, title: this.title(path), why, detail })
  }

  /** The files that are left out, except `found`: another file may import a file that was left out before. */
  leftExcept(found: ReadonlySet<string>): readonly Left[] {
    return [...this.#leftFiles].flatMap(([path, left]) => (found.has(path) ? [] : [left]))
  }
}

/** An instruction file that applies, and why. */
export interface InstructionFinding {
  readonly file: InstructionFile
  /** Absolute. */
  readonly path: string
  /** Relative to the root, for display and sorting. */
  readonly relativePath: string
  /** Number of levels from the root to the directory in which the file (or its importer) was found. */
  readonly depth: number
  /** Whether the file is for a directory below the root. For an imported file: whether the file is in such a directory. */
  readonly isNested: boolean
  readonly reason: string
  /** The touched path that makes the file apply, relative to the root; `''` if the file applies in the working directory. */
  readonly touchedPath: string
  /** A sentence that says why this file was chosen; absent if the reason is obvious. */
  readonly note?: string
  /** Whether another file says to read this file, and no tool loads it by itself. */
  readonly isReferenced?: true
  /** A word in the file that the tool treats as an import, and drops. */
  readonly droppedImport?: string
}

export interface FindingRequest {
  /** Touched paths relative to the project's root, for rules by path. */
  readonly touched: Iterable<string>
  /** Prefix of printed paths: `~/` for the home directory. Default: none. */
  readonly prefix?: string
  /** The reason for files that apply without a touched path. Default: `the working directory`. */
  readonly reason?: string
  /** The directory to which patterns of rules are relative, from the project's root. Default: the directory that contains the folder of rules. */
  readonly ruleBase?: string
  /** The home directory for `~` in an import; without it such imports are denied. */
  readonly home?: string | undefined
}
