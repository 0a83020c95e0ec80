/** The part of Trusted Types that is used here. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * Starts a worker of this program. The content security policy loads a script only if a Trusted Types policy made its URL. This
 * policy makes only URLs of the program's own assets.
 */
export function startWorker(url: string): Worker {
  if (!/^\/(assets|src|@fs|node_modules)\/[^?#]*(\?[\w&=.-]*)?$/.test(url))
    throw new Error(`${url} is not a part of this program.`)
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('ambit-worker', { createScriptURL: () => url })
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
}
