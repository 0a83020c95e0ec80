import { createByteStore } from '../byte-store.ts'
import { createConversationStore } from '../conversation-store.ts'
import { createIndexJobStore } from '../index-jobs.ts'
import { createJobStore } from '../jobs.ts'
import { createRowStore } from '../row-store.ts'
import { createSignInStore } from '../sign-in-store.ts'
import type { Store } from '../store.ts'
import { createTokenStore } from '../token-store.ts'
import { createVectorStore } from '../vector-store.ts'
import { checkDatabase } from './check.ts'
import { createCollectionStore } from './collections.ts'
import { createContextStore } from './contexts.ts'
import { createDocumentStore } from './documents.ts'
import { createIndexStore } from './index-store.ts'
import type { LeaseTimes } from './lease.ts'
import { createRunStore } from './runs.ts'
import type { Database } from './statement.ts'

interface Leases {
  /** Durations of the lease to write the index. */
  readonly lease: LeaseTimes | undefined
  /** Durations of the lease to run a session, or to answer in a conversation. */
  readonly runs: LeaseTimes | undefined
}

/** The methods of a store that differ between databases. */
type OwnParts = Pick<Store, 'version' | 'now' | 'size' | 'assertRoom' | 'close'>

export function createStore(database: Database, { lease, runs: times }: Leases, own: OwnParts): Store {
  const of = (owner: string) => ({
    conversations: createConversationStore(database, owner, times),
    runs: createRunStore(database, owner, times),
  })
  return {
    name: database.name,
    collections: createCollectionStore(database),
    documents: createDocumentStore(database),
    contexts: createContextStore(database),
    index: createIndexStore(database, lease),
    vectors: createVectorStore(database, lease),
    rows: createRowStore(database),
    bytes: createByteStore(database),
    ...of(''),
    of,
    jobs: createJobStore(database),
    tokens: createTokenStore(database),
    signIns: createSignInStore(database),
    indexJobs: createIndexJobStore(database, times),
    check: () => checkDatabase(database),
    ...own,
  }
}
