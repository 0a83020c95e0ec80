/** The one exit of MCP: no string leaves with characters that are not seen, or with control characters. */

import { Server } from '@modelcontextprotocol/server'
import { stripControls } from '../../text/controls.ts'
import { neutralise } from '../../text/invisible.ts'

/** A server whose results and errors, of all methods, leave through the exit. */
export class GuardedServer extends Server {
  protected override _wrapHandler(...[method, handler]: WrapParameters): ReturnType<Server['_wrapHandler']> {
    return super._wrapHandler(method, async (request, context) => {
      try {
        return neutraliseStrings(await handler(request, context))
      } catch (error) {
        if (error instanceof Error) error.message = neutraliseText(error.message)
        throw error
      }
    })
  }
}

type WrapParameters = Parameters<Server['_wrapHandler']>

/** All but tab and LF. Single characters only: a sequence could reach over the end of a frame. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** A text without what is not seen: invisible characters that nothing explains, and control characters. */
export function neutraliseText(text: string): string {
  return neutralise(text.replace(CONTROLS, '')).text
}

/** A value of JSON with each of its strings neutralised, names of properties included. */
function neutraliseStrings<Value>(value: Value): Value {
  return mapStrings(value, neutraliseText) as Value
}

/**
 * A text that stands in no frame: without control sequences, and so that no client takes any of it for a tag: `<` before what
 * may be a name is `&lt;`.
 */
export function neutraliseData(text: string): string {
  return neutraliseText(stripControls(text)).replace(/<(?=[/!?\p{L}_:])/gu, '&lt;')
}

/** A value of JSON with a function applied to each of its strings, names of properties included. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [map(name), mapStrings(item, map)]))
}
