import type { RunStore, StoredSession } from '../../stores/run-store.ts'
import { stateOf } from '../run/journal.ts'

/** Of a session that nobody runs, nobody wants that it is run any more; it can be gone on with. */
export async function laidAside(store: RunStore, session: StoredSession): Promise<void> {
  const { status } = await stateOf(store, session)
  const isInterrupted = status === 'running' || status === 'queued'
  await store.update(session.id, { wanted: '', status: isInterrupted ? 'paused' : status })
}
