import { basename } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { PASSED_OVER } from '../file-filter.ts'

/** How long a burst of changes is waited for, in milliseconds. */
const QUIET_MS = 200

/** Hears of changes below directories, but for what version control and package managers keep there. */
export class Changes {
  /** One for each root: a watcher says once that it is ready. */
  readonly #watchers = new Map<string, FSWatcher>()
  #changed = new Set<string>()
  #wake: () => void = () => {}

  /** Hears of these roots from now on, and of no others. */
  async watch(roots: readonly string[]): Promise<void> {
    const wanted = new Set(roots)
    for (const [root, watcher] of this.#watchers) {
      if (wanted.has(root)) continue
      this.#watchers.delete(root)
      await watcher.close()
    }
    await Promise.all([...wanted].map((root) => this.#watchers.has(root) || this.#begin(root)))
  }

  /** The roots below which something changed since this was last asked; waits until there is one, or so long. */
  async next(mostMs: number, signal?: AbortSignal): Promise<ReadonlySet<string>> {
    if (this.#changed.size === 0) await waitForWake(mostMs, signal, (wake) => (this.#wake = wake))
    if (this.#changed.size > 0) await waitForWake(QUIET_MS, signal, () => {})
    const told = this.#changed
    this.#changed = new Set()
    return told
  }

  async close(): Promise<void> {
    await this.watch([])
  }

  async #begin(root: string): Promise<void> {
    const { watch } = await import('chokidar')
    const ignored = (path: string) => PASSED_OVER.includes(basename(path))
    const watcher = watch(root, { ignored, ignoreInitial: true, followSymlinks: false })
    this.#watchers.set(root, watcher)
    watcher.on('all', () => {
      this.#changed.add(root)
      this.#wake()
    })
    // A directory that goes while it is looked at, or too many of them: the regular look finds what is not told.
    watcher.on('error', () => {})
    await new Promise<void>((ready) => watcher.once('ready', () => ready()))
  }
}

/** Until it is woken, the time is up, or the signal fires. */
function waitForWake(ms: number, signal: AbortSignal | undefined, onWake: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal?.addEventListener('abort', end, { once: true })
    onWake(end)
    if (signal?.aborted) end()
  })
}
