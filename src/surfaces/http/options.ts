import { lookup } from 'node:dns/promises'
import { hostname, networkInterfaces } from 'node:os'
import { ContextError } from '../../core/errors.ts'
import { isLoopback } from '../../internet/addresses.ts'
import type { ServiceInput } from '../../operations/index.ts'

/** Inputs of `ambit serve`. */
export type ServeOptions = ServiceInput<'serve'> & {
  readonly json: boolean
  /** The database to use instead of the configured database. */
  readonly db?: string
}

/**
 * Minimum length of the token of a server on a network. 128 bits are 32 hexadecimal digits, or 22 characters of a larger
 * alphabet.
 */
const MIN_TOKEN = { hexadecimal: 32, other: 22 }

/** Minimum length and number of different characters of a token, if only programs on this machine can reach the server. */
const MIN_LOCAL_TOKEN = { length: 8, different: 5 }

/** Minimum number of different characters in a token on a network. A token with fewer was not chosen at random. */
const MIN_DIFFERENT_CHARACTERS = 8

/**
 * The address to bind. A server on a network needs a token that the user chose, because a generated token could be read in a log.
 *
 * @throws ContextError `denied`; `invalid-input` for a name without an address.
 */
export async function addressFor(host: string, token: string | undefined): Promise<string> {
  const { address } = await lookup(withoutBrackets(host)).catch((cause) => {
    throw new ContextError('invalid-input', `There is no address for --host ${host}.`, { cause })
  })
  if (isLoopback(address)) {
    assertHardToGuess(token)
    return address
  }
  if (isStrong(token ?? '')) return address
  const message =
    token === undefined
      ? `${host} can be reached by others, and no token is set.`
      : `${host} can be reached by others, and the token is easily guessed: use at least ${MIN_TOKEN.other} characters, or ${MIN_TOKEN.hexadecimal} hexadecimal digits.`
  const hint = 'Set AMBIT_TOKEN to a long random text ("openssl rand -hex 32"), or leave --host out.'
  throw new ContextError('denied', message, { hint })
}

/** @throws ContextError `denied` for a token that is easy to guess. */
function assertHardToGuess(token: string | undefined): void {
  if (token === undefined) return
  const { length, different } = MIN_LOCAL_TOKEN
  if (token.length >= length && new Set(token).size >= different) return
  const message = `The token is easily guessed: use at least ${length} characters, ${different} of them different.`
  throw new ContextError('denied', message, { hint: 'Set AMBIT_TOKEN to a long random text ("openssl rand -hex 32").' })
}

function isStrong(token: string): boolean {
  const minimum = /^[0-9a-f]*$/i.test(token) ? MIN_TOKEN.hexadecimal : MIN_TOKEN.other
  return token.length >= minimum && new Set(token).size >= MIN_DIFFERENT_CHARACTERS
}

/**
 * Accepted values of `Host`: the address, or all names of this machine if all addresses are bound; and names that the user
 * allows.
 */
export function hostsFor({ host, allowHost = [] }: ServeOptions, address: string, port: number): string[] {
  const loopback = ['127.0.0.1', 'localhost', '[::1]']
  const bindsAll = address === '0.0.0.0' || address === '::'
  const interfaces = Object.values(networkInterfaces()).flatMap((each = []) => each.map((one) => one.address))
  const machineNames = [...interfaces.map(bracketAddress), hostname(), ...loopback]
  const ownNames = bindsAll ? machineNames : [bracketAddress(address), bracketAddress(host)]
  const allNames = [...ownNames, ...(isLoopback(address) ? loopback : [])]
  const names = allNames.filter((name) => !/^(0\.0\.0\.0|\[::\])$/.test(name))
  const withPort = [...names, ...allowHost.filter((name) => !/:\d+$/.test(name))].map((name) => `${name}:${port}`)
  // Names without a port: a browser omits the default port, and a proxy has its own port.
  const namesWithoutPort = port === 80 ? names : []
  return [...new Set([...withPort, ...namesWithoutPort, ...allowHost].map((name) => name.toLowerCase()))]
}

/** An address as a part of a URL. */
export function bracketAddress(address: string): string {
  return address.includes(':') ? `[${withoutBrackets(address).replace(/%.*/s, '')}]` : address
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
