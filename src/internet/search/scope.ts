/** Writes the scope of a search as words, for services without a parameter for it. */

import type { SearchScope } from '../web-search.ts'

/** Maximum characters of the operators in a query. A service accepts queries of 400 characters. */
const MAX_OPERATORS = 200

/**
 * Domains as operators to append to a query: ` (site:a.example OR site:b.example) -site:c.example`. Writes all allowed domains,
 * or none if all are too long together; writes as many blocked domains as fit.
 */
export function siteOperators({ allowedDomains = [], blockedDomains = [] }: SearchScope): string {
  const sites = allowedDomains.map((domain) => `site:${domain}`)
  const allowedSites = sites.length > 1 ? ` (${sites.join(' OR ')})` : sites.map((site) => ` ${site}`).join('')
  const allowedOperators = allowedSites.length > MAX_OPERATORS ? '' : allowedSites
  return blockedDomains.reduce((operators, domain) => {
    const longer = `${operators} -site:${domain}`
    return longer.length > MAX_OPERATORS ? operators : longer
  }, allowedOperators)
}

/** The first and the last day; undefined if both are missing. Defaults: a day before the web began, and today. */
export function dayRange({ from, to }: SearchScope): { readonly from: string; readonly to: string } | undefined {
  if (from === undefined && to === undefined) return undefined
  return { from: from ?? '1990-01-01', to: to ?? new Date().toISOString().slice(0, 10) }
}

const DAY_MS = 86_400_000

/** The shortest span up to now that contains a day. Undefined if no span is long enough. */
export function spanSince(day: string | undefined, now = Date.now()): 'day' | 'month' | 'year' | undefined {
  if (day === undefined) return undefined
  const days = (now - Date.parse(day)) / DAY_MS
  if (days <= 1) return 'day'
  if (days <= 30) return 'month'
  return days <= 365 ? 'year' : undefined
}
