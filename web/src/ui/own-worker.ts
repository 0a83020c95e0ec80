/** The used part of Trusted Types. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * A worker of this program. The content security policy only loads scripts whose address a Trusted Types policy has made. This
 * policy makes addresses of our own assets only.
 */
export function startWorker(url: string): Worker {
  if (!/^\/(assets|src|@fs|node_modules)\/[^?#]*(\?[\w&=.-]*)?$/.test(url))
    throw new Error(`${url} is not a part of this program.`)
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('ambit-worker', { createScriptURL: () => url })
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
}
