/** Sign-in by a provider, as the rest of the server knows it. */

import type { Scope } from '../../../core/choices.ts'
import type { Principal } from '../../../engine/principal.ts'
import type { Refusal } from '../problem.ts'

/** How the provider is asked, and who may come in. As `SignOnConfig` of the configuration. */
export interface SignOnSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly scopes: string
  readonly allow: readonly string[]
  readonly everyone: readonly Scope[]
  readonly grants: Readonly<Record<string, Readonly<Record<string, readonly Scope[]>>>>
  readonly url?: string
  readonly hours: number
}

export interface SignOn {
  /** What people know the provider by: its host. */
  readonly provider: string
  /** The rules of the sign-in as one text: a change of it ends all sessions of other rules. */
  readonly rules: string
  /** Redirects a browser to the provider. `to`: the page to return to, from `safeReturnUrl`. */
  begin(request: Request, to: string): Promise<Response | Refusal>
  /** The person, or the problem of the sign-in. */
  end(request: Request): Promise<Person | Refusal>
}

/** A person who may sign in. */
export interface Person {
  readonly principal: Principal
  /** How long they are in, in milliseconds. */
  readonly lastsMs: number
  /** What this browser began, and ends with this. */
  readonly began: string
  /** The page to return to. */
  readonly to: string
  /** Whether they reach the server by https. */
  readonly isSecure: boolean
  /** Cookies that are of no use any more. */
  readonly cookies: readonly string[]
}

/** There is nothing that this browser began, or it has ended. */
export const NOT_BEGUN: Refusal = {
  status: 403,
  code: 'denied',
  detail: 'This sign-in was started in another browser, or has expired.',
  hint: 'Begin it again.',
}

/** Where a sign-in begins, and where the provider sends people back to. */
export const BEGIN = '/login/oidc'
export const RETURN = '/login/oidc/callback'
