/** Work on whole texts. For long texts, it runs in a second thread, because large files take seconds. */

import { type MessagePort, parentPort } from 'node:worker_threads'
import { FilePassages } from '../extractive/passages.ts'
import { markAnswer } from '../report/answer.ts'
import type { ReadFile } from '../report/sources.ts'
import type { EvidencePassage } from './evidence.ts'
import { type PackedSpans, packSpans, SpanTable, spansOf } from './spans.ts'

type PackedFile = Omit<ReadFile, 'spans'> & { readonly spans: PackedSpans }

interface AssessRequest {
  readonly key: string
  readonly question: string
  readonly passages: readonly EvidencePassage[]
}

/** Opened files by key, only in this thread. */
const opened = new Map<string, FilePassages>()

export const textWork = {
  openFiles: ({ key, files }: { readonly key: string; readonly files: readonly PackedFile[] }): void => {
    opened.set(key, new FilePassages(files.map((file) => ({ ...file, spans: new SpanTable(file.text, file.spans) }))))
  },
  closeFiles: (key: string): void => {
    opened.delete(key)
  },
  assess: ({ key, question, passages }: AssessRequest) => {
    const files = opened.get(key)
    if (!files) throw new Error('The files were not opened in this thread.')
    return files.assess(question, passages)
  },
  checkCitedAnswer: markAnswer,
  /** A text as spans. */
  cut: (text: Parameters<typeof spansOf>[0]): PackedSpans => packSpans(spansOf(text)),
}

export type TextWork = typeof textWork

/** A message to the thread: the task, and the port for the answer. */
export interface TextRequest {
  readonly port: MessagePort
  readonly name: keyof TextWork
  readonly input: Parameters<TextWork[keyof TextWork]>[0]
}

parentPort?.on('message', ({ port, name, input }: TextRequest) => {
  const work = textWork[name] as (input: TextRequest['input']) => unknown
  try {
    port.postMessage({ value: work(input) })
  } catch (error) {
    port.postMessage({ error })
  }
})
