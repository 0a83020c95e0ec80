import { cachePerObject } from '../../../core/cache-per-object.ts'
import { narrationOf, type RunEvent } from '../../../research/events.ts'
import { serializeVisibly } from '../../../text/invisible.ts'

const encoder = new TextEncoder()

/** JSON has no line breaks, so data cannot pose as an event. */
export function eventText(event: string, data: unknown, id?: number): string {
  const position = id === undefined ? '' : `id: ${id}\n`
  return `${position}event: ${event}\ndata: ${serializeVisibly(data)}\n\n`
}

/** A serialized event, which all clients share. */
const eventFrame = cachePerObject(
  (event: RunEvent): Uint8Array =>
    encoder.encode(eventText(event.type, { ...event, narration: narrationOf(event) }, event.seq)),
)

/** The events of a session for one client, after `first`. */
export async function* frameEvents(events: AsyncIterable<RunEvent>, first: readonly string[]) {
  for (const text of first) yield encoder.encode(text)
  for await (const event of events) yield eventFrame(event)
}
