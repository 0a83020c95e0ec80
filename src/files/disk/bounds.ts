/** The directories that some work is kept to: a wall below whatever judged its inputs. */

import type { AsyncLocalStorage } from 'node:async_hooks'
import { resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { ancestors } from '../../text/paths.ts'
import { below } from '../confine.ts'
import { realOf } from '../file-version.ts'

/** Real paths; of work within other work, the directories of each. */
type Bounds = AsyncLocalStorage<readonly (readonly string[])[]>

/** The program is several files, each with a copy of this module: all must see the same bounds. */
const shared: { [key: symbol]: Bounds | undefined } = globalThis
const KEY = Symbol.for('ambit.bounds')

/** Made by the first work that is kept to directories: most commands have none, and the class takes time to load. */
function sharedBounds(): Bounds {
  const made = shared[KEY] ?? new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)()
  shared[KEY] = made
  return made
}

/** Does some work, with all that it starts: `openRoot` opens nothing for it outside of the directories, which are real paths. */
export function runInBounds<Value>(directories: readonly string[], work: () => Value): Value {
  const bounds = sharedBounds()
  return bounds.run([...(bounds.getStore() ?? []), directories], work)
}

/** Whether a path, links followed, lies in the directories that the work is kept to. Whether it exists makes no difference. */
export function isInBounds(path: string): boolean {
  const all = shared[KEY]?.getStore()
  if (!all) return true
  const real = realOf(resolve(path))
  return all.every((directories) => directories.some((directory) => below(directory, real) !== undefined))
}

/** A directory and those above it, nearest first; for work that is kept to directories, only those in them. */
export function directoriesAbove(directory: string): readonly string[] {
  const all = ancestors(directory, '/')
  const end = shared[KEY]?.getStore() ? all.findIndex((at) => !isInBounds(at)) : -1
  return end < 0 ? all : all.slice(0, end)
}

/** @throws ContextError `denied` for a path outside the directories that the work is kept to. */
export function assertInBounds(path: string): void {
  if (isInBounds(path)) return
  const hint = 'The server shows what lies in the directories that it was started with: --root DIR.'
  throw new ContextError('denied', 'The path is not in a directory that is served.', { hint })
}
