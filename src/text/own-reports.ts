/**
 * Recognises reports that Ambit wrote. Reports repeat a question and its sources, so other sources are better evidence.
 */

import { withoutFences } from './fences.ts'

/**
 * The line of a report that counts its statements. The line has the same form in all languages and releases, so Ambit
 * recognises reports by it. A report that only quotes has `quotationsLine` instead.
 */
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

/** The line of a report that only quotes, instead of `statementsLine`. Rows of a table do not count as quotations. */
export function quotationsLine(verified: number | string, unverified: number | string): string {
  const none = 'Statements: none of its own.'
  return verified === 0 && unverified === 0 ? none : `${none} Quotations: ${verified} verified, ${unverified} not.`
}

const OWN_LINES = [statementsLine(() => '\\d+'), quotationsLine('\\d+', '\\d+'), quotationsLine(0, 0)]
const OWN_LINE = new RegExp(`^(?:${OWN_LINES.join('|')})[ \\t\\r]*$`, 'm')

/** Whether a text is a report in Markdown. A page that shows a report as an example, in a fence, is not a report. */
export function isOwnReport(text: string): boolean {
  return OWN_LINE.test(text) && OWN_LINE.test(withoutFences(text))
}

/** The items that do not come from reports; all items if all come from reports. */
export function preferSources<Item>(items: readonly Item[], isFromReport: (item: Item) => boolean): readonly Item[] {
  const sources = items.filter((item) => !isFromReport(item))
  return sources.length > 0 ? sources : items
}
