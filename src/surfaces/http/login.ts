/** How a browser comes by a cookie. */

import type { Auth } from './auth.ts'
import { addressOf, told } from './entry.ts'
import { methodRefusal } from './guard.ts'
import type { Ask, HttpApp } from './http-parts.ts'
import { refuse } from './problem.ts'

/** Bytes of a form that holds one token. */
const MOST_FORM = 4096

/** `GET /login?code=…` for the link that the server printed; `POST /login` for a token that a person typed. */
export function addLogin(app: HttpApp, auth: Auth): void {
  app.all('/login', async (ask) => {
    const { method } = ask.req
    if (method !== 'GET' && method !== 'POST') return refuse(methodRefusal(['GET', 'POST']))
    const redeemed = method === 'GET' ? byCode(ask, auth) : await byToken(ask, auth)
    if (!('cookie' in redeemed)) return told(ask, redeemed)
    return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': redeemed.cookie } })
  })
}

/** A code becomes a cookie, and is in no address any more. Only a GET of a person takes it, no look ahead of a HEAD. */
function byCode(ask: Ask, auth: Auth) {
  return auth.redeem(ask.req.query('code') ?? '', ask.req.raw, addressOf(ask))
}

/** Only of a form, which a page of another site cannot send here: its origin is checked before. */
async function byToken(ask: Ask, auth: Auth) {
  const length = Number(ask.req.header('content-length') ?? Number.NaN)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(ask.req.header('content-type') ?? '')
  const text = isForm && length <= MOST_FORM ? await ask.req.text() : ''
  return auth.signIn(new URLSearchParams(text).get('token') ?? '', ask.req.raw, addressOf(ask))
}
