import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ChatPanel } from './chat/ChatPanel.tsx'
import { Frame } from './frame/Frame.tsx'
import { Home } from './pages/home/Home.tsx'
import { NotFound } from './pages/NotFound.tsx'
import { parseSearch, stringifySearch } from './search-params.ts'
import { loadPart } from './ui/part.ts'
import { ErrorNote } from './ui/State.tsx'

const root = createRootRoute({
  component: () => (
    <Frame>
      <ChatPanel />
    </Frame>
  ),
  notFoundComponent: NotFound,
})

/** Parts of the program that are loaded when they are needed, or when there is nothing else to do. */
const LATER = {
  browse: () => import('./pages/browse/Browse.tsx'),
  search: () => import('./pages/search/SearchPage.tsx'),
  settings: () => import('./pages/settings/Settings.tsx'),
} as const

/** Loads what may be needed next: the pages are then there at once, and also when the server is not. */
export function loadRest(): void {
  const load = () => Promise.all(Object.values(LATER).map((part) => part()))
  requestIdleCallback(() => load().catch(() => {}), { timeout: 3_000 })
}

const routes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', component: Home }),
  createRoute({
    getParentRoute: () => root,
    path: '/browse/$collection/$',
    component: lazyRouteComponent(() => loadPart(LATER.browse), 'Browse'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/search',
    component: lazyRouteComponent(() => loadPart(LATER.search), 'SearchPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    component: lazyRouteComponent(() => loadPart(LATER.settings), 'Settings'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/chat',
    component: lazyRouteComponent(() => loadPart(() => import('./chat/ChatPage.tsx')), 'ChatPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/chat/$conversation',
    component: lazyRouteComponent(() => loadPart(() => import('./chat/ChatPage.tsx')), 'ChatPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/context',
    component: lazyRouteComponent(() => loadPart(() => import('./pages/context/ContextPage.tsx')), 'ContextPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/task',
    component: lazyRouteComponent(() => loadPart(() => import('./pages/task/TaskPage.tsx')), 'TaskPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages',
    component: lazyRouteComponent(() => loadPart(() => import('./pages/packages/PackagesPage.tsx')), 'PackagesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages/$registry/$namespace/$name',
    component: lazyRouteComponent(() => loadPart(() => import('./pages/packages/PackagePage.tsx')), 'PackagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/research',
    component: lazyRouteComponent(() => loadPart(() => import('./pages/research/ResearchPage.tsx')), 'ResearchPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/research/$session',
    component: lazyRouteComponent(() => loadPart(() => import('./pages/research/SessionPage.tsx')), 'SessionPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/research/$session/report',
    component: lazyRouteComponent(() => loadPart(() => import('./pages/research/ReportPage.tsx')), 'ReportPage'),
  }),
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
