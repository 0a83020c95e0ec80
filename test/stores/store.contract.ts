import { conversationStoreContract } from './conversations.contract.ts'
import { COLLECTION } from './filled.ts'
import { jobsContract } from './jobs.contract.ts'
import { momentsContract } from './moments.contract.ts'
import { type Openable, withStores } from './opened.ts'
import { runStoreContract } from './runs.contract.ts'
import { collectionsContract } from './store/collections.contract.ts'
import { indexContract } from './store/index.contract.ts'
import { leaseContract } from './store/lease.contract.ts'
import type { WithStore } from './store/with-store.ts'

/** What any store keeps of collections, documents and the index. `open` gives a new, empty one. */
function storeContract(name: string, open: () => Promise<Openable>): void {
  const withEmpty = withStores(open)
  const withStore: WithStore = (test, collections = ['docs']) =>
    withEmpty(async (store) => {
      for (const each of collections) await store.collections.add({ ...COLLECTION, name: each })
      await test(store)
    })
  collectionsContract(name, withStore)
  indexContract(name, withStore)
  leaseContract(name, open)
}

/** What any store does. */
export const CONTRACTS = [storeContract, conversationStoreContract, runStoreContract, momentsContract, jobsContract]
