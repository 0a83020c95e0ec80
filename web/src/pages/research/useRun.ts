import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followRun, type RunEvent, type Session, sessionQuery } from '../../api/sessions.ts'

/** Milliseconds in which what happens is gathered before it is drawn. */
const TOGETHER = 120

export interface Run {
  readonly session: Session | undefined
  readonly events: readonly RunEvent[]
  readonly error: unknown
  refetch(): void
}

/** A session as it is, and all that happened in it; both follow by themselves. */
export function useRun(id: string): Run {
  const client = useQueryClient()
  const { data: session, error, refetch } = useQuery(sessionQuery(id))
  const [received, setReceived] = useState<{ readonly id: string; readonly events: readonly RunEvent[] }>({
    id,
    events: [],
  })
  useEffect(() => {
    const ending = new AbortController()
    let waiting: RunEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer = undefined
      const news = waiting
      waiting = []
      setReceived((before) => ({ id, events: [...(before.id === id ? before.events : []), ...news] }))
      client.invalidateQueries({ queryKey: ['sessions'] })
    }
    const onEvent = (event: RunEvent) => {
      waiting.push(event)
      timer ??= setTimeout(draw, TOGETHER)
    }
    setReceived({ id, events: [] })
    followRun(id, { onEvent, signal: ending.signal })
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [id, client])
  return { session, events: received.id === id ? received.events : [], error, refetch }
}
