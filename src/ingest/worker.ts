/**
 * The program of a worker process, which reads the files that its parent sends, one at a time. A thread beside it ends
 * the process when it takes too much memory, or when the parent is gone: the thread that parses may not get to it.
 */

import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { type ExtractTask, READY } from './extract/format.ts'
import { parseFile } from './extract/parse.ts'

/** Messages to the thread. */
interface Guard {
  /** Its first number is 1 while a file is read, else 0. */
  readonly busy: Int32Array<SharedArrayBuffer>
  readonly maxBytes: number
  /** The process that started this one; another is the parent when that is gone. */
  readonly parent: number
}

/** Milliseconds between two looks; a parser takes some 25 MiB in that time. */
const LOOK_EVERY = 25

function serve(maxBytes: number, parent: number): void {
  const busy = new Int32Array(new SharedArrayBuffer(8))
  new Worker(new URL(import.meta.url), { workerData: { busy, maxBytes, parent } satisfies Guard }).unref()
  process.on('disconnect', () => end())
  // pdf.js leaves promises of its own behind; what is awaited is answered, or ends by the time limit.
  process.on('unhandledRejection', () => undefined)
  process.on('message', async (task: ExtractTask) => {
    setBusy(busy, 1)
    const extraction = await parseFile(task)
    setBusy(busy, 0)
    process.send?.(extraction)
  })
  process.send?.(READY)
}

function setBusy(busy: Guard['busy'], value: 0 | 1): void {
  Atomics.store(busy, 0, value)
  Atomics.notify(busy, 0)
}

function guard({ busy, maxBytes, parent }: Guard): void {
  for (;;) {
    Atomics.wait(busy, 0, 0)
    if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) end()
    Atomics.wait(busy, 1, 0, LOOK_EVERY)
  }
}

function end(): void {
  process.kill(process.pid, 'SIGKILL')
}

if (isMainThread) serve(Number(process.argv[2]), Number(process.argv[3]))
else guard(workerData)
