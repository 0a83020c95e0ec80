import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from '@tanstack/react-router'
import { ChatPanel } from './chat/ChatPanel.tsx'
import { Frame } from './frame/Frame.tsx'
import { SECTIONS } from './frame/sections.ts'
import { Home } from './pages/home/Home.tsx'
import { parseSearch, stringifySearch } from './search-params.ts'
import { buttonLook } from './ui/Button.tsx'
import { useTitle } from './ui/hooks.ts'
import { loadPart } from './ui/part.ts'
import { Empty, ErrorNote } from './ui/State.tsx'

const root = createRootRoute({
  component: () => (
    <Frame>
      <ChatPanel />
    </Frame>
  ),
  notFoundComponent: NotFound,
})

/** Parts of the program that are loaded on demand, or when the browser is idle. */
const LATER = {
  browse: () => import('./pages/browse/Browse.tsx'),
  search: () => import('./pages/search/SearchPage.tsx'),
  settings: () => import('./pages/settings/Settings.tsx'),
} as const

/** Loads the pages in `LATER`, so that they open at once, even without the server. */
export function loadRest(): void {
  const load = () => Promise.all(Object.values(LATER).map((part) => part()))
  requestIdleCallback(() => load().catch(() => {}), { timeout: 3_000 })
}

/** A page with its own URL. Its code is loaded when the page is first shown. */
function page<const Path extends string, Module extends Readonly<Record<string, unknown>>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  const component = lazyRouteComponent(() => loadPart(load) as never, name as never)
  return createRoute({ getParentRoute: () => root, path, component })
}

const chat = () => import('./chat/ChatPage.tsx')

const routes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', component: Home }),
  page('/browse/$collection/$', LATER.browse, 'Browse'),
  page('/search', LATER.search, 'SearchPage'),
  page('/settings', LATER.settings, 'Settings'),
  page('/chat', chat, 'ChatPage'),
  page('/chat/$conversation', chat, 'ChatPage'),
  page('/context', () => import('./pages/context/ContextPage.tsx'), 'ContextPage'),
  page('/task', () => import('./pages/task/TaskPage.tsx'), 'TaskPage'),
  page('/packages', () => import('./pages/packages/PackagesPage.tsx'), 'PackagesPage'),
  page('/packages/$registry/$namespace/$name', () => import('./pages/packages/PackagePage.tsx'), 'PackagePage'),
  page('/research', () => import('./pages/research/ResearchPage.tsx'), 'ResearchPage'),
  page('/research/$session', () => import('./pages/research/SessionPage.tsx'), 'SessionPage'),
  page('/research/$session/report', () => import('./pages/research/SessionPage.tsx'), 'SessionPage'),
])

export const router = createRouter({
  routeTree: routes,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  trailingSlash: 'never',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <ErrorNote error={error} retry={reset} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function NotFound() {
  useTitle('Not found')
  return (
    <Empty
      isPage
      title="This page does not exist"
      action={
        <nav aria-label="Where to go next" className="flex flex-wrap gap-2">
          {SECTIONS.map(({ name, to }) => (
            <Link key={to} to={to} className={buttonLook({ size: 'md' })}>
              {name}
            </Link>
          ))}
        </nav>
      }
    >
      The address may be mistyped, or belong to another version.
    </Empty>
  )
}
