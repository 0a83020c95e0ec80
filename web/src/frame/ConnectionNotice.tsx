import { useIsFetching } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Failure } from '../api/call.ts'
import { client } from '../api/client.ts'

/** What all of the page suffers from, if anything: the server is gone, or does not know this browser. */
type Trouble = 'unreachable' | 'signed-out' | undefined

function currentTrouble(): Trouble {
  const errors = client
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive())
    .map(({ state: { error } }) => error)
  const failures = errors.filter((error) => error instanceof Failure)
  if (failures.some(({ isSignedOut }) => isSignedOut)) return 'signed-out'
  return failures.some(({ isUnreachable }) => isUnreachable) ? 'unreachable' : undefined
}

function useTrouble(): Trouble {
  useIsFetching()
  return useSyncExternalStore((listener) => client.getQueryCache().subscribe(listener), currentTrouble)
}

const NOTICES = {
  unreachable: 'The server does not respond. This page continues when it is back.',
  'signed-out': 'Open the link that "ambit serve" printed to sign in again, then come back to this page.',
} as const

/** A line under the top that says so. */
export function ConnectionNotice() {
  const trouble = useTrouble()
  return (
    <div role="status" aria-live="polite">
      {trouble && (
        <p className="border-b border-line bg-surface px-4 py-1.5 text-sm text-warn">
          <strong className="font-semibold">{trouble === 'unreachable' ? 'Disconnected. ' : 'Signed out. '}</strong>
          {NOTICES[trouble]}
        </p>
      )}
    </div>
  )
}
