import { framed } from '../../text/frames.ts'
import { inputsOf, textIn } from '../inputs.ts'
import type { AgentTool } from '../tool.ts'

/** Leads the person to another place. `go` throws for one that cannot be loaded. */
export function navigateTool(go: (place: string, signal: AbortSignal) => Promise<void>): AgentTool {
  return {
    name: 'navigate',
    description:
      'Lead the person to another place: from then on they stand there, and you are told what applies there.',
    effect: 'read',
    input: {
      type: 'object',
      properties: { place: { type: 'string', description: 'as for context_for' } },
      required: ['place'],
      additionalProperties: false,
    },
    run: async (input, signal) => {
      const place = textIn(inputsOf(input, ['place']), 'place')
      await go(place, signal)
      return framed({ tag: 'place', attributes: {}, text: place })
    },
  }
}
