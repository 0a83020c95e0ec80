import { cachePerObject } from '../../../core/cache-per-object.ts'
import { narrationOf, type RunEvent } from '../../../research/events.ts'
import { serializeVisibly } from '../../../text/invisible.ts'

const encoder = new TextEncoder()

/** Serializes an event. JSON has no line breaks, so data cannot pose as another event. */
export function eventText(event: string, data: unknown, id?: number): string {
  const position = id === undefined ? '' : `id: ${id}\n`
  return `${position}event: ${event}\ndata: ${serializeVisibly(data)}\n\n`
}

/** A serialized event. All clients share the bytes. */
const eventFrame = cachePerObject(
  (event: RunEvent): Uint8Array =>
    encoder.encode(eventText(event.type, { ...event, narration: narrationOf(event) }, event.seq)),
)

/** The serialized events of a session for one client: first the events of `first`, then new events. */
export async function* frameEvents(events: AsyncIterable<RunEvent>, first: readonly string[]) {
  for (const text of first) yield encoder.encode(text)
  for await (const event of events) yield eventFrame(event)
}
