import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError } from '../../core/errors.ts'

/** Milliseconds that SQLite itself waits for another process, which blocks this one. */
export const BLOCKED_MS = 50

/** Whether another process used the database at that moment. */
export function isBusy(error: unknown): boolean {
  const cause = error instanceof ContextError ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')
}

/** Repeats `work` until the database is free; other work of this process continues meanwhile. */
export async function patient<Value>(work: () => Promise<Value>, waitMs: number): Promise<Value> {
  const until = Date.now() + waitMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) throw error
      // At random, so that processes do not repeat at the same moment.
      await sleep(5 + Math.random() * 30)
    }
  }
}
