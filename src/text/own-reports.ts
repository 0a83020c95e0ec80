/** Recognises reports that Ambit wrote. They repeat their question and sources, so they are evidence only if nothing else is found. */

import { withoutFences } from './fences.ts'

/** The line of a report that counts its statements. It is the same in all languages and releases, so reports are known by it. */
export function statementsLine(
  count: (verdict: 'supported' | 'partly' | 'unsupported' | 'uncited' | 'unchecked') => number | string,
): string {
  const counts = [
    `${count('supported')} borne out by their sources`,
    `${count('partly')} in part`,
    `${count('unsupported')} not`,
    `${count('uncited')} without a source`,
    `${count('unchecked')} not checked`,
  ]
  return `Statements: ${counts.join(', ')}.`
}

const STATEMENTS_LINE = new RegExp(`^${statementsLine(() => '\\d+')}[ \\t\\r]*$`, 'm')

/** Whether a text is a report in Markdown. A page that shows a report as an example, in a fence, is not a report. */
export function isOwnReport(text: string): boolean {
  return STATEMENTS_LINE.test(text) && STATEMENTS_LINE.test(withoutFences(text))
}

/** The items that are not from reports; all items if all are from reports. */
export function preferSources<Item>(items: readonly Item[], isFromReport: (item: Item) => boolean): readonly Item[] {
  const sources = items.filter((item) => !isFromReport(item))
  return sources.length > 0 ? sources : items
}
