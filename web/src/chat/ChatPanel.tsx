import { lazy, Suspense } from 'react'
import { SidePanel } from '../frame/side.tsx'
import { Skeleton } from '../ui/State.tsx'

/** Loaded when it is first opened: the first page does without it. */
const Assistant = lazy(() => import('./Assistant.tsx').then(({ Assistant }) => ({ default: Assistant })))

/** The assistant beside every page. */
export function ChatPanel() {
  return (
    <SidePanel id="assistant" title="Assistant" isAmbient>
      <Suspense fallback={<Skeleton rows={4} />}>
        <Assistant />
      </Suspense>
    </SidePanel>
  )
}
