import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Left, Warning, Why } from '../../core/flow.ts'
import { relativeTo } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'
import type { InstructionFile } from './instruction-file.ts'
import type { DiscoveryTree } from './tree.ts'

/** Reads files of a tree, and keeps the account of those that are left. */
export class InstructionReader {
  readonly warnings: Warning[] = []
  readonly #tree: DiscoveryTree
  readonly #prefix: string
  readonly #left = new Map<string, Left>()

  constructor(tree: DiscoveryTree, { prefix = '' }: Pick<FindingRequest, 'prefix'>) {
    this.#tree = tree
    this.#prefix = prefix
  }

  /** The file; undefined, with a row that says why, when it is excluded or cannot be read. */
  async read(path: string): Promise<InstructionFile | undefined> {
    if (looksSecret(relativeTo(this.#tree.options.root, path) ?? path)) {
      this.leave(path, 'denied', 'Its name is that of a secret.')
      return undefined
    }
    const excluded = await this.#exclusion(path)
    if (excluded) this.leave(path, 'excluded', excluded)
    if (excluded) return undefined
    const reading = await this.#tree.files.get(path)
    if (reading.ok) return reading
    this.leave(path, reading.why, reading.detail)
    this.warnings.push({ path, message: `${this.title(path)} is not loaded: ${reading.detail}` })
    return undefined
  }

  async #exclusion(path: string): Promise<string | undefined> {
    const { root, gitignore } = this.#tree.options
    if (this.#tree.excluded(relativeTo(root, path) ?? path)) return 'Excluded by a pattern.'
    if (!gitignore || /\.local\.md$/i.test(path)) return undefined
    return (await this.#tree.ignored.excludes(path)) ? 'Excluded by a .gitignore.' : undefined
  }

  /** A path as it is printed. */
  title(path: string): string {
    return `${this.#prefix}${relativeTo(this.#tree.options.root, path) ?? basename(path)}`
  }

  /** Notes why nothing of a file is shown: the first reason counts, but for an import that waits to be approved. */
  leave(path: string, why: Why, detail: string): void {
    if (!this.#left.has(path) || why === 'untrusted')
      this.#left.set(path, { origin: { uri: pathToFileURL(path).href }, title: this.title(path), why, detail })
  }

  /** All that was left, but for what was found after all. */
  leftBut(found: ReadonlySet<string>): readonly Left[] {
    return [...this.#left].flatMap(([path, left]) => (found.has(path) ? [] : [left]))
  }
}

/** An instruction file that applies, and why. */
export interface InstructionFinding {
  readonly file: InstructionFile
  /** Absolute. */
  readonly path: string
  /** Seen from the root; what is printed and sorted by. */
  readonly relative: string
  /** Directories between the root and the one that the file is for; that of its importer for an imported file. */
  readonly depth: number
  /** Whether the file is for a directory below the root; whether it is in one, for an imported file. */
  readonly nested: boolean
  readonly reason: string
  /** Why this file and not another one, where that is not plain: a sentence. */
  readonly note?: string
}

/** A request for findings. */
export interface FindingRequest {
  /** Touched paths, seen from the project's root: rules by path match these. */
  readonly touched: readonly string[]
  /** Prefix of printed paths: `~/` for the home directory. Default: none. */
  readonly prefix?: string
  /** Why a file applies that no touched path brought in. Default: `the working directory`. */
  readonly reason?: string
  /** The directory that rules' patterns are seen from, relative to the project's root. Default: the one that holds them. */
  readonly ruleBase?: string
  /** The home directory for `~` in an import; without it such imports are denied. */
  readonly home?: string | undefined
}
