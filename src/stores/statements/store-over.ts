import type { Store } from '../store.ts'
import { createByteStore } from './bytes.ts'
import { checkDatabase } from './check.ts'
import { createCollectionStore } from './collections.ts'
import { createContextStore } from './contexts.ts'
import { ConversationStatements } from './conversations.ts'
import { createDocumentStore } from './documents.ts'
import { createIndexJobStore } from './index-jobs.ts'
import { IndexStatements } from './index-store.ts'
import { createJobStore } from './jobs.ts'
import type { LeaseTimes } from './lease.ts'
import { createRowStore } from './rows.ts'
import { readOwners } from './run-lease.ts'
import { ResearchStatements } from './runs.ts'
import { createSignInStore } from './sign-ins.ts'
import type { Database } from './statement.ts'
import { createTokenStore } from './tokens.ts'
import { VectorStatements } from './vectors.ts'

interface Leases {
  /** Of a process that writes the index. */
  readonly lease: LeaseTimes | undefined
  /** Of a process that runs a session, or answers in a conversation. */
  readonly runs: LeaseTimes | undefined
}

/** What each database does in its own way. */
type OwnParts = Pick<Store, 'version' | 'now' | 'size' | 'assertRoom' | 'close'>

/** The store in a database. */
export function storeOver(database: Database, { lease, runs: times }: Leases, own: OwnParts): Store {
  const of = (owner: string) => ({
    conversations: new ConversationStatements(database, owner, times),
    runs: new ResearchStatements(database, owner, times),
  })
  return {
    name: database.name,
    collections: createCollectionStore(database),
    documents: createDocumentStore(database),
    contexts: createContextStore(database),
    index: new IndexStatements(database, lease),
    vectors: new VectorStatements(database, lease),
    rows: createRowStore(database),
    bytes: createByteStore(database),
    ...of(''),
    of,
    owners: () => readOwners(database),
    jobs: createJobStore(database),
    tokens: createTokenStore(database),
    signIns: createSignInStore(database),
    indexJobs: createIndexJobStore(database, times),
    check: () => checkDatabase(database),
    ...own,
  }
}
