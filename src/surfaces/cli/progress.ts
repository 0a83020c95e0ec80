import type { FlowEvent, Run } from '../../core/flow.ts'
import { oneLine } from '../../text/controls.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { limitJobMemory } from './memory.ts'
import type { Streams } from './streams.ts'
import { styleOf } from './table.ts'

/** Milliseconds between two drawings of the line. */
const REDRAW_MS = 100

/**
 * Minimum number of steps of work whose memory is limited. In shorter work, garbage collections would cost more than they save.
 */
const LONG_WORK_STEPS = 1000

type Progress = Extract<FlowEvent, { readonly type: 'progress' }>

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** Milliseconds between two frames; and before the first frame, so that quick answers show no spinner. */
const FRAME_MS = 100
const SPINNER_DELAY_MS = 300

export function spinnerFrame(): string {
  return [...FRAMES][Math.floor(performance.now() / FRAME_MS) % FRAMES.length] ?? ''
}

/** Shows a spinner on a terminal's stderr while a model works, with the activity and its duration. Shows nothing elsewhere. */
export class Spinner {
  readonly #err: Streams['err']
  #timer: NodeJS.Timeout | undefined
  #startedAt = 0
  #isDrawn = false

  constructor({ err }: Pick<Streams, 'err'>) {
    this.#err = err
  }

  start(activity: string): void {
    if (!this.#err.isTerminal || this.#timer) return
    this.#startedAt = performance.now()
    this.#timer = setInterval(() => this.#draw(activity), FRAME_MS)
    this.#timer.unref()
  }

  /** Removes the spinner. The next output takes its line. */
  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#isDrawn) this.#err.draw('\r\u001b[2K')
    this.#isDrawn = false
  }

  #draw(activity: string): void {
    const waitedMs = performance.now() - this.#startedAt
    if (waitedMs < SPINNER_DELAY_MS) return
    const { cyan, dim } = styleOf(this.#err.display)
    this.#err.draw(`\r\u001b[2K${cyan(spinnerFrame())} ${dim(`${activity}, ${Math.floor(waitedMs / 1000)} s`)}`)
    this.#isDrawn = true
  }
}

/** Shows progress: a line on a terminal's stderr; with `--json`, lines of JSON on stderr; nothing elsewhere. */
export class ProgressLine {
  readonly #streams: Streams
  readonly #json: boolean
  #current: { readonly what: string; readonly since: number } | undefined
  #drawnAt = 0
  #isDrawn = false

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams
    this.#json = json
  }

  readonly emit: Run['emit'] = (event) => {
    if (event.type !== 'progress') return
    if (event.total >= LONG_WORK_STEPS) limitJobMemory()
    const now = performance.now()
    if (this.#current?.what !== event.what) this.#current = { what: event.what, since: now }
    else if (event.done !== event.total && now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    if (this.#json) this.#streams.err.write(`${serializeVisibly(event)}\n`)
    else if (this.#streams.err.isTerminal) this.#draw(event, (now - this.#current.since) / 1000)
  }

  #draw({ what, done, total }: Progress, seconds: number): void {
    const { err } = this.#streams
    const style = styleOf(err.display)
    const share = total === 0 ? 1 : done / total
    const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░')
    const stepsPerSecond = seconds > 0.2 ? done / seconds : 0
    const remaining = stepsPerSecond > 0 ? `, ${Math.ceil((total - done) / stepsPerSecond)} s left` : ''
    const speed = stepsPerSecond > 0 ? `  ${Math.round(stepsPerSecond)}/s${remaining}` : ''
    err.draw(`\r\u001b[2K${oneLine(what)} ${style.cyan(bar)} ${done} of ${total}${style.dim(speed)}`)
    this.#isDrawn = true
  }

  /** Removes the line before the result. */
  end(): void {
    if (this.#isDrawn) this.#streams.err.draw('\r\u001b[2K')
    this.#isDrawn = false
  }
}
