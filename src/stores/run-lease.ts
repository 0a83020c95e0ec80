import { TooMany } from '../core/errors.ts'
import { isAlive, type LeaseTimes } from './lease.ts'

/** The right to run a session. */
export interface RunLeaseParts {
  readonly session: string
  readonly owner: string
  /** Of all sessions of the owner so many are run at once. Absent: any number. */
  readonly most: number | undefined
  readonly times: LeaseTimes | undefined
}

/** `holders`: of the other sessions of the owner. @throws TooMany where as many are run by the living. */
export function assertFewer(holders: readonly string[], most: number): void {
  if (holders.filter(isAlive).length >= most) throw new TooMany(`${most} sessions of the same owner are run already.`)
}
