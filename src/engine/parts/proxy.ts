/** The HTTP proxy of the environment, through Node's own support. */

import * as http from 'node:http'

let isSet = false

/**
 * Sends requests of this process through `HTTPS_PROXY` and `HTTP_PROXY`, except requests to `NO_PROXY` and to this machine. A
 * version of Node without this support needs `NODE_USE_ENV_PROXY=1` at its start.
 */
export function useProxy(environment: Readonly<Record<string, string | undefined>>): void {
  const entries = Object.entries(environment).filter(([name, value]) => value && /^(https?|no)_proxy$/i.test(name))
  if (isSet || !entries.some(([name]) => /^https?_/i.test(name))) return
  isSet = true
  const proxies = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (proxies: object) => unknown }
  const no_proxy = ['localhost,127.0.0.1,[::1]', proxies.no_proxy].filter(Boolean).join()
  setGlobalProxyFromEnv?.({ ...proxies, no_proxy })
}
