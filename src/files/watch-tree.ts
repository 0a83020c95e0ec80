/** How long a burst of changes is waited for, in milliseconds. */
const QUIET_MS = 50

/** Between two looks where the system cannot tell of changes, in milliseconds. */
const POLLING_MS = 500

/** What a system says when it has no watches left. */
const EXHAUSTED = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/**
 * Calls back, once for a burst, when a file changes, or an entry of a directory comes, goes or changes; not for what is
 * below these entries. Paths that do not exist are waited for. `isPolling`: the system had no watches left.
 */
export async function watchPaths(paths: readonly string[], changed: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, QUIET_MS)
  }
  let watching = await startWatcher(paths, { polling: false, soon })
  const isPolling = watching.exhausted()
  if (isPolling) {
    await watching.close()
    watching = await startWatcher(paths, { polling: true, soon })
  }
  return {
    isPolling,
    async close() {
      clearTimeout(timer)
      await watching.close()
      clearTimeout(timer)
    },
  }
}

async function startWatcher(paths: readonly string[], { polling, soon }: { polling: boolean; soon: () => void }) {
  const { watch } = await import('chokidar')
  const backend = polling ? 'polling' : 'auto'
  const watcher = watch([...paths], { depth: 0, ignoreInitial: true, backend, pollingInterval: POLLING_MS })
  let exhausted = false
  watcher.on('all', soon)
  watcher.on('error', (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    exhausted ||= EXHAUSTED.has(code)
  })
  await new Promise<void>((ready) => watcher.once('ready', () => ready()))
  return { exhausted: () => exhausted, close: () => watcher.close() }
}
