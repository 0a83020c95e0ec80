import { readFileSync } from 'node:fs'

/** The most memory that a process had at once, in bytes; 0 when it has ended, or this is not a Linux. */
export function mostMemory(pid: number | 'self' | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
