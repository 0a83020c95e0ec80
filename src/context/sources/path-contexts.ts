import type { Source } from '../../core/flow.ts'

/** A path context of a place in a collection. */
export interface PlacePathContext {
  /** The place that it describes, with a slash before it. */
  readonly prefix: string
  readonly title: string
  readonly text: string
  /** Stable and openable: the place. */
  readonly uri: string
}

/** The path contexts of a place and of the places above it. `find` returns them from general to specific. */
export function pathContexts(find: () => Promise<readonly PlacePathContext[]>): Source {
  return {
    name: 'path-contexts',
    kind: 'path-context',
    scope: 'collection',
    async gather() {
      const kept = (await find()).map(({ prefix, title, text, uri }) => ({
        origin: { uri, labels: { path: prefix } },
        kind: 'path-context',
        title,
        text,
      }))
      // The nearest is the most important.
      return { kept: kept.reverse(), left: [], warnings: [] }
    },
  }
}
