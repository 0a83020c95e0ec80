import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe finds on a page that somebody could not get past: a line for each element. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Looks into no frames of other sites, of which there are none, and opens no page of its own for that: a quarter of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (rules) axe.withRules([...rules])
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Whether the page as a whole has to be moved sideways. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(
    'document.scrollingElement.scrollWidth > innerWidth || document.querySelector("main").scrollWidth > innerWidth',
  )
}
