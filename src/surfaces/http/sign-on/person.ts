/** Maps the claims of a provider to a principal and its rights. */

import { SCOPES, type Scope } from '../../../core/choices.ts'
import type { SignOnConfig } from '../../../engine/config.ts'
import type { Principal } from '../../../engine/principal.ts'

export type Claims = Readonly<Record<string, unknown>>

type Rules = Pick<SignOnConfig, 'issuer' | 'allow' | 'everyone' | 'grants'>

/** The principal of a person; undefined if the person may not sign in. */
export function principalOf(claims: Claims, rules: Rules): Principal | undefined {
  const { sub } = claims
  // Only characters that OpenID permits, because the name is stored, compared and logged.
  if (typeof sub !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(sub)) return undefined
  if (!rules.allow.some((rule) => matchesRule(rule, claims))) return undefined
  return { name: `oidc:${new URL(rules.issuer).host}:${sub}`, scopes: scopesOf(claims, rules) }
}

/** The name of a person, to show in a message. */
export function displayName({ email, preferred_username: name, sub }: Claims): string {
  return String([email, name, sub].find((one) => typeof one === 'string' && one !== '') ?? 'Somebody').slice(0, 200)
}

/** Whether the rules need a claim that is missing. */
export function needsMoreClaims(claims: Claims, { allow, grants }: Pick<Rules, 'allow' | 'grants'>): boolean {
  const needsAddress = allow.some((rule) => ruleKind(rule) !== 'sub' && rule !== '*')
  const isMissing = (claim: string) => valuesIn(claims, claim).length === 0
  return (needsAddress && isMissing('email')) || Object.keys(grants).some(isMissing)
}

function matchesRule(rule: string, claims: Claims): boolean {
  if (rule === '*') return true
  const address = verifiedAddress(claims)
  const kind = ruleKind(rule)
  if (kind === 'sub') return claims.sub === rule.replace(/^sub:/, '')
  if (kind === 'address') return address === rule.toLowerCase()
  return address?.slice(address.lastIndexOf('@') + 1) === rule.replace(/^@/, '').toLowerCase()
}

/**
 * The kind of a rule: an address `a@b.example`, a domain `@b.example` or `b.example`, else the id of a person, with or without
 * `sub:`.
 */
function ruleKind(rule: string): 'sub' | 'address' | 'domain' {
  if (rule.startsWith('sub:')) return 'sub'
  if (rule.lastIndexOf('@') > 0) return 'address'
  return rule.startsWith('@') || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(rule) ? 'domain' : 'sub'
}

/**
 * The email address in lower case; undefined unless the provider has verified it, because people can write any address into their
 * profile.
 */
function verifiedAddress({ email, email_verified: isVerified }: Claims): string | undefined {
  const isConfirmed = isVerified === true || isVerified === 'true'
  return isConfirmed && typeof email === 'string' && /^[^@\s]+@[^@\s]+$/.test(email) ? email.toLowerCase() : undefined
}

function scopesOf(claims: Claims, { everyone, grants }: Pick<Rules, 'everyone' | 'grants'>): readonly Scope[] {
  const granted = Object.entries(grants).flatMap(([claim, byValue]) =>
    valuesIn(claims, claim).flatMap((value) => (Object.hasOwn(byValue, value) ? (byValue[value] ?? []) : [])),
  )
  const scopes = new Set([...everyone, ...granted])
  return SCOPES.filter((scope) => scopes.has(scope))
}

/** The texts of a claim. A name such as `realm_access.roles` is a path into nested claims, unless a claim has this name. */
function valuesIn(claims: Claims, claim: string): string[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : claim.split('.').reduce<unknown>(fieldOf, claims)
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

function fieldOf(holder: unknown, name: string): unknown {
  const isRecord = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
  return isRecord ? (holder as Claims)[name] : undefined
}
