/** The HTTP proxy of the environment, through Node's own support. */

import * as http from 'node:http'

type Environment = Readonly<Record<string, string | undefined>>

let isSet = false

/**
 * Sends requests of this process through `HTTPS_PROXY` and `HTTP_PROXY`, except requests to `NO_PROXY` and to this machine. A
 * version of Node without this support needs `NODE_USE_ENV_PROXY=1` at its start.
 */
export function useProxy(environment: Environment): void {
  const settings = isSet ? undefined : proxySettings(environment)
  if (!settings) return
  isSet = true
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (settings: object) => unknown }
  setGlobalProxyFromEnv?.(settings)
}

/** The variables for Node, by their names in lower case; undefined without a proxy. */
export function proxySettings(environment: Environment): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(environment).map(([name, value = '']) => [name.toLowerCase(), value] as const)
  const set = Object.fromEntries(entries.filter(([name, value]) => value && /^(?:https?|no)_proxy$/.test(name)))
  if (set.http_proxy === undefined && set.https_proxy === undefined) return undefined
  return { ...set, no_proxy: ['localhost,127.0.0.1,[::1]', set.no_proxy].filter(Boolean).join() }
}
