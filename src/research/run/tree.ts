import { byPosition } from './evidence.ts'

export interface QuestionTreeOptions {
  /** Nodes that are worked on at once. */
  readonly concurrency: number
  /** Nodes to begin with. */
  readonly ready: readonly string[]
  readonly signal: AbortSignal
  /** Does one node; gives the nodes that come of it. What it has to tell, it has told by then. */
  work(id: string): Promise<readonly string[]>
}

/**
 * Works on a tree, some nodes at once. Of those that are ready the first by its position is next: one at a time, they are
 * done depth first. When one fails, no other is begun, and it is thrown once those under way have come to an end.
 */
export function workThroughTree({ concurrency, ready: first, signal, work }: QuestionTreeOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ready = [...first]
  let running = 0
  let failure: { readonly error: unknown } | undefined
  const next = () => {
    ready.sort(byPosition)
    while (!failure && !signal.aborted && running < concurrency && ready.length > 0) begin(ready.shift() ?? '')
    if (running > 0) return
    if (failure) reject(failure.error)
    else resolve()
  }
  const begin = (id: string) => {
    running++
    work(id)
      .then(
        (children) => ready.push(...children),
        (error: unknown) => {
          failure ??= { error }
        },
      )
      .finally(() => {
        running--
        next()
      })
  }
  next()
  return promise
}
