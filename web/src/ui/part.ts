import { QueryObserver, useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy } from 'react'
import { Failure } from '../api/call.ts'
import { client, isServerUp, isUnreachable } from '../api/client.ts'

/** Parts that are waited for, each by a number of its own. */
let waited = 0

/**
 * Loads a part of the program. While the server is gone it waits, as queries do, and the page says so: an error in the
 * part's place would stay when the server is back.
 *
 * @throws what `load` throws while the server is there.
 */
export function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  return load().catch(() => loadWhenThere(load))
}

/** A component that is loaded as a part when it is first drawn. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load) }))
}

/** A part that a component uses when it has come, as a query: `data` is undefined until then. */
export function usePart<Part>(name: string, load: () => Promise<Part>, isWanted = true) {
  return useQuery({
    queryKey: ['part', name],
    queryFn: () => load().catch(tellUnreachable),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

function loadWhenThere<Part>(load: () => Promise<Part>): Promise<Part> {
  const observer = new QueryObserver(client, {
    queryKey: ['part', ++waited],
    queryFn: () => load().catch(tellUnreachable),
    structuralSharing: false,
  })
  let wasGone = false
  return new Promise((resolve, reject) => {
    const stop = observer.subscribe(({ data, error, failureReason }) => {
      wasGone ||= isUnreachable(failureReason)
      const isOver = data !== undefined || (error !== null && !isUnreachable(error))
      if (!isOver) return
      stop()
      if (data !== undefined) resolve(data)
      // Chromium remembers that a module of the part could not be fetched, until the page is loaded anew.
      else if (wasGone) location.reload()
      else reject(error)
    })
  })
}

async function tellUnreachable(error: unknown): Promise<never> {
  throw (await isServerUp()) ? error : Failure.unreachable()
}
