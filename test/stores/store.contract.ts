import { expect } from 'vitest'
import { COLLECTION } from './filled.ts'
import type { Openable } from './opened.ts'
import { collectionsContract } from './store/collections.contract.ts'
import { documentsContract } from './store/documents.contract.ts'
import { filterContract } from './store/filter.contract.ts'
import { indexContract } from './store/index.contract.ts'
import { leaseContract } from './store/lease.contract.ts'
import type { WithStore } from './store/with-store.ts'

/** What any store keeps of collections, documents and the index. `open` gives a new, empty one. */
export function storeContract(name: string, open: () => Promise<Openable>): void {
  const withStore: WithStore = async (test, collections = ['docs']) => {
    const { store } = await open()
    try {
      for (const each of collections) await store.collections.add({ ...COLLECTION, name: each })
      await test(store)
      expect(await store.check()).toEqual([])
    } finally {
      await store.close()
    }
  }
  collectionsContract(name, withStore)
  documentsContract(name, withStore)
  filterContract(name, withStore)
  indexContract(name, withStore)
  leaseContract(name, open)
}
