import type { LoadAnswer } from '../../engine/engine.ts'

/** What a session was given, so that it is not given twice. Plain data, and functions over it. */

type SentFragment = LoadAnswer['sent'][number]

/** Of each thing, what was given of it last. */
export type SentState = readonly SentFragment[]

/** The state after something was given. */
export function rememberSent(state: SentState, sent: readonly SentFragment[]): SentState {
  const uris = new Set(sent.map(({ uri }) => uri))
  return [...state.filter(({ uri }) => !uris.has(uri)), ...sent]
}

/** The digests of what the session has. */
export function knownDigests(state: SentState): string[] {
  return state.map(({ digest }) => digest)
}

/** The uris of what is given again since its text is another. */
export function replacedUris(state: SentState, sent: readonly SentFragment[]): string[] {
  const had = new Set(state.map(({ uri }) => uri))
  const same = new Set(knownDigests(state))
  return sent.filter(({ uri, digest }) => had.has(uri) && !same.has(digest)).map(({ uri }) => uri)
}

/** A session of one connection. What depends on what was given before runs in turn, so that calls at once give nothing twice. */
export class McpSession {
  #state: SentState = []
  #turn: Promise<unknown> = Promise.resolve()

  /** Runs work over the state; what it returns as `sent` is remembered. */
  async inTurn<Result extends { readonly sent: readonly SentFragment[] }>(
    work: (state: SentState) => Promise<Result>,
  ): Promise<Result> {
    const turn = this.#turn.then(async () => {
      const result = await work(this.#state)
      this.#state = rememberSent(this.#state, result.sent)
      return result
    })
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}
