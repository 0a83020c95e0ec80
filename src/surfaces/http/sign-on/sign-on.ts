/** The interface of a sign-in through an identity provider, and the pages for signing in. */

import type { ProviderSignIn } from '../../../engine/sign-ins.ts'
import { escapeHtml } from '../../../text/xml.ts'
import { type Refusal, retryAfter } from '../problem.ts'
import { isPagePath } from '../web.ts'

export interface SignOn {
  /** Name of the provider to show to people: its host. */
  readonly provider: string
  /** The rules of the sign-in as one text. After a change, sign-ins under earlier rules end. */
  readonly rules: string
  /** Redirects a browser to the provider. `to`: the page to return to, from `safeReturnUrl`. */
  begin(request: Request, to: string): Promise<Response | Refusal>
  /** Completes a sign-in. Returns the person, or a refusal. */
  end(request: Request): Promise<Person | Refusal>
}

/** A person who may sign in. */
export interface Person extends Pick<ProviderSignIn, 'principal' | 'lastsMs' | 'began'> {
  /** The page to return to. */
  readonly to: string
  /** Whether the browser reaches the server over https. */
  readonly isSecure: boolean
  /** `Set-Cookie` values that delete cookies of the sign-in. */
  readonly cookies: readonly string[]
}

/** The refusal for a browser without a pending sign-in. */
export const SIGN_ON_EXPIRED: Refusal = {
  status: 403,
  detail: 'This sign-in was started in another browser, or has expired.',
  hint: 'Sign in again.',
}

/** The path where a sign-in begins, and the path to which the provider returns the browser. */
export const SIGN_ON_PATH = '/login/oidc'
export const CALLBACK_PATH = '/login/oidc/callback'

/** The first page. */
export const HOME = '/'

/** Maximum characters of a return address, because a cookie stores it. */
const MAX_URL_LENGTH = 1_000

/**
 * The page of the UI to return to after signing in. `to` comes from a link, and may be any address. If it is not a page of the
 * UI, or is too long, the result is the first page.
 */
export function safeReturnUrl(to: string | null | undefined): string {
  const here = 'http://here.invalid'
  const url = URL.parse(to ?? HOME, here)
  if (url?.origin !== here || !isPagePath(url.pathname)) return HOME
  const path = `${url.pathname}${url.search}`
  return path.length > MAX_URL_LENGTH ? HOME : path
}

/** The path of the style sheet of the page, which needs no token. */
export const STYLE_PATH = '/door.css'

/**
 * The page that shows a refusal. With status 401, it offers the ways to sign in. `to`: the page to return to, from
 * `safeReturnUrl`.
 */
export function refusalPage(
  { status, detail, hint = '', headers }: Refusal,
  { provider, to }: { readonly provider?: string | undefined; readonly to: string },
): Response {
  const signOn = provider === undefined ? '' : signOnLink(provider, to)
  const retry = status === 429 ? '' : signOn
  const signIn = `${SIGN_IN_TITLE}\n${provider === undefined ? LINK_HELP : signOn}\n${tokenForm(to)}`
  const content = status === 401 ? signIn : `<h1>${escapeHtml(detail)}</h1>\n<p>${escapeHtml(hint)}</p>\n${retry}`
  // With `no-referrer`, a browser would send the form with the origin `null`, which is refused.
  const pageHeaders = { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'same-origin' }
  return new Response(`${PAGE_HEAD}<main>\n<p class="name">Ambit</p>\n${content}\n</main>\n`, {
    status,
    headers: { ...pageHeaders, ...retryAfter(status), ...headers },
  })
}

/** The page after a sign-in. It redirects to `to`. */
export function returnPage(to: string): Response {
  const refresh = `<meta http-equiv="refresh" content="0;url=${escapeHtml(to)}">\n`
  const content = `<h1>You are signed in</h1>\n<p><a href="${escapeHtml(to)}">Continue</a></p>`
  return new Response(`${PAGE_HEAD}${refresh}<main>\n<p class="name">Ambit</p>\n${content}\n</main>\n`, {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}

export function refusalStyle(): Response {
  return new Response(STYLE, { headers: { 'Content-Type': 'text/css; charset=utf-8' } })
}

const PAGE_HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Ambit</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
`

function signOnLink(provider: string, to: string): string {
  const query = to === HOME ? '' : `?to=${encodeURIComponent(to)}`
  return `<p><a class="button" href="${SIGN_ON_PATH}${query}">Sign in with ${escapeHtml(provider)}</a></p>`
}

const SIGN_IN_TITLE = '<h1>This browser is not signed in</h1>'

const LINK_HELP = `<p>Open the link that the server printed where it was started. It works once, within an hour.</p>
<p>Is it used up? In a browser that is signed in, Settings has a button for a new one. Or start the server again:</p>
<pre><code>ambit serve</code></pre>`

function tokenForm(to: string): string {
  return `<form method="post" action="/login">
<label for="token">Or sign in with a token that you were given:</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<input name="to" type="hidden" value="${escapeHtml(to)}">
<button>Sign in</button>
</form>`
}

const STYLE = `:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 26rem; margin: 18vh auto 0; padding: 0 1.5rem; }
.name { margin: 0 0 1.5rem; font-weight: 600; }
h1 { margin: 0 0 0.5rem; font-size: 20px; line-height: 1.35; font-weight: 600; }
p { margin: 0 0 0.75rem; }
pre { margin: 0; padding: 0.5rem 0.75rem; border: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); border-radius: 6px; }
form { margin: 1.5rem 0 0; display: grid; gap: 0.5rem; }
input, button { font: inherit; padding: 0.4rem 0.6rem; }
a.button { display: block; padding: 0.5rem 0.75rem; border: 1px solid; border-radius: 6px; color: inherit; text-align: center; text-decoration: none; }
code { font: 13px ui-monospace, monospace; }
`
