import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Answer, Failure, fetchOrThrow, type Input, type Name, requestOf } from './call.ts'

/** Progress of a run. */
export interface Progress {
  readonly what: string
  readonly done: number
  readonly total: number
}

/** Calls a long operation, and reports its progress. `signal` cancels the operation. @throws Failure */
export async function follow<One extends Name>(
  name: One,
  input: Input<One>,
  { onProgress, signal }: { onProgress(progress: Progress): void; readonly signal: AbortSignal },
): Promise<Answer<One>> {
  const request = requestOf(name, input)
  request.headers.set('Accept', 'text/event-stream')
  const response = await fetchOrThrow(request, { signal })
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'result') return JSON.parse(data)
    if (event === 'problem') throw new Failure(JSON.parse(data))
    if (event === 'progress') onProgress(JSON.parse(data))
  }
  throw new Failure({ code: 'unavailable', status: 0, detail: 'The answer was interrupted.', hint: 'Try again.' })
}

/** The server-sent events of a response, as they arrive. Skips comments, which only keep the connection open. */
export async function* eventsOf({
  body,
}: Response): AsyncGenerator<{ readonly event: string | undefined; readonly data: string }> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let incomplete = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = `${incomplete}${value}`.split('\n\n')
    incomplete = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield { event: /^event: (.*)$/m.exec(block)?.[1], data }
    }
  }
}

/** Starts and stops a long operation; gives its progress and its result. */
export function useLongOperation<One extends Name>(name: One) {
  const [progress, setProgress] = useState<Progress>()
  const stopping = useRef(new AbortController())
  const run = useMutation({
    mutationFn: (input: Input<One>) => {
      stopping.current = new AbortController()
      setProgress(undefined)
      return follow(name, input, { onProgress: setProgress, signal: stopping.current.signal })
    },
  })
  const error = stopping.current.signal.aborted ? null : run.error
  return {
    isRunning: run.isPending,
    progress,
    answer: run.data,
    error,
    start: run.mutate,
    stop: () => stopping.current.abort(),
  }
}
