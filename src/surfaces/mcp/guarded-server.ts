/** Removes invisible characters and control characters from the output of MCP. */

import { Server } from '@modelcontextprotocol/server'
import { stripControls } from '../../text/controls.ts'
import { neutralise } from '../../text/invisible.ts'
import { mapStrings } from '../../text/map-strings.ts'

/** A server that removes these characters from the results and errors of all methods. */
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

/**
 * Control characters except tab and LF. Single characters, not whole control sequences, because a sequence could extend over the
 * end of an XML element.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Removes control characters, and invisible characters that the text does not need. */
export function neutraliseText(text: string): string {
  return neutralise(text.replace(CONTROLS, '')).text
}

/**
 * As `neutraliseText`, for a text outside of XML elements: also removes control sequences, and writes `<` before a letter as `&lt;`, so
 * that no client reads a tag.
 */
export function neutraliseUnframed(text: string): string {
  return neutraliseText(stripControls(text)).replace(/<(?=[/!?\p{L}_:])/gu, '&lt;')
}
