/** The directories that some work is kept to: a wall below whatever judged its inputs. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { below } from '../confine.ts'
import { realOf } from '../file-version.ts'

/** Real paths; of work within other work, the directories of each. */
const bounds = new AsyncLocalStorage<readonly (readonly string[])[]>()

/** Does some work, with all that it starts: `openRoot` opens nothing for it outside of the directories, which are real paths. */
export function runInBounds<Value>(directories: readonly string[], work: () => Value): Value {
  return bounds.run([...(bounds.getStore() ?? []), directories], work)
}

/** Whether a path, links followed, lies in the directories that the work is kept to. Whether it exists makes no difference. */
export function isInBounds(path: string): boolean {
  const all = bounds.getStore()
  if (!all) return true
  const real = realOf(resolve(path))
  return all.every((directories) => directories.some((directory) => below(directory, real) !== undefined))
}

/** @throws ContextError `denied` for a path outside the directories that the work is kept to. */
export function assertInBounds(path: string): void {
  if (isInBounds(path)) return
  const hint = 'The server shows what lies in the directories that it was started with: --root DIR.'
  throw new ContextError('denied', 'The path is not in a directory that is served.', { hint })
}
