import { ContextError } from '../../../core/errors.ts'
import { systemHome } from '../../../files/home.ts'
import type { ServedRoots } from '../../../files/roots.ts'

/** Does some work. No message of its errors says where on the machine things are. */
export async function withoutPaths<Value>(roots: ServedRoots, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ContextError ? hidePaths(error, roots) : error
  }
}

function hidePaths({ code, message, hint, cause }: ContextError, roots: ServedRoots): ContextError {
  const options = hint === undefined ? {} : { hint: replacePaths(hint, roots) }
  return new ContextError(code, replacePaths(message, roots), { ...options, cause })
}

function replacePaths(text: string, { paths, real }: ServedRoots): string {
  const home = systemHome()
  const known = [...paths, ...real].map((path) => [path, '.'] as const)
  const all = home === undefined || home === '/' ? known : [...known, [home, '~'] as const]
  // A root in a root first.
  const ordered = all.sort(([a], [b]) => b.length - a.length)
  return ordered.reduce((rest, [path, short]) => rest.replaceAll(path, short), text)
}
