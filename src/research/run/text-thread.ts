/** Runs work on long texts in a second thread, and work on short texts in this thread. */

import { randomUUID } from 'node:crypto'
import { MessageChannel, Worker } from 'node:worker_threads'
import { untilAborted } from '../../core/steps.ts'
import type { ReadFile } from '../report/sources.ts'
import type { EvidencePassage } from './evidence.ts'
import { packSpans, SpanTable } from './spans.ts'
import { type TextRequest, type TextWork, textWork } from './text-work.ts'

/** Maximum characters for work in this thread; such work takes some milliseconds. Longer texts are sent to the second thread. */
const MAX_INLINE = 8 * 1024

type WorkInput<Name extends keyof TextWork> = Parameters<TextWork[Name]>[0]

let thread: Worker | undefined

/** A text as spans that can be cited. */
export async function cutText(spanText: WorkInput<'cut'>, signal?: AbortSignal): Promise<SpanTable> {
  return new SpanTable(spanText.text, await runTextWork('cut', spanText, { characters: spanText.text.length, signal }))
}

/** Checks the statements of an answer; in the second thread if its sources are long. */
export function checkCitedAnswer(answer: WorkInput<'checkCitedAnswer'>) {
  const texts = answer.isQuoted ? [] : answer.sources.flatMap(({ passages }) => passages)
  return runTextWork('checkCitedAnswer', answer, { characters: texts.reduce((sum, { text }) => sum + text.length, 0) })
}

export type OpenedFiles = ReturnType<typeof openFiles>

/**
 * Opens files for questions; in the second thread if they are long. The files are read at the first question. When the signal
 * fires, waiting ends.
 */
export function openFiles(files: readonly ReadFile[], signal?: AbortSignal) {
  const key = randomUUID()
  const characters = files.reduce((sum, { text }) => sum + text.length, 0)
  const read = files.map(({ spans, ...file }) => {
    return { ...file, spans: spans instanceof SpanTable ? spans.packed : packSpans([...spans]) }
  })
  const isLong = characters > MAX_INLINE
  let opened: { readonly thread: Worker | undefined; readonly opening: Promise<void> } | undefined
  return {
    /** The evidence of the files and of looked-up passages for each part of a question. */
    assess: async (question: string, passages: readonly EvidencePassage[]) => {
      // If the thread has ended, the files must be opened again.
      if (!opened || (isLong && opened.thread !== thread)) {
        const opening = runTextWork('openFiles', { key, files: read }, { characters, signal })
        // The caller may have stopped waiting.
        opening.catch(() => {})
        opened = { thread: isLong ? thread : undefined, opening }
      }
      await opened.opening
      return runTextWork('assess', { key, question, passages }, { characters, signal })
    },
    [Symbol.dispose]: () => {
      if (opened && (!isLong || opened.thread === thread))
        runTextWork('closeFiles', key, { characters }).catch(() => {})
    },
  }
}

/**
 * Runs work on many characters in the only second thread of the process, so that this thread can answer requests meanwhile.
 * `signal` fires when no caller waits for the result any more.
 *
 * @throws Error when the thread ends before it answers.
 */
async function runTextWork<Name extends keyof TextWork>(
  name: Name,
  input: WorkInput<Name>,
  { characters, signal }: { readonly characters: number; readonly signal?: AbortSignal | undefined },
): Promise<ReturnType<TextWork[Name]>> {
  signal?.throwIfAborted()
  if (characters <= MAX_INLINE) {
    const work = textWork[name] as (given: WorkInput<Name>) => ReturnType<TextWork[Name]>
    return work(input)
  }
  thread ??= startThread()
  return (await askThread(thread, { name, input }, signal)) as ReturnType<TextWork[Name]>
}

/** Starts the thread. It does not keep the program alive. */
function startThread(): Worker {
  const here = import.meta.url
  const worker = new Worker(new URL(`./text-work${here.slice(here.lastIndexOf('.'))}`, here))
  const clearThread = () => {
    if (thread === worker) thread = undefined
  }
  worker.on('error', clearThread).on('exit', clearThread).unref()
  return worker
}

/** Asks the thread. When the signal fires, the wait ends; the work continues, but does not keep the program alive. */
function askThread(worker: Worker, request: Pick<TextRequest, 'name' | 'input'>, signal?: AbortSignal) {
  const { port1: ownPort, port2: port } = new MessageChannel()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  ownPort.on('message', ({ value, error }) => (error === undefined ? resolve(value) : reject(error)))
  ownPort.on('close', () => reject(new Error('The thread that reads texts ended.')))
  worker.postMessage({ ...request, port } satisfies TextRequest, [port])
  return untilAborted(promise, signal, ({ reason }) => reason).finally(() => ownPort.close())
}
