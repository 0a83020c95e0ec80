import { runInNewContext } from 'node:vm'

/**
 * Runs synchronous work, and stops it after `ms` milliseconds. A timer cannot interrupt synchronous work.
 *
 * @throws an error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT`, which is not an instance of this realm's `Error`.
 */
export function runWithin<Value>(ms: number, work: () => Value): Value {
  return runInNewContext('work()', { work }, { timeout: ms })
}
