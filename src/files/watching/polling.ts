/** Between two looks where the system cannot tell of changes, in milliseconds; longer where a look takes long. */
const POLLING_MS = 500

/** Of its time what a look may take while it polls. */
const POLLING_SHARE = 10

/** What a system says when it has no watches left. */
const EXHAUSTED = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** Whether an error says that the system has no watches left. */
export function isOutOfWatches(error: unknown): boolean {
  return EXHAUSTED.has(String(Object(error).code))
}

/** Calls again and again, and rests ten times as long as a call takes. */
export function pollRepeatedly(look: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const ask = async () => {
    const start = performance.now()
    await look()
    const rest = Math.max(POLLING_MS, (performance.now() - start) * POLLING_SHARE)
    if (!isStopped) timer = setTimeout(ask, rest)
  }
  timer = setTimeout(ask, POLLING_MS)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
