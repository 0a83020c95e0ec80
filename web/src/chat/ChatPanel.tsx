import { useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import { SidePanel } from '../frame/side.tsx'
import { lazyPart } from '../ui/part.ts'
import { Skeleton } from '../ui/State.tsx'

/**
 * The AI SDK uses zod, which tests whether it may compile code. The content security policy forbids that, and the browser
 * reports even the test. This flag prevents the test, so it is set before zod loads.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

/** Loaded when it is first opened, because the first page does not need it. */
const Assistant = lazyPart(() => import('./Assistant.tsx').then(({ Assistant }) => Assistant))

/** The assistant beside every page except its own. */
export function ChatPanel() {
  const isPage = useRouterState({ select: ({ location }) => /^\/chat(\/|$)/.test(location.pathname) })
  if (isPage) return null
  return (
    <SidePanel id="assistant" title="Assistant" isAmbient>
      <Suspense fallback={<Skeleton rows={4} />}>
        <Assistant />
      </Suspense>
    </SidePanel>
  )
}
