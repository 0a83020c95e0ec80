/** Decides which addresses a page may be fetched from. */

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { BOUNDS } from '../core/bounds.ts'
import { ContextError, invalidInput, throwIfAborted } from '../core/errors.ts'
import { untilAborted } from '../core/steps.ts'
import { trimEnd } from '../text/trim.ts'
import { isLoopback, isPublic } from './addresses.ts'

/** Resolves a host name to its addresses. */
export type HostResolver = (host: string) => Promise<readonly string[]>

export interface AddressOptions {
  /** Default: the resolver of the system. */
  readonly resolve?: HostResolver
  /** Allows this machine, at any port. For tests. Default: false. */
  readonly allowLoopback?: boolean
}

/** Ports of the web. A mail server or a database on another port could read the lines of a request as commands. */
const WEB_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8000', '8008', '8080', '8443', '8888'])

const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|onion)$/

/**
 * Checks a URL, but not the addresses that its host has.
 *
 * @throws ContextError `invalid-input` for a text that is not the URL of a page, `denied` for a URL of this machine or network.
 */
export function requirePageUrl(text: string, { allowLoopback = false }: AddressOptions = {}): URL {
  const urlText = shownUrl(text)
  const lengths = `${text.length} characters; at most ${BOUNDS.pageUrl} are accepted`
  if (text.length > BOUNDS.pageUrl) throw invalidInput(`${urlText} has ${lengths}.`, 'Give a shorter one.')
  if (!URL.canParse(text)) throw invalidInput(`${urlText} is not a URL of a page.`, 'Give an http or https URL.')
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol))
    throw invalidInput(`${urlText} is neither http nor https.`, 'Only pages of the web are read.')
  if (url.username + url.password !== '')
    throw invalidInput(`${urlText} has a name or a password in it.`, 'Leave them out.')
  const host = hostOf(url)
  if (allowLoopback && (isLoopback(host) || host === 'localhost')) return url
  if (!WEB_PORTS.has(url.port)) throw addressDenied(`${urlText} uses port ${url.port}, which is not allowed for pages.`)
  if (host === '' || LOCAL_NAMES.test(host) || (isIP(host) !== 0 && !isPublic(host)))
    throw addressDenied(`${urlText} is not public.`)
  return url
}

/**
 * The addresses of a URL's host. If one address is forbidden, all addresses are refused.
 *
 * @throws ContextError `denied` for an address that is not public, `unavailable` for an unknown name, `cancelled`.
 */
export async function addressesOf(url: URL, guard: AddressOptions, signal: AbortSignal): Promise<readonly string[]> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await resolveHost(host, guard.resolve ?? resolveBySystem, signal) : [host]
  const forbidden = addresses.find((address) => !isPublic(address) && !(guard.allowLoopback && isLoopback(address)))
  if (forbidden !== undefined) throw addressDenied(`${shownUrl(url.href)} leads to ${forbidden}, which is not public.`)
  return addresses
}

async function resolveHost(host: string, resolve: HostResolver, signal: AbortSignal): Promise<readonly string[]> {
  throwIfAborted(signal)
  try {
    const addresses = await untilAborted(resolve(host), signal, ({ reason }) => reason)
    if (addresses.length > 0) return addresses
  } catch (cause) {
    if (signal.aborted) throw cause
  }
  throw new ContextError('unavailable', `The name ${host} is not known.`, { hint: 'Check its spelling.' })
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** The host without the brackets of IPv6 and the final dot of a name. */
export function hostOf({ hostname }: URL): string {
  return trimEnd(hostname.replace(/^\[(.*)\]$/, '$1'), '.').toLowerCase()
}

/** The URL for messages: short, without credentials. */
export function shownUrl(text: string): string {
  const withoutCredentials = text
    .replace(/^(?=([a-z+.-]*:?[\\/]*))\1[^\\/?#]*@/i, '$1…@')
    .replace(/[\0-\x20\x7f-\x9f]/g, '')
  return withoutCredentials.length > 200 ? `${withoutCredentials.slice(0, 199).toWellFormed()}…` : withoutCredentials
}

function addressDenied(message: string): ContextError {
  return new ContextError('denied', message, { hint: 'Pages are read from the public internet only.' })
}
