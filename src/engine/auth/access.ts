/** Who may ask a server, loaded when somebody does. */

import type { Store } from '../../stores/store.ts'
import type { SignIns } from '../sign-ins.ts'
import type { Tokens } from '../tokens.ts'

export interface Access {
  /** Who may ask a server. */
  tokens(): Promise<Tokens>
  /** Browsers that were let in, at whichever process. */
  signIns(): Promise<SignIns>
}

export function accessOver(store: () => Promise<Store>): Access {
  const tokens = async () => new (await import('../tokens.ts')).Tokens(await store())
  const signIns = async () => {
    const [{ SignIns }, { signIns, now }] = await Promise.all([import('../sign-ins.ts'), store()])
    return new SignIns({ signIns, now, tokens: await tokens() })
  }
  return { tokens, signIns }
}
