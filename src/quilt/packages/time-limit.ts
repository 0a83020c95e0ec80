import { runInNewContext } from 'node:vm'
import { ContextError } from '../../core/errors.ts'

/** Runs expressions of a foreign registry. @throws ContextError `over-limit` when they take longer than `ms`. */
export function withinTime<Value>(ms: number, work: () => Value): Value {
  try {
    return runInNewContext('work()', { work }, { timeout: ms })
  } catch (cause) {
    // The error belongs to the realm of the script, so it is not an instance of `Error` here.
    if (Object(cause).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause
    const message = `A pattern of the workflow takes longer than ${ms} ms.`
    throw new ContextError('over-limit', message, { hint: 'Simplify the pattern in the registry.', cause })
  }
}
