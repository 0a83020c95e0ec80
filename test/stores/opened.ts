import { expect } from 'vitest'
import type { Store } from '../../src/stores/store.ts'

/** A new, empty store; `again` opens the same place once more, as another process would. */
export interface Openable {
  readonly store: Store
  again?(): Promise<Store>
}

/** Tests with a store, and with the same one as another process has it; both are whole at the end, and closed. */
export function withStores(open: () => Promise<Openable>) {
  return async (test: (store: Store, other: Store) => Promise<void>): Promise<void> => {
    const { store, again } = await open()
    const other = (await again?.()) ?? store
    try {
      await test(store, other)
      expect(await store.check()).toEqual([])
    } finally {
      await store.close()
      if (other !== store) await other.close()
    }
  }
}
