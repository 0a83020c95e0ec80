/** The page that a browser returns to after a sign-in. */

import { isPlace } from '../web.ts'

/** The first page. */
export const HOME = '/'

/** Maximum number of characters: the address goes to a provider and back in a cookie. */
const LONGEST = 1_000

/**
 * The page of the UI that a person asked for before signing in. A link may contain any address: one that is not a page of the UI, or
 * is too long, becomes the first page.
 */
export function safeReturnUrl(to: string | null | undefined): string {
  const here = 'http://here.invalid'
  const url = URL.parse(to ?? HOME, here)
  if (url?.origin !== here || !isPlace(url.pathname)) return HOME
  const path = `${url.pathname}${url.search}`
  return path.length > LONGEST ? HOME : path
}
