import { ContextError } from '../../core/errors.ts'
import { waitForWake } from '../../core/steps.ts'
import { openRoot } from '../../files/disk.ts'
import { readIgnoreRules } from '../../files/text-file.ts'
import { type TreeWatch, type WatchRules, watchTree } from '../../files/watch-tree.ts'
import { type IgnoreRules, type IgnoreVerdict, isIgnored } from '../../text/gitignore.ts'
import { foldersAbove } from '../../text/paths.ts'
import { fileFilter, type WalkOptions } from '../file-filter.ts'

/** Milliseconds without a change that end a burst of changes. */
const QUIET_MS = 200

/** A directory tree to watch, and the filter of its files. */
export type WatchedTree = Pick<WalkOptions, 'root' | 'access' | 'patterns' | 'exclude'>

/** Reports changes of files that an index of the directories would contain. */
export class ChangeWatcher {
  /** Watchers by tree; trees with the same files share a watcher. */
  readonly #watches = new Map<string, { readonly root: string; readonly watch: TreeWatch }>()
  #changed = new Set<string>()
  #wake: () => void = () => {}

  /**
   * Watches exactly these trees: ends other watches, and adds missing watches. A root that was replaced is watched
   * again.
   */
  async watch(trees: readonly WatchedTree[]): Promise<void> {
    const treesByKey = new Map(trees.map((tree) => [JSON.stringify([tree.root, tree.patterns, tree.exclude]), tree]))
    for (const [key, { root, watch }] of this.#watches) {
      const isLost = watch.isLost()
      if (treesByKey.has(key) && !isLost) continue
      this.#watches.delete(key)
      watch.close()
      if (isLost) this.#reportChange(root)
    }
    for (const [key, tree] of treesByKey) if (!this.#watches.has(key)) await this.#startWatch(key, tree)
  }

  /** Whether a root is polled, because the system has no watches left. */
  isPolled(root: string): boolean {
    return [...this.#watches.values()].some((one) => one.root === root && one.watch.isPolling)
  }

  /** The roots with changes since the last call. Waits for a change, at most `maxMs` milliseconds. */
  async next(maxMs: number, signal?: AbortSignal): Promise<ReadonlySet<string>> {
    if (this.#changed.size === 0) await waitForWake(maxMs, signal, (wake) => (this.#wake = wake))
    if (this.#changed.size > 0) await waitForWake(QUIET_MS, signal, () => {})
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }

  async close(): Promise<void> {
    await this.watch([])
  }

  async #startWatch(key: string, tree: WatchedTree): Promise<void> {
    const { root } = tree
    const watch = await watchTree(root, () => this.#reportChange(root), { rules: watchRulesOf(tree) })
    this.#watches.set(key, { root, watch })
  }

  #reportChange(root: string): void {
    this.#changed.add(root)
    this.#wake()
  }
}

/** Decides which files of a tree an index would contain, by the filter and the `.gitignore` files, each read once. */
function watchRulesOf(tree: WatchedTree): WatchRules {
  const filter = fileFilter(tree)
  const rulesByDirectory = new Map<string, IgnoreRules>()
  const readRules = (path: string, hasRules: boolean) => {
    const rules = { path, verdict: hasRules ? readVerdict(tree, path) : undefined }
    rulesByDirectory.set(path, rules)
    return rules
  }
  const rulesOf = (path: string) => rulesByDirectory.get(path) ?? readRules(path, true)
  return {
    visit: (directory, names) => void readRules(directory, names.includes('.gitignore')),
    hasIgnoreRules: (path) => /(^|\/)\.gitignore$/.test(path),
    isLeftOut(path, isDirectory) {
      if (isDirectory ? filter.excludesDirectory(path) : !filter.file(path)) return true
      return !filter.includesIgnored && isIgnored(path, isDirectory, foldersAbove(path).map(rulesOf))
    },
  }
}

function readVerdict({ root, access }: WatchedTree, path: string): IgnoreVerdict | undefined {
  try {
    const openedRoot = openRoot(root, { unbounded: true, realPath: access?.realPath })
    return readIgnoreRules(openedRoot, path === '' ? '.gitignore' : `${path}/.gitignore`)
  } catch (error) {
    if (error instanceof ContextError) return undefined
    throw error
  }
}
