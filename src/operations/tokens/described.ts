import type { TokenLine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'

/** `1f2e3d4c5b6a79800f1e2d3c4b5a6978  alice  read,write  docs  good, expires 2027-01-01, never used`. */
export function tokenLine({ id, name, scopes, collections, state, expiresAt, usedAt }: TokenLine): string {
  const until = state === 'good' && expiresAt !== undefined ? `, expires ${expiresAt.slice(0, 10)}` : ''
  const used = usedAt === undefined ? 'never used' : `used ${usedAt.slice(0, 16).replace('T', ' ')}`
  const where = collections === undefined ? 'all collections' : collections.join(',')
  return oneLine([id, name, scopes.join(','), where, `${state}${until}, ${used}`].join('  '))
}
