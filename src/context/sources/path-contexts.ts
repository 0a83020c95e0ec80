import type { Source } from '../../core/flow.ts'

/** What a person said of a place. */
export interface PlacePathContext {
  /** The place that it was said of, with a slash before it. */
  readonly prefix: string
  readonly title: string
  readonly text: string
  /** Stable and openable: the place. */
  readonly uri: string
}

/** What was said of a place and of those above it, from general to specific. */
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
