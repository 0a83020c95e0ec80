/** The output of MCP, without invisible characters and control characters. */

import { Server } from '@modelcontextprotocol/server'
import { stripControls } from '../../text/controls.ts'
import { neutralise } from '../../text/invisible.ts'
import { mapStrings } from '../../text/map-strings.ts'

/** A server that cleans the results and errors of all methods. */
export class GuardedServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>) {
    return super._wrapHandler(method, async (request, context) => {
      try {
        const result = await handler(request, context)
        return mapStrings(result, neutraliseText) as typeof result
      } catch (error) {
        if (error instanceof Error) error.message = neutraliseText(error.message)
        throw error
      }
    })
  }
}

/** Control characters except tab and LF. Only single characters: a sequence could extend over the end of a frame. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Removes invisible characters that the text itself does not need, and control characters. */
export function neutraliseText(text: string): string {
  return neutralise(text.replace(CONTROLS, '')).text
}

/** Cleans a text without a frame: removes control sequences, and writes `<` before a letter as `&lt;`, so that no client takes it for a tag. */
export function neutraliseUnframed(text: string): string {
  return neutraliseText(stripControls(text)).replace(/<(?=[/!?\p{L}_:])/gu, '&lt;')
}
