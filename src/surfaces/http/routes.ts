/** Templates of routes, for metrics and logs: they contain nothing of an address. */

const FIXED = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/login',
  '/login/oidc',
  '/login/oidc/callback',
  '/logout',
  '/door.css',
  '/openapi.json',
  '/mcp',
  '/entries',
  '/api/me',
  '/api/link',
  '/api/browsers',
  '/api/chat',
  '/api/chat/models',
  '/api/sessions',
])

const BELOW =
  /^\/api\/(chat|sessions)\/[^/]+(?:\/(stream|stop|prompt|files|start|resume|pause|plan|report|events)(\/.*)?)?$/

/** `/api/sessions/:id/events`; `/api/search` for an operation; `other` for what is not a route. */
export function routeOf(path: string, operations: ReadonlySet<string>): string {
  if (FIXED.has(path)) return path
  const [, kind, what, rest] = BELOW.exec(path) ?? []
  if (kind !== undefined)
    return `/api/${kind}/:id${what === undefined ? '' : `/${what}`}${rest === undefined ? '' : '/:id'}`
  if (path.startsWith('/api/')) return operations.has(path.slice('/api/'.length)) ? path : 'other'
  if (path.startsWith('/files/')) return '/files/:path'
  return path.startsWith('/assets/') ? '/assets/:name' : path === '/' ? '/' : 'other'
}

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE']

export function methodOf(method: string): string {
  return METHODS.includes(method) ? method : 'other'
}
