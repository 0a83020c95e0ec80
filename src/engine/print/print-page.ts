/** Prints a page as PDF with an installed Chromium. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { ContextError } from '../../core/errors.ts'

/** Programs in the order in which they are tried. */
const BROWSERS = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Time limit of a print, in milliseconds. */
const PRINT_MS = 60_000

/**
 * Prints a page as PDF. The page runs no script, and the browser looks up no host names. `browsers`: programs to try.
 *
 * @throws ContextError `unavailable` without a browser, or if the browser fails.
 */
export async function printPage(html: string, browsers: readonly string[] = BROWSERS): Promise<Uint8Array> {
  for (const browser of browsers) {
    const profile = join(tmpdir(), `ambit-print-${randomUUID()}`)
    // The browser's processes form a group, so that all of them can be ended. A surviving process would create the profile again.
    const child = spawn(browser, switchesOf(profile), {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    })
    try {
      if (await isStarted(child)) return await printIn(child, html)
    } finally {
      await endProcess(child)
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    }
  }
  const hint = 'Install Chromium (Debian: apt install chromium-headless-shell), or export html and print it.'
  throw new ContextError('unavailable', 'The report needs Chromium to print, and this machine has none.', { hint })
}

function switchesOf(profile: string): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-gpu',
    '--disable-extensions',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    // Root cannot set up the sandbox of Chromium.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ]
}

function isStarted(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false))
  })
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  killGroup(child.pid)
  if (child.exitCode === null && child.signalCode === null) await promise
}

/** Kills all processes of the browser. They may have ended already. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function printIn(child: ChildProcess, html: string): Promise<Uint8Array> {
  const pipe = new DebuggingPipe(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), PRINT_MS)
  try {
    const { targetId } = await pipe.ask('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await pipe.ask('Target.attachToTarget', { targetId, flatten: true })
    const session = String(sessionId)
    await pipe.ask('Emulation.setScriptExecutionDisabled', { value: true }, session)
    const { frameTree } = await pipe.ask('Page.getFrameTree', {}, session)
    await pipe.ask('Page.setDocumentContent', { frameId: Object(Object(frameTree).frame).id, html }, session)
    const margins = { marginTop: 0.7, marginBottom: 0.7, marginLeft: 0.7, marginRight: 0.7 }
    const { data } = await pipe.ask('Page.printToPDF', { ...margins, paperWidth: 8.27, paperHeight: 11.69 }, session)
    return Buffer.from(String(data), 'base64')
  } finally {
    clearTimeout(timer)
  }
}

type Answer = Readonly<Record<string, unknown>>

/** Sends commands of the Chrome DevTools Protocol over a pipe: JSON objects, each followed by a NUL. */
class DebuggingPipe {
  readonly #input: Writable
  readonly #pending = new Map<number, PromiseWithResolvers<Answer>>()
  #lastId = 0
  #parts: Buffer[] = []

  constructor(child: ChildProcess) {
    const [, , , to, from] = child.stdio
    this.#input = to as Writable
    const fail = () => this.#fail('It ended before the report was printed.')
    this.#input.on('error', fail)
    ;(from as Readable).on('data', (data: Buffer) => this.#read(data)).on('error', fail)
    child.once('exit', fail)
  }

  ask(method: string, params: object, sessionId?: string): Promise<Answer> {
    const id = ++this.#lastId
    const pendingAnswer = Promise.withResolvers<Answer>()
    this.#pending.set(id, pendingAnswer)
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    return pendingAnswer.promise
  }

  #read(data: Buffer): void {
    let from = 0
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
      this.#handleMessage(Buffer.concat([...this.#parts, data.subarray(from, end)]).toString())
      this.#parts = []
      from = end + 1
    }
    this.#parts.push(data.subarray(from))
  }

  #handleMessage(message: string): void {
    const { id, result, error } = JSON.parse(message)
    const pendingAnswer = this.#pending.get(id)
    this.#pending.delete(id)
    if (error) pendingAnswer?.reject(printFailure(String(Object(error).message)))
    else pendingAnswer?.resolve(Object(result))
  }

  #fail(why: string): void {
    for (const { reject } of this.#pending.values()) reject(printFailure(why))
    this.#pending.clear()
  }
}

function printFailure(why: string): ContextError {
  const hint = 'Export html and print it.'
  return new ContextError('unavailable', `Chromium did not print the report: ${why}`, { hint })
}
