import { ContextError } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { systemHome } from '../../../files/home.ts'
import type { ServedRoots } from '../../../files/roots.ts'
import type { AnyOperation } from '../../../operations/index.ts'

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

/** Operations whose answers say where collections and the database lie. */
const OF_PLACES = /^(?:collections|contexts)\.|^(?:status|index|indexing\.\w+|embed|browse|ls)$/

/**
 * The operation as a guest has it: where a collection or the database lies on the machine is told in no answer and in no error, but by the
 * address of the collection.
 */
export function hideHostPaths(operation: AnyOperation): AnyOperation {
  if (!OF_PLACES.test(operation.name)) return operation
  return {
    ...operation,
    run: async (engine, input, run) => {
      const known = await hostPaths(engine)
      try {
        return replaceIn(await operation.run(engine, input, run), known)
      } catch (error) {
        throw error instanceof ContextError ? hideIn(error, known) : error
      }
    },
  }
}

type Known = readonly (readonly [path: string, shown: string])[]

async function hostPaths(engine: Engine): Promise<Known> {
  const { port, collections } = await engine.library()
  const roots = (await collections.list()).map(({ name, root }) => [root, `ambit://${name}`] as const)
  const all = port.name.startsWith('/') ? [...roots, [port.name, 'the database'] as const] : roots
  return all.filter(([path]) => path.startsWith('/') && path !== '/').sort(([a], [b]) => b.length - a.length)
}

function hideIn({ code, message, hint, cause }: ContextError, known: Known): ContextError {
  const options = hint === undefined ? {} : { hint: String(replaceIn(hint, known)) }
  return new ContextError(code, String(replaceIn(message, known)), { ...options, cause })
}

function replaceIn(value: unknown, known: Known): unknown {
  if (typeof value === 'string') return known.reduce((text, [path, shown]) => text.replaceAll(path, shown), value)
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceIn(item, known)]))
}
