import type { Fragment, Renderer } from '../../core/flow.ts'
import { inParts } from '../../core/steps.ts'
import { oneLine } from '../../text/controls.ts'

/** How a selection reads as Markdown in fences. */
export interface FencedOptions {
  /** Labels of the origin that make the heading of a fragment, in this order; those that are absent are left out. */
  readonly heading: readonly string[]
}

/**
 * A heading for each fragment, and its text in a fence that is longer than any row of backticks in it: so no text can leave
 * its frame. For readers that escape tags.
 */
export function fencedSections({ heading }: FencedOptions): Renderer {
  return inParts(({ kept }) => kept.map((fragment) => section(fragment, heading)))
}

function section({ origin, text }: Fragment, heading: readonly string[]): string {
  const title = heading.flatMap((name) => origin.labels?.[name] ?? []).map(oneLine)
  const fence = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  return `## ${title.join(' – ')}\n\n${fence}markdown\n${text}${/\n$/.test(text) ? '' : '\n'}${fence}\n`
}
