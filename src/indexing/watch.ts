import { basename } from 'node:path'
import { PASSED_OVER } from './belonging.ts'

/** How long a burst of changes is waited for, in milliseconds. */
const QUIET_MS = 200

/** Hears of changes below directories. */
export interface Changes {
  /** The roots below which something changed since this was last asked; waits until there is one, or so long. */
  next(mostMs: number, signal?: AbortSignal): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/** Watches directories and all that is below them, but for what version control and package managers keep there. */
export async function watchRoots(roots: readonly string[]): Promise<Changes> {
  const { watch } = await import('chokidar')
  const passedOver = new Set(PASSED_OVER)
  const ignored = (path: string) => passedOver.has(basename(path))
  const watcher = watch([...roots], { ignored, ignoreInitial: true, followSymlinks: false })
  let changed = new Set<string>()
  let wake: () => void = () => {}
  watcher.on('all', (_, path) => {
    for (const root of roots) if (path === root || path.startsWith(`${root}/`)) changed.add(root)
    wake()
  })
  // A directory that goes while it is looked at, or too many of them: the regular look finds what is not told.
  watcher.on('error', () => {})
  // Of nothing it is never ready.
  if (roots.length > 0) await new Promise<void>((ready) => watcher.once('ready', () => ready()))
  return {
    async next(mostMs, signal) {
      if (changed.size === 0) await waiting(mostMs, signal, (resolve) => (wake = resolve))
      if (changed.size > 0) await waiting(QUIET_MS, signal, () => {})
      const told = changed
      changed = new Set()
      return told
    },
    close: () => watcher.close(),
  }
}

/** Until it is woken, the time is up, or the signal fires. */
function waiting(ms: number, signal: AbortSignal | undefined, onWake: (wake: () => void) => void): Promise<void> {
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
