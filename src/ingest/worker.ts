/**
 * The program of a worker process. It reads the files that its parent sends, one at a time. A second thread ends the process
 * when it uses too much memory or the parent is gone, because the parsing thread may be busy.
 */

import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { type ExtractTask, READY } from './extract/format.ts'
import { parseFile } from './extract/parse.ts'

/** What the second thread gets from the first. */
interface GuardData {
  /** Shared numbers: the first is 1 while a file is read, else 0; the second stays 0. */
  readonly busy: Int32Array<SharedArrayBuffer>
  readonly maxBytes: number
  /** The process id of the parent. When the parent ends, the system gives this process another parent. */
  readonly parent: number
}

/** Milliseconds between two checks. A parser allocates about 25 MiB in that time. */
const CHECK_INTERVAL_MS = 25

function serveParent(maxBytes: number, parent: number): void {
  const busy = new Int32Array(new SharedArrayBuffer(8))
  new Worker(new URL(import.meta.url), { workerData: { busy, maxBytes, parent } satisfies GuardData }).unref()
  process.on('disconnect', () => killProcess())
  // pdf.js leaves rejected promises behind, which must not end the process. If a task hangs because of such a promise, the time
  // limit ends it.
  process.on('unhandledRejection', () => undefined)
  process.on('message', async (task: ExtractTask) => {
    setBusy(busy, 1)
    const extraction = await parseFile(task)
    setBusy(busy, 0)
    process.send?.(extraction)
  })
  process.send?.(READY)
}

function setBusy(busy: GuardData['busy'], value: 0 | 1): void {
  Atomics.store(busy, 0, value)
  Atomics.notify(busy, 0)
}

function guardProcess({ busy, maxBytes, parent }: GuardData): void {
  for (;;) {
    Atomics.wait(busy, 0, 0)
    if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) killProcess()
    Atomics.wait(busy, 1, 0, CHECK_INTERVAL_MS)
  }
}

function killProcess(): void {
  process.kill(process.pid, 'SIGKILL')
}

if (isMainThread) serveParent(Number(process.argv[2]), Number(process.argv[3]))
else guardProcess(workerData)
