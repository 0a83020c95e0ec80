/** How a browser comes by a cookie. */

import type { Auth } from './auth.ts'
import { onwardPage } from './door.ts'
import { addressOf, told } from './entry.ts'
import { methodRefusal } from './guard.ts'
import type { Ask, HttpApp } from './http-parts.ts'
import { refuse } from './problem.ts'
import { BEGIN, RETURN, type SignOn } from './sign-on.ts'

/** Bytes of a form that holds one token. */
const MOST_FORM = 4096

/**
 * `GET /login?code=…` for the link that the server printed; `POST /login` for a token that a person typed; below it the way by
 * a provider; `POST /logout`.
 */
export function addLogin(app: HttpApp, auth: Auth, signOn?: SignOn): void {
  app.all('/login', async (ask) => {
    const { method } = ask.req
    if (method !== 'GET' && method !== 'POST') return refuse(methodRefusal(['GET', 'POST']))
    const redeemed = await (method === 'GET' ? byCode(ask, auth) : byToken(ask, auth))
    if (!('cookie' in redeemed)) return told(ask, redeemed, signOn)
    return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': redeemed.cookie } })
  })
  app.all('/logout', async (ask) => {
    if (ask.req.method !== 'POST') return refuse(methodRefusal(['POST']))
    const { cookie } = await auth.leave(ask.req.raw)
    return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': cookie } })
  })
  if (signOn) addSignOn(app, auth, signOn)
}

function addSignOn(app: HttpApp, auth: Auth, signOn: SignOn): void {
  app.all(BEGIN, async (ask) => {
    if (ask.req.method !== 'GET') return refuse(methodRefusal(['GET']))
    const begun = await signOn.begin(ask.req.raw)
    return begun instanceof Response ? begun : told(ask, begun, signOn)
  })
  app.all(RETURN, async (ask) => {
    if (ask.req.method !== 'GET') return refuse(methodRefusal(['GET']))
    const { raw } = ask.req
    const person = await signOn.end(raw)
    if ('status' in person) return told(ask, auth.failed(addressOf(ask), person), signOn)
    const entered = await auth.enter(person, raw, addressOf(ask))
    if ('status' in entered) return told(ask, entered, signOn)
    // A page and no redirect: only from a page of its own does the browser send a cookie that is for this site alone.
    const page = onwardPage()
    for (const cookie of [entered.cookie, ...person.cookies]) page.headers.append('Set-Cookie', cookie)
    return page
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
