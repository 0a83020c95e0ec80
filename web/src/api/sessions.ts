/** Research sessions, their files, the events of runs, and reports. Names with underscores are those of the API. */

import { queryOptions } from '@tanstack/react-query'
import { type Answer, Failure, fetchJson, fetchOrThrow, type Input, postJson } from './call.ts'
import { client } from './client.ts'
import { eventsOf } from './follow.ts'

export type Session = Answer<'research.show'>
export type SessionLine = Answer<'research.list'>['sessions'][number]
export type SessionFile = Session['files'][number]
export type SessionNode = Session['nodes'][number]
export type Finding = SessionNode['findings'][number]
export type Report = Answer<'research.export'>['report']
export type ReportSource = Report['sources'][number]

/** An event of a run, with a sentence about it. */
export interface RunEvent {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly node_id?: string
  readonly narration?: string
  /** Why a stage ran without its model. */
  readonly fallback_reason?: string
}

/** Inputs of a new session. Files are added later. */
export type NewSession = Omit<Input<'research.start'>, 'files'>

/** States of a session whose run has ended. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'stopped', 'quarantined'])

export function hasEnded({ status }: Pick<SessionLine, 'status'>): boolean {
  return ENDED.has(status)
}

/** Whether the run continues by itself. */
export function isRunning({ status }: Pick<SessionLine, 'status'>): boolean {
  return status === 'running' || status === 'queued'
}

const PATH = '/api/sessions'

/** Milliseconds between two polls of sessions while one is running. */
const FOLLOW_MS = 2_000

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await fetchJson<Answer<'research.list'>>(PATH, { signal })).sessions,
  refetchInterval: ({ state }) => state.data?.some(isRunning) && FOLLOW_MS,
})

export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: ['sessions', id],
    queryFn: ({ signal }) => fetchJson<Session>(`${PATH}/${id}`, { signal }),
  })
}

export function reportQuery(id: string) {
  return queryOptions({
    queryKey: ['sessions', id, 'report'],
    queryFn: ({ signal }) => fetchJson<Report>(`${PATH}/${id}/report?format=json`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The extracted text of a file. */
export function fileTextQuery(id: string, file: string) {
  return queryOptions({
    queryKey: ['sessions', id, 'text', file],
    queryFn: ({ signal }) => fetchJson<{ readonly text: string }>(`${PATH}/${id}/files/${file}/text`, { signal }),
    select: ({ text }) => text,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The address of a report as a file. */
export function reportFile(id: string, format: string): string {
  return `${PATH}/${id}/report?format=${format}`
}

/** @throws Failure */
export function createSession(session: NewSession): Promise<Session> {
  return fetchJson(PATH, postJson(session))
}

/** Uploads a file to a session. The run reads it later. @throws Failure */
export async function addFile(id: string, file: File): Promise<void> {
  const form = new FormData()
  form.set('file', file)
  await fetchJson(`${PATH}/${id}/files`, { method: 'POST', body: form })
}

export type RunAction = 'start' | 'pause' | 'resume' | 'stop'

/** @throws Failure */
export async function changeRun(id: string, verb: RunAction): Promise<void> {
  await fetchOrThrow(new Request(`${PATH}/${id}/${verb}`, postJson({})))
}

/** Replaces the questions of a plan that waits for approval. A pinned question is not split further. @throws Failure */
export async function replan(
  id: string,
  children: readonly { readonly question: string; readonly pinned: boolean }[],
): Promise<void> {
  await fetchOrThrow(new Request(`${PATH}/${id}/plan`, postJson({ children })))
}

/** Milliseconds before a lost stream is requested again. */
const RECONNECT_MS = 1_000

/**
 * Calls `onEvent` once for each event of a run, from the first event. Reconnects after a lost connection; resolves when the run
 * ends.
 */
export async function followRun(id: string, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<void> {
  let last = 0
  while (!signal.aborted) {
    try {
      const request = new Request(`${PATH}/${id}/events`, {
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': String(last) },
      })
      for await (const { data } of eventsOf(await fetchOrThrow(request, { signal }))) {
        const event: RunEvent | undefined = JSON.parse(data)
        if (typeof event?.seq !== 'number' || event.seq <= last) continue
        last = event.seq
        onEvent(event)
        if (event.type === 'run_completed' || event.type === 'run_aborted') return
      }
    } catch (error) {
      if (signal.aborted || (error instanceof Failure && error.status === 404)) return
      // If the server is unreachable, the failure of this query shows that on the page.
      void client.refetchQueries({ queryKey: ['sessions', id], exact: true, type: 'active' })
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}
