/** The proxy of the environment, by Node's own support. */

import * as http from 'node:http'

let isSet = false

/**
 * Sends what this process fetches through `HTTPS_PROXY` and `HTTP_PROXY`, as Node does it, but for `NO_PROXY` and this machine.
 * On a Node that cannot, `NODE_USE_ENV_PROXY=1` does it from the start.
 */
export function useProxy(environment: Readonly<Record<string, string | undefined>>): void {
  const named = Object.entries(environment).filter(([name, value]) => value && /^(https?|no)_proxy$/i.test(name))
  if (isSet || !named.some(([name]) => /^https?_/i.test(name))) return
  isSet = true
  const proxies = Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]))
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (proxies: object) => unknown }
  setGlobalProxyFromEnv?.({
    ...proxies,
    no_proxy: ['localhost,127.0.0.1,[::1]', proxies.no_proxy].filter(Boolean).join(),
  })
}
