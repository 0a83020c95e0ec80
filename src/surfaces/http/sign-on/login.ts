/** How a browser comes by a cookie. */

import type { Auth } from '../auth.ts'
import { httpCall, refusalResponse, remoteAddress } from '../entry.ts'
import { methodRefusal } from '../guard.ts'
import type { Ask, HttpRouter } from '../http-parts.ts'
import { refuse } from '../problem.ts'
import { BEGIN, HOME, RETURN, returnPage, type SignOn, safeReturnUrl } from './sign-on.ts'

/** Maximum bytes of a form with a token and the page to return to. */
const MOST_FORM = 4096

/**
 * `GET /login?code=…` for the link that the server printed; `POST /login` for a token that a person typed; below it the way by
 * a provider; `POST /logout`.
 */
export function addLogin(app: HttpRouter, auth: Auth, signOn?: SignOn): void {
  app.all('/login', async (ask) => {
    const { method } = ask.req
    if (method !== 'GET' && method !== 'POST') return refuse(methodRefusal(['GET', 'POST']))
    const form = await formIn(ask)
    const redeemed = await (method === 'GET' ? byCode(ask, auth) : byToken(form, ask, auth))
    const to = safeReturnUrl(form.get('to'))
    if (!('cookie' in redeemed)) return refusalResponse(httpCall(ask), redeemed, { signOn, to })
    return new Response(null, { status: 303, headers: { Location: to, 'Set-Cookie': redeemed.cookie } })
  })
  app.all('/logout', async (ask) => {
    if (ask.req.method !== 'POST') return refuse(methodRefusal(['POST']))
    const { cookie } = await auth.leave(ask.req.raw)
    return new Response(null, { status: 303, headers: { Location: HOME, 'Set-Cookie': cookie } })
  })
  if (signOn) addSignOn(app, auth, signOn)
}

function addSignOn(app: HttpRouter, auth: Auth, signOn: SignOn): void {
  app.all(BEGIN, async (ask) => {
    if (ask.req.method !== 'GET') return refuse(methodRefusal(['GET']))
    const to = safeReturnUrl(ask.req.query('to'))
    const begun = await signOn.begin(ask.req.raw, to)
    return begun instanceof Response ? begun : refusalResponse(httpCall(ask), begun, { signOn, to })
  })
  app.all(RETURN, async (ask) => {
    if (ask.req.method !== 'GET') return refuse(methodRefusal(['GET']))
    const { raw } = ask.req
    const person = await signOn.end(raw)
    if ('status' in person) return refusalResponse(httpCall(ask), auth.failed(remoteAddress(ask), person), { signOn })
    const entered = await auth.enter(person, raw, remoteAddress(ask))
    if ('status' in entered) return refusalResponse(httpCall(ask), entered, { signOn, to: person.to })
    // A page and no redirect: only from a page of its own does the browser send a cookie that is for this site alone.
    const page = returnPage(safeReturnUrl(person.to))
    for (const cookie of [entered.cookie, ...person.cookies]) page.headers.append('Set-Cookie', cookie)
    return page
  })
}

/** A code becomes a cookie, and is in no address any more. Only a GET of a person takes it, no look ahead of a HEAD. */
function byCode(ask: Ask, auth: Auth) {
  return auth.redeem(ask.req.query('code') ?? '', ask.req.raw, remoteAddress(ask))
}

/** Only of a form, which a page of another site cannot send here: its origin is checked before. */
function byToken(form: URLSearchParams, ask: Ask, auth: Auth) {
  return auth.signIn(form.get('token') ?? '', ask.req.raw, remoteAddress(ask))
}

/** What was filled in; nothing where it is not a form, or too long for one. */
async function formIn({ req }: Ask): Promise<URLSearchParams> {
  const length = Number(req.header('content-length') ?? Number.NaN)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(req.header('content-type') ?? '')
  return new URLSearchParams(isForm && length <= MOST_FORM ? await req.text() : '')
}
