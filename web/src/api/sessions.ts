/** Research: sessions, their files, what happens in a run, and reports. Names with underscores are those on the wire. */

import { queryOptions } from '@tanstack/react-query'
import { Failure, reached } from './call.ts'
import { eventsOf } from './follow.ts'

export interface SessionLine {
  readonly session_id: string
  readonly question: string
  /** `created`, `running`, `planned`, `paused`, `completed`, `stopped` or `failed`. */
  readonly status: string
  /** The session that it goes on from. */
  readonly follows: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface SessionFile {
  readonly id: string
  readonly name: string
  readonly alias: string
  /** Bytes. */
  readonly size: number
  readonly status: 'uploaded' | 'ready' | 'error'
  readonly reason?: string
  readonly items_count?: number
}

export type EvidenceKind = 'context' | 'collections' | 'web' | 'earlier'

export interface Finding {
  readonly text: string
  readonly ref: string
  readonly kind: EvidenceKind
}

/** What a question has of the files. `selected_items` only where the server is asked to show bodies. */
export interface Slice {
  readonly mode: string
  readonly selection_reason: string
  readonly coverage_note: string
  readonly dropped_items_count: number
  readonly selected_items_count: number
  readonly selected_items?: readonly { readonly id: string; readonly kind: string; readonly text: string }[]
}

export interface SessionNode {
  /** By its position: `1`, `1.2`. */
  readonly id: string
  readonly parent: string | null
  readonly question: string
  readonly depth: number
  /** `pending`, `running`, `decomposed`, `answered`, `partial` or `unresolved`. */
  readonly status: string
  readonly pinned: boolean
  readonly queries: readonly string[]
  readonly findings: readonly Finding[]
  readonly gaps: readonly string[]
  readonly reasoning: string
  readonly slice: Slice | null
  /** Ids of items that none of its children has. */
  readonly orphans: readonly string[]
}

export interface Session extends SessionLine {
  readonly context_processing: {
    readonly status: string
    readonly files_total: number
    readonly files_ready: number
    readonly files_error: number
  }
  readonly files: readonly SessionFile[]
  readonly nodes: readonly SessionNode[]
  readonly spent: { readonly calls: number; readonly input: number; readonly output: number; readonly cost?: number }
  readonly failure: { readonly message: string; readonly hint?: string } | null
  readonly ui_debug: boolean
  readonly report: { readonly grade: string; readonly is_partial: boolean } | null
}

/** Something that happened, with a sentence that tells it. */
export interface RunEvent {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly node_id?: string
  readonly narration?: string
}

export interface ReportSource {
  readonly ref: string
  readonly kind: EvidenceKind
  readonly title: string
  /** Of a file of the session. */
  readonly file?: string
  readonly page?: number
  readonly lines?: { readonly start: number; readonly end: number }
  /** In UTF-16 units of the file's text. */
  readonly offsets?: { readonly start: number; readonly end: number }
  readonly headings?: readonly string[]
  /** What stands there. */
  readonly text: string
}

export interface Report {
  readonly question: string
  readonly grade: string
  readonly is_partial: boolean
  readonly markdown: string
  readonly sources: readonly ReportSource[]
  readonly quotes: { readonly proven: number; readonly unproven: readonly { readonly quote: string }[] }
}

/** What research is begun with. */
export interface NewSession {
  readonly question: string
  readonly follows?: string
  readonly extractive?: boolean
  readonly collections?: readonly string[]
  readonly searchCollections?: boolean
  /** The provider that is set. */
  readonly web?: 'default'
  readonly plan?: boolean
  readonly depth?: number
}

/** After these nothing happens any more. */
const OVER: ReadonlySet<string> = new Set(['completed', 'stopped'])

export function isOver({ status }: Pick<SessionLine, 'status'>): boolean {
  return OVER.has(status)
}

/** Whether something happens by itself. */
export function isRunning({ status }: Pick<SessionLine, 'status'>): boolean {
  return status === 'running'
}

const PATH = '/api/sessions'

export const sessionsAsked = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await read<{ readonly sessions: readonly SessionLine[] }>(PATH, { signal })).sessions,
})

export function sessionAsked(id: string) {
  return queryOptions({
    queryKey: ['sessions', id],
    queryFn: ({ signal }) => read<Session>(`${PATH}/${id}`, { signal }),
  })
}

export function reportAsked(id: string) {
  return queryOptions({
    queryKey: ['sessions', id, 'report'],
    queryFn: ({ signal }) => read<Report>(`${PATH}/${id}/report?format=json`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The text that was taken from a file. */
export function fileTextAsked(id: string, file: string) {
  return queryOptions({
    queryKey: ['sessions', id, 'text', file],
    queryFn: async ({ signal }) =>
      (await read<{ readonly text: string }>(`${PATH}/${id}/files/${file}/text`, { signal })).text,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The address of a report as a file. */
export function reportFile(id: string, format: 'md' | 'html' | 'json'): string {
  return `${PATH}/${id}/report?format=${format}`
}

/** @throws Failure */
export function begin(session: NewSession): Promise<Session> {
  return read<Session>(PATH, { method: 'POST', body: JSON.stringify(session), headers: JSON_TYPE })
}

/** Keeps a file with a session; nothing is read of it yet. @throws Failure */
export async function addFile(id: string, file: File): Promise<void> {
  const form = new FormData()
  form.set('file', file)
  await read(`${PATH}/${id}/files`, { method: 'POST', body: form })
}

export type Verb = 'start' | 'pause' | 'resume' | 'stop'

/** @throws Failure */
export async function act(id: string, verb: Verb): Promise<void> {
  await reached(new Request(`${PATH}/${id}/${verb}`, { method: 'POST', body: '{}', headers: JSON_TYPE }))
}

/** Changes the first questions of a run that waits for it. @throws Failure */
export async function replan(
  id: string,
  children: readonly { readonly question: string; readonly pinned: boolean }[],
): Promise<void> {
  const body = JSON.stringify({ children })
  await reached(new Request(`${PATH}/${id}/plan`, { method: 'POST', body, headers: JSON_TYPE }))
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

async function read<Body>(path: string, init: RequestInit): Promise<Body> {
  const response = await reached(new Request(path, init))
  return response.json()
}

/** Milliseconds after which a stream that broke off is asked for again. */
const AGAIN = 1_000

interface Following {
  readonly tell: (event: RunEvent) => void
  readonly signal: AbortSignal
}

/**
 * Hears what happens in a run, from its first event on, each once. It ends with the run; where the connection breaks off it
 * goes on from the last event that was heard.
 */
export async function followRun(id: string, { tell, signal }: Following): Promise<void> {
  let last = 0
  while (!signal.aborted) {
    try {
      const request = new Request(`${PATH}/${id}/events`, {
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': String(last) },
      })
      for await (const { data } of eventsOf(await reached(request, { signal }))) {
        const event = data as RunEvent
        if (typeof event?.seq !== 'number' || event.seq <= last) continue
        last = event.seq
        tell(event)
        if (event.type === 'run_completed' || event.type === 'run_aborted') return
      }
    } catch (error) {
      if (signal.aborted || (error instanceof Failure && error.status === 404)) return
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN))
  }
}
