import type { Left, Run, Source } from '../../core/flow.ts'

/** Something that is known of a place, as JSON. */
export interface Fact {
  /** The tag: `package-info`. */
  readonly kind: string
  readonly title: string
  readonly uri: string
  readonly value: unknown
}

/** The facts about a place, the most important first, and the facts that are not available. */
export function facts(
  name: string,
  find: (run: Run) => Promise<{ facts: readonly Fact[]; left: readonly Left[] }>,
): Source {
  return {
    name,
    scope: 'package',
    async gather(_, run) {
      const { facts, left } = await find(run)
      const kept = facts.map(({ kind, title, uri, value }) => ({
        origin: { uri, labels: { source: title } },
        kind,
        title,
        text: JSON.stringify(value, null, 2),
      }))
      return { kept, left, warnings: [] }
    },
  }
}
