import { join } from 'node:path'
import { ownPackage } from '../../files/home.ts'

export function version(): string {
  return ownPackage()?.version ?? 'unknown'
}

/** Directory of the built web UI in the package of this program. */
export function webFolder(): string {
  return join(ownPackage()?.directory ?? '.', 'dist/web')
}
