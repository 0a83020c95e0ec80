import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { client } from './api/client.ts'
import { meQuery } from './api/me.ts'
import { loadRest, router } from './router.tsx'

const root = document.getElementById('root')
if (root) {
  client.prefetchQuery(meQuery)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  loadRest()
}
