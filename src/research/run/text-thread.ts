import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { ReadFile } from '../report/sources.ts'
import type { EvidencePassage, PartEvidence } from './evidence.ts'
import { SpanTable, sendSpans } from './span-table.ts'
import { type TextOrder, type TextWork, textWork } from './text-work.ts'

/** Characters of what is done here: some milliseconds of work. More of it is sent to the thread. */
const FEW = 8 * 1024

type Given<Name extends keyof TextWork> = Parameters<TextWork[Name]>[0]
type Answer = { readonly id: number; readonly value?: unknown; readonly error?: unknown }

let thread: TextThread | undefined

/** A text as spans that can be cited. */
export async function cutText(given: Given<'cut'>, signal?: AbortSignal): Promise<SpanTable> {
  return new SpanTable(given.text, await runTextWork('cut', given, { characters: given.text.length, signal }))
}

/** What whole files say to questions. */
export interface OpenedFiles {
  /** What they, and what was looked up, hold on each part of a question. */
  assess(question: string, passages: readonly EvidencePassage[]): Promise<PartEvidence[]>
  close(): void
}

/**
 * Opens files where they can be asked: in the thread, when they are long. They are read when they are first asked. When the signal
 * fires nobody waits for an answer any more.
 */
export function openFiles(files: readonly ReadFile[], signal?: AbortSignal): OpenedFiles {
  const [key, characters] = [randomUUID(), charactersIn(files)]
  const read = files.map(({ alias, title, text, isCsv, isPrinted = false, spans }) => ({
    alias,
    isCsv,
    isPrinted,
    ...sendSpans(spans),
    text,
    ...(title !== undefined && { title }),
  }))
  let home: { readonly thread: TextThread | undefined; readonly opening: Promise<void> } | undefined
  const ask = async (question: string, passages: readonly EvidencePassage[]) => {
    // A thread that ended took what it had read with it.
    if (!home || (characters > FEW && home.thread !== thread) || home.thread?.isUsable === false) {
      const opening = runTextWork('openFiles', { key, files: read }, { characters, signal })
      // Whoever asked may have gone meanwhile.
      opening.catch(() => {})
      home = { thread: characters > FEW ? thread : undefined, opening }
    }
    await home.opening
    return runTextWork('assess', { key, question, passages }, { characters, signal })
  }
  return {
    assess: ask,
    close: () => {
      if (home && home.thread?.isUsable !== false) runTextWork('closeFiles', key, { characters }).catch(() => {})
    },
  }
}

function charactersIn(texts: Iterable<{ readonly text: string }>): number {
  return [...texts].reduce((sum, { text }) => sum + text.length, 0)
}

interface TextDemand {
  readonly characters: number
  /** Fired when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Does it in the one thread of the process where there are many characters, so that everybody else is answered meanwhile.
 *
 * @throws Error when the thread ends before it answers.
 */
async function runTextWork<Name extends keyof TextWork>(
  name: Name,
  given: Given<Name>,
  { characters, signal }: TextDemand,
): Promise<ReturnType<TextWork[Name]>> {
  signal?.throwIfAborted()
  if (characters <= FEW) {
    const work = textWork[name] as (given: Given<Name>) => ReturnType<TextWork[Name]>
    return work(given)
  }
  if (!thread?.isUsable) thread = new TextThread()
  return (await thread.ask(name, given, signal)) as ReturnType<TextWork[Name]>
}

/** Keeps no program alive that waits for nothing. */
class TextThread {
  readonly #worker: Worker
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>()
  #last = 0
  isUsable = true

  constructor() {
    const here = import.meta.url
    this.#worker = new Worker(new URL(`./text-work${here.slice(here.lastIndexOf('.'))}`, here))
    this.#worker.unref()
    this.#worker.on('message', (answer: Answer) => this.#receive(answer))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('The thread that reads texts ended.')))
  }

  /** What nobody waits for any more keeps the thread, and not the program. */
  async ask(name: TextOrder['name'], given: TextOrder['given'], signal?: AbortSignal): Promise<unknown> {
    const id = ++this.#last
    const answer = Promise.withResolvers<unknown>()
    this.#asked.set(id, answer)
    this.#worker.ref()
    this.#worker.postMessage({ id, name, given } satisfies TextOrder)
    const leave = () => this.#receive({ id, error: signal?.reason })
    signal?.addEventListener('abort', leave, { once: true })
    return await answer.promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  #receive({ id, value, error }: Answer): void {
    const answer = this.#asked.get(id)
    this.#asked.delete(id)
    if (this.#asked.size === 0) this.#worker.unref()
    if (error === undefined) answer?.resolve(value)
    else answer?.reject(error)
  }

  #fail(reason: unknown): void {
    this.isUsable = false
    for (const { reject } of this.#asked.values()) reject(reason)
    this.#asked.clear()
  }
}
