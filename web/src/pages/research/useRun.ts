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
  const [heard, setHeard] = useState<{ readonly id: string; readonly events: readonly RunEvent[] }>({ id, events: [] })
  useEffect(() => {
    const ending = new AbortController()
    let waiting: RunEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer = undefined
      const news = waiting
      waiting = []
      setHeard((before) => ({ id, events: [...(before.id === id ? before.events : []), ...news] }))
      client.invalidateQueries({ queryKey: ['sessions'] })
    }
    const tell = (event: RunEvent) => {
      waiting.push(event)
      timer ??= setTimeout(draw, TOGETHER)
    }
    setHeard({ id, events: [] })
    followRun(id, { tell, signal: ending.signal })
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [id, client])
  return { session, events: heard.id === id ? heard.events : [], error, refetch }
}
