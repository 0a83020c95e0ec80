import { runInNewContext } from 'node:vm'

/**
 * Runs synchronous work for at most `ms` milliseconds, which no timer can do.
 *
 * @throws an error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT`, which is not an instance of this realm's `Error`.
 */
export function runWithin<Value>(ms: number, work: () => Value): Value {
  return runInNewContext('work()', { work }, { timeout: ms })
}
