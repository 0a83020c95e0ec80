/** Where a browser goes on once it is signed in. */

import { isPlace } from '../web.ts'

/** The first page. */
export const HOME = '/'

/** Characters of an address: it goes to a provider and back in a cookie. */
const LONGEST = 1_000

/**
 * The place in the UI that somebody asked for before they were signed in. Anybody can write such an address into a link: one that leads
 * anywhere else, or is too long, comes to the first page.
 */
export function safeReturnUrl(to: string | null | undefined): string {
  const here = 'http://here.invalid'
  const url = URL.parse(to ?? HOME, here)
  if (url?.origin !== here || !isPlace(url.pathname)) return HOME
  const path = `${url.pathname}${url.search}`
  return path.length > LONGEST ? HOME : path
}
