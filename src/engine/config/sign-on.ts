/** How people sign in to a server by an OpenID provider: `oidc` in the file, `AMBIT_OIDC_…`. */

import { SCOPES, type Scope } from '../../core/choices.ts'
import { type ContextError, invalidInput } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { knownScopes } from '../principal.ts'
import { type ConfigSources, exposedFileError, isRecord, isTextList, type Values } from './sources.ts'

export interface SignOnConfig {
  /** The issuer URL of the provider: https, or on this machine. */
  readonly issuer: string
  readonly clientId: string
  /** Absent for a client without a secret. Then only PKCE binds a code to its browser. */
  readonly clientSecret?: string
  /** OpenID scopes, separated by spaces. */
  readonly scopes: string
  /** Admitted people: addresses, `@domain`, `sub:ID`; `*` for all users of the provider. Never empty. */
  readonly allow: readonly string[]
  /** Scopes of everybody who signs in. */
  readonly everyone: readonly Scope[]
  /** Further scopes, by the name of a claim and its value. */
  readonly grants: Readonly<Record<string, Readonly<Record<string, readonly Scope[]>>>>
  /** Public address of this server, such as `https://ambit.example`. Default: the address of the request. */
  readonly url?: string
  /** Hours until a person must sign in again. */
  readonly hours: number
}

const DEFAULT_RIGHTS: readonly Scope[] = ['read', 'research']
const DEFAULT_SCOPES = 'openid email profile'
const DEFAULT_HOURS = 12
const MAX_HOURS = 24 * 30

const FIELDS = ['issuer', 'clientId', 'clientSecret', 'scopes', 'allow', 'grants', 'url', 'hours']

/**
 * The settings of the provider. An environment variable overrides the file.
 *
 * @throws ContextError `invalid-input`; `denied` for a secret in a file that others may read.
 */
export function readSignOnSettings({ environment, values, file = '', isExposed }: ConfigSources): SignOnConfig {
  const { oidc: written = {} } = values
  const unknownField = isRecord(written) ? Object.keys(written).find((name) => !FIELDS.includes(name)) : ''
  if (!isRecord(written) || unknownField !== undefined)
    throw invalidSignOn(`holds ${JSON.stringify(unknownField)}, which is not a setting`)
  const text = (name: string, variable: string): string | undefined => {
    const value = environment[variable] || written[name] || undefined
    if (value === undefined || typeof value === 'string') return value
    throw invalidSignOn(`has a ${name} that is not text`)
  }
  const clientSecret = text('clientSecret', 'AMBIT_OIDC_CLIENT_SECRET')
  if (clientSecret !== undefined && !environment.AMBIT_OIDC_CLIENT_SECRET && isExposed)
    throw exposedFileError(file, 'a secret', ', or set AMBIT_OIDC_CLIENT_SECRET')
  const clientId = text('clientId', 'AMBIT_OIDC_CLIENT_ID')
  if (clientId === undefined) throw invalidSignOn('has no clientId')
  const url = text('url', 'AMBIT_OIDC_URL')
  const { hours = DEFAULT_HOURS } = written
  if (!(typeof hours === 'number' && hours >= 1 && hours <= MAX_HOURS))
    throw invalidSignOn(`has hours that are not 1 to ${MAX_HOURS}`)
  return {
    issuer: checkIssuer(text('issuer', 'AMBIT_OIDC_ISSUER')),
    clientId,
    scopes: readScopes(written.scopes),
    allow: readAllowed(environment.AMBIT_OIDC_ALLOW?.split(',').map((one) => one.trim()) ?? written.allow),
    ...readGrants(written.grants),
    ...omitUndefined({ clientSecret, url: url === undefined ? url : checkServerUrl(url) }),
    hours,
  }
}

/** Validates the issuer. The error does not show an address that may contain a password. */
function checkIssuer(issuer = ''): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url || url.username + url.password + url.search + url.hash !== '')
    throw invalidSignOn('has an issuer that is not a plain URL')
  if (!isPrivateConnection(url)) throw invalidSignOn(`has the issuer ${issuer}, which must be of https`)
  return issuer
}

function checkServerUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && isPrivateConnection(url) && url.href === `${url.origin}/`) return url.origin
  throw invalidSignOn('has a url that is not the address of a server, such as https://ambit.example')
}

/** Whether the connection is private: https, or within this machine. */
function isPrivateConnection({ protocol, hostname }: URL): boolean {
  const isThisMachine = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine)
}

function readScopes(value: unknown = DEFAULT_SCOPES): string {
  const words = typeof value === 'string' ? value.split(/[\s,]+/) : value
  if (isTextList(words) && words.every((one) => /^[\x21-\x7e]+$/.test(one)))
    return [...new Set(['openid', ...words])].join(' ')
  throw invalidSignOn('has scopes that are not valid')
}

/** Reads the admitted people. A missing or empty list is an error: without a list, every user of the provider would be admitted. */
function readAllowed(value: unknown): readonly string[] {
  const admittedPeople = isTextList(value) ? value.filter((one) => one !== '') : []
  if (admittedPeople.length > 0) return admittedPeople
  throw invalidSignOn('does not name any person in "allow"')
}

/**
 * The scopes that people get, such as `{ '*': [read], groups: { admins: [admin] } }`. `*`: scopes for everybody. Other names are
 * claims, with scopes for each value.
 */
function readGrants(value: unknown = {}): Pick<SignOnConfig, 'everyone' | 'grants'> {
  const { '*': everyone = DEFAULT_RIGHTS, ...claims } = asRecord(value)
  const grants = Object.entries(claims).map(([claim, byValue]) => {
    const entries = Object.entries(asRecord(byValue)).map(([one, scopes]) => [one, asScopes(scopes)] as const)
    return [claim, Object.fromEntries(entries)] as const
  })
  return { everyone: asScopes(everyone), grants: Object.fromEntries(grants) }
}

function asRecord(value: unknown): Values {
  if (isRecord(value)) return value
  throw invalidGrants()
}

function asScopes(value: unknown): readonly Scope[] {
  if (isTextList(value) && value.every((one) => SCOPES.some((scope) => scope === one))) return knownScopes(value)
  throw invalidGrants()
}

function invalidSignOn(problem: string): ContextError {
  const hint =
    'For example: oidc: { issuer: https://id.example, clientId: ambit, allow: ["@example.org"] }, and AMBIT_OIDC_CLIENT_SECRET.'
  return invalidInput(`The sign-in by OpenID ${problem}.`, hint)
}

function invalidGrants(): ContextError {
  const hint = `Scopes are ${SCOPES.join(', ')}. For example: grants: { "*": [read], groups: { admins: [read, write, admin] } }.`
  return invalidInput('The sign-in by OpenID has grants that are not valid.', hint)
}
