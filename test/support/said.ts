/** What a scripted model says, whatever its service speaks. */

import type { Streamed } from './model-server.ts'

interface SaidCall {
  readonly tool: string
  /** A text is sent as it is, JSON or not. */
  readonly input: object | string
  readonly id?: string
}

/** What a model says in one answer. */
export interface Said {
  readonly text?: string | readonly string[]
  /** Its thoughts, where chat completions have them. */
  readonly thought?: string
  readonly calls?: readonly SaidCall[]
  /** How it ends, in OpenAI's words; null: it does not say. Default: by what there is. */
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter' | null
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number }
  /** What becomes of the connection behind it. */
  readonly end?: Streamed['end']
}

/** The same with all that it leaves out. `halves`: the input of a call, as it comes in two pieces. */
export function spelledOut({ text = [], calls = [], finish, usage }: Said) {
  return {
    texts: typeof text === 'string' ? [text] : text,
    calls: calls.map(({ tool, input, id }, at) => {
      const written = typeof input === 'string' ? input : JSON.stringify(input)
      const half = Math.ceil(written.length / 2)
      return { tool, id: id ?? `call_${at}_${tool}`, written, halves: [written.slice(0, half), written.slice(half)] }
    }),
    finish: finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : finish,
    usage: { input: 10, output: 5, cached: 0, ...usage },
  } as const
}
