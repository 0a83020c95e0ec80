/** Writes the scope of a search as words, for services without a parameter for it. */

import type { SearchScope } from '../web-search.ts'

/** Characters that operators may take of a query; those of a service hold 400. */
const MOST = 200

/**
 * Domains as operators behind a query: ` (site:a.example OR site:b.example) -site:c.example`. Too many of those that are wanted
 * are none; of those that are not wanted as many as there is room for.
 */
export function siteOperators({ allowedDomains = [], blockedDomains = [] }: SearchScope): string {
  const sites = allowedDomains.map((domain) => `site:${domain}`)
  const either = sites.length > 1 ? ` (${sites.join(' OR ')})` : sites.map((site) => ` ${site}`).join('')
  const wanted = either.length > MOST ? '' : either
  return blockedDomains.reduce((all, domain) => {
    const more = `${all} -site:${domain}`
    return more.length > MOST ? all : more
  }, wanted)
}

/** The first and the last day; where one is missing, the earliest of the web, or today. */
export function daysWanted({ from, to }: SearchScope): { readonly from: string; readonly to: string } | undefined {
  if (from === undefined && to === undefined) return undefined
  return { from: from ?? '1990-01-01', to: to ?? new Date().toISOString().slice(0, 10) }
}

const DAY_MS = 86_400_000

/** The shortest of the spans up to now that some services know, in which a day lies. Undefined where none is long enough. */
export function spanSince(day: string | undefined, now = Date.now()): 'day' | 'month' | 'year' | undefined {
  if (day === undefined) return undefined
  const days = (now - Date.parse(day)) / DAY_MS
  if (days <= 1) return 'day'
  if (days <= 30) return 'month'
  return days <= 365 ? 'year' : undefined
}
