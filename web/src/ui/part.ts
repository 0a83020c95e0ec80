import { QueryObserver, useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy } from 'react'
import { Failure } from '../api/call.ts'
import { client, isServerUp, isUnreachable } from '../api/client.ts'

/** Number of started loads. It gives each load its own key. */
let loadCount = 0

/**
 * Loads a part of the program. Waits while the server is unreachable, as queries do: an error would stay on the page after
 * the server is back.
 *
 * @throws the error of `load` if the server is reachable.
 */
export function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  return load().catch(() => loadWhenReachable(load))
}

/** A component that is loaded at its first rendering. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load) }))
}

/** A query for a part of the program; `data` is undefined until it is loaded. */
export function usePart<Part>(name: string, load: () => Promise<Part>, isWanted = true) {
  return useQuery({
    queryKey: ['part', name],
    queryFn: () => load().catch(throwUnreachable),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

function loadWhenReachable<Part>(load: () => Promise<Part>): Promise<Part> {
  const observer = new QueryObserver(client, {
    queryKey: ['part', ++loadCount],
    queryFn: () => load().catch(throwUnreachable),
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
      // Chromium caches a failed fetch of a module until the page is reloaded.
      else if (wasGone) location.reload()
      else reject(error)
    })
  })
}

async function throwUnreachable(error: unknown): Promise<never> {
  throw (await isServerUp()) ? error : Failure.unreachable()
}
