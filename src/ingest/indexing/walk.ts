/** The files of a collection on the disk. */

import { type BigIntStats, statSync } from 'node:fs'
import { join } from 'node:path'
import { throwIfAborted } from '../../core/errors.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { type Entry, type LocalRoot, openRoot } from '../../files/disk.ts'
import { readIgnoreRules } from '../../files/text-file.ts'
import type { FileStamp } from '../../stores/document-store.ts'
import { looksSecret } from '../../text/secrets.ts'
import { type Belonging, fileFilter, isIgnored, type Rules, type WalkOptions } from '../file-filter.ts'

/** A file that belongs to a collection. */
export interface FoundFile extends FileStamp {
  /** Relative to the root, with slashes. */
  readonly path: string
}

/** What a walk came upon. */
export interface Walked {
  readonly root: LocalRoot
  readonly files: readonly FoundFile[]
  /** Files that look like secrets: they are not read. */
  readonly secrets: readonly FoundFile[]
  /**
   * Directories that could not be listed, relative to the root (`''` is the root itself): nothing is known of what they
   * hold. Also what has a name that no path can have.
   */
  readonly closed: readonly { readonly path: string; readonly detail: string }[]
}

/** Entries looked at between two pauses. */
const SLICE = 4096

/**
 * Walks a tree as git sees it: what `.gitignore` excludes is not there, nor what is hidden, nor what looks like a secret. Links to files
 * are followed inside the root; links to directories are not, so that no file comes twice.
 *
 * @throws ContextError `not-found` when there is no such directory; `denied` for one of the system; `cancelled`.
 */
export async function walkTree(options: WalkOptions): Promise<Walked> {
  const walker = new Walker(options)
  await walker.run()
  return walker
}

class Walker implements Walked {
  readonly root: LocalRoot
  readonly files: FoundFile[] = []
  readonly secrets: FoundFile[] = []
  readonly closed: { path: string; detail: string }[] = []
  readonly #belongs: Belonging
  readonly #signal: AbortSignal | undefined
  /** Of the root, with a slash at its end. */
  readonly #prefix: string
  #seen = 0

  constructor({ root, access, patterns, exclude, signal }: WalkOptions) {
    this.root = openRoot(root, { unbounded: true, realPath: access?.realPath })
    this.#prefix = join(this.root.realPath, '/')
    this.#belongs = fileFilter({ patterns, exclude })
    this.#signal = signal
  }

  async run(): Promise<void> {
    await this.#directory('', [])
  }

  /** `rules`: those of the directories above, the nearest last, each with where it lies. */
  async #directory(path: string, rules: readonly Rules[]): Promise<void> {
    throwIfAborted(this.#signal)
    const listed = this.root.list(path === '' ? '.' : path)
    if (!listed.ok) {
      this.closed.push({ path, detail: listed.detail })
      return
    }
    this.#seen += listed.entries.length
    if (this.#seen > SLICE) {
      this.#seen = 0
      await yieldToEvents(this.#signal)
    }
    const hasRules = !this.#belongs.takesIgnored && listed.entries.some(({ name }) => name === '.gitignore')
    const own = hasRules ? [...rules, this.#rulesIn(path)] : rules
    for (const entry of listed.entries) {
      const below = this.#entry(path === '' ? entry.name : `${path}/${entry.name}`, entry, own)
      // Not to wait where there is nothing to wait for: of most entries there are very many.
      if (below) await below
    }
  }

  #rulesIn(path: string): Rules {
    return { path, verdict: readIgnoreRules(this.root, join(path, '.gitignore')) }
  }

  /** The walk of a directory; nothing for others. */
  #entry(path: string, { name, kind }: Entry, rules: readonly Rules[]): Promise<void> | undefined {
    if (kind === 'directory') {
      return this.#belongs.isLeftOut(path) || isIgnored(path, true, rules) ? undefined : this.#directory(path, rules)
    }
    if (kind === 'other') this.#other(path, name)
    else if (this.#belongs.file(path) && !isIgnored(path, false, rules)) this.#file(path)
    return undefined
  }

  /** Pipes, sockets and devices are nothing to read; a name that is not UTF-8 may be that of anything. */
  #other(path: string, name: string): void {
    if (!/\\x[0-9a-f]{2}/.test(name) || this.root.version(path)) return
    this.closed.push({ path, detail: 'Its name is not UTF-8, so that no path leads to it.' })
  }

  /** The state of a link is that of the file it leads to; whether that is inside is judged when it is read. */
  #file(path: string): void {
    const stat = statLink(`${this.#prefix}${path}`)
    if (stat === undefined || (stat !== 'unknown' && !stat.isFile())) return
    const file = { path, ...stampOf(stat) }
    if (looksSecret(path)) this.secrets.push(file)
    else this.files.push(file)
  }
}

/** Undefined for a link that leads nowhere, or round; `unknown` for what may not be looked at. */
function statLink(path: string): BigIntStats | 'unknown' | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ELOOP' ? undefined : 'unknown'
  }
}

/** What is unknown is the same as nothing: so it is tried each time, and whoever reads it tells why that fails. */
function stampOf(stat: BigIntStats | 'unknown'): FileStamp {
  if (stat === 'unknown') return { size: 0, mtime: '0', ctime: '0' }
  return { size: Number(stat.size), mtime: `${stat.mtimeNs}`, ctime: `${stat.ctimeNs}` }
}
