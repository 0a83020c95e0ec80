import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Frame } from './frame/Frame.tsx'
import { Home } from './pages/home/Home.tsx'
import { NotFound } from './pages/NotFound.tsx'
import { parseSearch, stringifySearch } from './search-params.ts'
import { Trouble } from './ui/State.tsx'

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <Trouble error={error} retry={reset} />,
})

const routes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', component: Home }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/settings/Settings.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/browse/$collection/$',
    component: lazyRouteComponent(() => import('./pages/browse/Browse.tsx'), 'Browse'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/search',
    component: lazyRouteComponent(() => import('./pages/search/SearchPage.tsx'), 'SearchPage'),
  }),
])

export const router = createRouter({
  routeTree: routes,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  trailingSlash: 'never',
  defaultNotFoundComponent: NotFound,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
