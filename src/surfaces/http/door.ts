/** What a browser is shown that may not come in: a page that says why, and what to do. */

import type { Refusal } from './problem.ts'
import { BEGIN } from './sign-on.ts'

/** Where the style of the page is: like the page, it can be had by anybody. */
export const DOOR_STYLE = '/door.css'

/** The page of a refusal; of one for who is not signed in, the ways in. `provider`: who vouches for people, where somebody does. */
export function doorPage({ status, detail, hint = '' }: Refusal, provider?: string): Response {
  const again = provider === undefined || status === 429 ? '' : signOnLink(provider)
  const ways = provider === undefined ? SIGNED_OUT : `${SIGN_IN}\n${signOnLink(provider)}\n${FORM}`
  const told = status === 401 ? ways : `<h1>${escaped(detail)}</h1>\n<p>${escaped(hint)}</p>\n${again}`
  return new Response(`${HEAD}<main>\n<p class="name">Ambit</p>\n${told}\n</main>\n`, {
    status,
    // Without any referrer a browser says of its own form that it comes from nowhere, and is taken for a stranger.
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'same-origin' },
  })
}

/** The page of who has just signed in: it goes on by itself. */
export function onwardPage(): Response {
  const refresh = '<meta http-equiv="refresh" content="0;url=/">\n'
  const told = '<h1>You are signed in</h1>\n<p><a href="/">Go on</a></p>'
  return new Response(`${HEAD}${refresh}<main>\n<p class="name">Ambit</p>\n${told}\n</main>\n`, {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}

export function doorStyle(): Response {
  return new Response(STYLE, { headers: { 'Content-Type': 'text/css; charset=utf-8' } })
}

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Ambit</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOOR_STYLE}">
`

function signOnLink(provider: string): string {
  return `<p><a class="button" href="${BEGIN}">Sign in with ${escaped(provider)}</a></p>`
}

const SIGN_IN = '<h1>This browser is not signed in</h1>'

const FORM = `<form method="post" action="/login">
<label for="token">Or sign in with a token that you were given:</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button>Sign in</button>
</form>`

const SIGNED_OUT = `${SIGN_IN}
<p>Open the link that the server printed where it was started. It works once, within an hour.</p>
<p>Is it used up? Start the server again for a new one:</p>
<pre><code>ambit serve</code></pre>
${FORM}`

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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
