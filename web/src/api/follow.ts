import { type Answer, Failure, fetchOrThrow, type Input, type Name, requestOf } from './call.ts'
import type { Problem } from './schema.ts'

/** How far a run is. */
export interface Progress {
  readonly what: string
  readonly done: number
  readonly total: number
}

interface Following {
  readonly tell: (progress: Progress) => void
  readonly signal: AbortSignal
  /** Hears by which id the run can be joined again from here on. */
  readonly onPosition?: (id: string) => void
  /** Such an id: that run is joined, and no other is begun. */
  readonly from?: string | undefined
}

/**
 * Asks for something that takes its time, and hears how far it is. The work ends when the signal is fired; it goes on for a
 * while when the page is left, and can be joined again.
 *
 * @throws Failure
 */
export async function follow<One extends Name>(
  name: One,
  input: Input<One>,
  { tell, signal, onPosition, from }: Following,
): Promise<Answer<One>> {
  const request = requestOf(name, input)
  request.headers.set('Accept', 'text/event-stream')
  if (from !== undefined) request.headers.set('Last-Event-ID', from)
  const response = await fetchOrThrow(request, { signal })
  for await (const { event, data, id } of eventsOf(response)) {
    if (id !== undefined) onPosition?.(id)
    if (event === 'result') return data as Answer<One>
    if (event === 'problem') throw new Failure(data as Problem)
    if (event === 'progress') tell(data as Progress)
  }
  throw new Failure({ code: 'unavailable', status: 0, detail: 'The answer was interrupted.', hint: 'Try again.' })
}

export interface ServerEvent {
  readonly event: string
  readonly data: unknown
  readonly id?: string
}

/** The events of a response, as they come. */
export async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = `${rest}${value}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventIn(block)
      if (event) yield event
    }
  }
}

/** Undefined for a comment, which only keeps the connection alive. */
function eventIn(block: string): ServerEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.replace(/^\w*: /, '')]),
  )
  const event = fields.get('event')
  const id = fields.get('id')
  if (event === undefined) return undefined
  return { event, data: JSON.parse(fields.get('data') ?? 'null'), ...(id !== undefined && { id }) }
}
