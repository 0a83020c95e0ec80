import type { Answer } from '../../api/call.ts'
import type { Collection } from '../../api/collections.ts'
import { ageOf, counted } from '../../ui/format.ts'

/** An index that was not looked at for so long, in milliseconds, may be out of step: a week. */
const OLD = 7 * 86_400_000

export function isOld(time: string, now = Date.now()): boolean {
  return now - Date.parse(time) > OLD
}

/** Something that could be better, and what mends it. */
export interface Weakness {
  readonly id: string
  readonly place: string
  readonly what: string
  readonly mend:
    | { readonly by: 'index'; readonly collection: string }
    | { readonly by: 'describe'; readonly path: string }
    | { readonly by: 'forget'; readonly path: string; readonly text: string }
}

/** Needs attention about the index: the worst first. */
export function indexWeaknesses(collections: readonly Collection[]): Weakness[] {
  return collections.flatMap(({ name, indexedAt, problem, documents }) => {
    const mend = { by: 'index', collection: name } as const
    const found = (what: string) => [{ id: `index ${name}`, place: name, what, mend }]
    if (problem !== undefined) return found(problem)
    if (indexedAt === undefined) return found(documents > 0 ? 'is only partly indexed' : 'is not indexed yet')
    return isOld(indexedAt) ? found(`was indexed ${ageOf(indexedAt)}`) : []
  })
}

/** Weaknesses of descriptions. For a collection without one, its folders are not listed. */
export function contextWeaknesses({ collections, paths, stale }: Answer<'contexts.check'>): Weakness[] {
  const bare = new Set(collections.map(({ name }) => name))
  return [
    ...collections.map(({ name }) => describe(name, 'has no description: agents do not know what it is for')),
    ...stale.map(({ collection, pathPrefix, context }): Weakness => {
      const path = `${collection ?? ''}${pathPrefix === '/' && collection !== null ? '' : pathPrefix}`
      const mend = { by: 'forget', path, text: context } as const
      return { id: `stale ${path}`, place: path, what: 'has a description but no documents', mend }
    }),
    ...paths
      .filter(({ collection }) => !bare.has(collection))
      .map(({ collection, path, documents }) =>
        describe(`${collection}/${path}`, `has ${counted(documents, 'document')} and no description`),
      ),
  ]
}

function describe(path: string, what: string): Weakness {
  return { id: `describe ${path}`, place: path, what, mend: { by: 'describe', path } }
}
