import type { ShownMessage } from '../../agent/answers.ts'
import type { Answer } from '../../agent/assistant.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { Outcome } from '../../agent/loop.ts'
import type { ShownEvent, ShownTool } from '../../agent/transcript.ts'
import { ContextError } from '../../core/errors.ts'
import type { CheckedAnswer } from '../../research/answer-check.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { MarkdownView } from './markdown-view.ts'
import { Spinner } from './progress.ts'
import type { Streams } from './streams.ts'
import { LineWrap, styleOf } from './table.ts'

/** Shows an answer as it comes: text on a terminal's stdout, and a faint line on stderr for each call of a tool. */
export class AnswerView {
  readonly #streams: Streams
  readonly #spinner: Spinner
  readonly #wrap: Pick<LineWrap, 'add' | 'end'>
  #isMidLine = false

  readonly #isStreamed: boolean

  /** `isStreamed`: whether text is shown as it comes, and not at the end. Default: on a terminal. */
  constructor(streams: Streams, isStreamed = streams.out.isTerminal) {
    this.#streams = streams
    this.#isStreamed = isStreamed
    this.#spinner = new Spinner(streams)
    this.#wrap = wrapFor(streams)
  }

  readonly emit = (event: ShownEvent): void => {
    // How much it took is said of a step that is over: nothing is waited for.
    if (event.type !== 'usage') this.#spinner.stop()
    if (event.type === 'text' && this.#isStreamed) this.#text(event.text)
    if (event.type === 'step') this.#wait()
    if (event.type === 'tool-finished' || event.type === 'tool-failed') this.#line(toolLine(event))
    if (event.type === 'within') this.#within(event.event)
    if (event.type === 'compacted') this.#line(`… the conversation was put into fewer words: ${tokensTold(event)}`)
    if (event.type === 'waiting') this.#line(`… the model is busy; asked again in ${(event.ms / 1000).toFixed(1)} s`)
  }

  /** Says the rest: the text, where it was not shown as it came, what it rests on, and why it is not whole. */
  end({ answer, citations, claims = [], reason }: EndedAnswer): void {
    const { out, err } = this.#streams
    this.#spinner.stop()
    if (!this.#isStreamed && answer !== '') {
      if (out.isTerminal) this.#text(answer)
      else out.write(withLineEnd(stripControls(answer)))
    }
    this.#freshLine()
    const untold = citations.filter(({ place }) => !answer.includes(place))
    if (untold.length > 0)
      out.write(`\n${untold.map((source) => `[${source.number}] ${oneLine(placeLine(source))}\n`).join('')}`)
    const doubts = claims.flatMap(({ text, why }) =>
      why === undefined ? [] : [`- ${oneLine(text)} (${oneLine(why)})\n`],
    )
    if (out.isTerminal && doubts.length > 0) out.write(`\nNot borne out by what it cites:\n${doubts.join('')}`)
    const why = LIMITED[reason]
    if (why !== undefined) err.write(`${why}\n`)
  }

  /** Says what an answer took, faintly. Nothing for what took nothing. */
  took({ usage }: Pick<Answer, 'usage'>): void {
    if (usage.input + usage.output > 0) this.#line(usageLine(usage))
  }

  /** Of the events within a call, its own calls are shown. */
  #within(event: AgentEvent): void {
    if (event.type === 'tool-finished' || event.type === 'tool-failed') this.#line(`  ${toolLine(event)}`)
  }

  /** Till the model says something. */
  #wait(): void {
    this.#freshLine()
    this.#spinner.start('the model is asked')
  }

  /** Begins a line, where there is something on it. */
  #freshLine(): void {
    const rest = this.#wrap.end()
    if (rest !== '') this.#streams.out.draw(rest)
    if (this.#isMidLine) this.#streams.out.write('\n')
    this.#isMidLine = false
  }

  #text(text: string): void {
    const { out } = this.#streams
    if (!out.isTerminal || text === '') return
    // The view adds its own styles; the text brings none.
    out.draw(this.#wrap.add(stripControls(text)))
    this.#isMidLine = !text.endsWith('\n')
  }

  #line(text: string): void {
    this.#freshLine()
    const { err } = this.#streams
    const { dim, width } = styleOf(err.look)
    const shown = text.length > width ? `${text.slice(0, width - 2).toWellFormed()} …` : text
    err.draw(`${dim(shown)}\n`)
  }
}

/** An answer that was checked, or not. */
type EndedAnswer = Pick<Answer, 'answer' | 'reason'> &
  Pick<CheckedAnswer, 'citations'> & { readonly claims?: CheckedAnswer['claims'] }

/** `ambit://docs/a.md:12, Timeouts`. */
function placeLine({ place, line, heading }: CheckedAnswer['citations'][number]): string {
  return `${place}${line === undefined ? '' : `:${line}`}${heading === undefined ? '' : `, ${heading}`}`
}

function wrapFor({ out: { look } }: Streams): Pick<LineWrap, 'add' | 'end'> {
  const style = styleOf(look)
  return look.isTerminal && !look.plain ? new MarkdownView(style) : new LineWrap(style.width)
}

/** Exchanges of a conversation that are shown again. */
const MOST_REPLAYED = 20

/** Shows what was said before, as it was shown then: the last exchanges of a conversation. */
export function replayMessages(streams: Streams, messages: readonly ShownMessage[]): void {
  const { out, err } = streams
  const { dim } = styleOf(err.look)
  const shown = messages.slice(-MOST_REPLAYED * 2)
  const before = (messages.length - shown.length) / 2
  if (before > 0) err.draw(`${dim(`${countNoun(before, 'earlier question')}: /save FILE writes all of them.`)}\n`)
  for (const { role, parts } of shown) {
    for (const part of parts) {
      if (part.type === 'file') err.draw(`${dim(`> (${oneLine(part.filename)})`)}\n`)
      if (part.type === 'dynamic-tool') err.draw(`${dim(shownToolLine(part))}\n`)
      if (part.type !== 'text') continue
      if (role === 'user') err.draw(`${dim(`> ${oneLine(part.text)}`)}\n`)
      else {
        const wrap = wrapFor(streams)
        out.draw(withLineEnd(wrap.add(stripControls(part.text)) + wrap.end()))
      }
    }
  }
}

function shownToolLine({ state, toolName, input }: ShownTool): string {
  return `${state === 'output-available' ? '✓' : '✗'} ${callWords(toolName, input)}`
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function tokensTold({ before, after }: Extract<AgentEvent, { readonly type: 'compacted' }>): string {
  return `from ${countNoun(before, 'token')} to ${after.toLocaleString('en-US')}`
}

/** `1,200 tokens in (1,000 kept by the service), 30 out, $0.0012`; without a price where none is known. */
function usageLine({ input, cached, output, cost }: Outcome['usage']): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const kept = cached > 0 ? ` (${number(cached)} kept by the service)` : ''
  const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`
  return `${number(input)} tokens in${kept}, ${number(output)} out${price}`
}

type Finished = Extract<AgentEvent, { readonly type: 'tool-finished' | 'tool-failed' }>

/** `✓ search after a timeout`; of what failed also why, in its first line. */
function toolLine({ type, tool, input, result }: Finished): string {
  const words = callWords(tool, input)
  if (type === 'tool-finished') return `✓ ${words}`
  return `✗ ${words}: ${oneLine(result.split('\n')[0] ?? '')}`
}

function callWords(tool: string, input: unknown): string {
  const values = Object.values(Object(input)).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return oneLine([tool, ...values].join(' '))
}

/** Why an answer is not whole. */
const LIMITED: Readonly<Partial<Record<Answer['reason'], string>>> = {
  'step-limit': 'The model did not finish: this is its answer when its steps were used up.',
  'token-limit': 'The answer is incomplete: the token limit was reached.',
  'cost-limit': 'The answer is incomplete: the cost limit was reached.',
  'time-limit': 'The answer is incomplete: the time limit was reached.',
  loop: 'The model repeated the same call, and was stopped.',
}

/** Whether an answer came to its end. @throws ContextError where there is none. */
export function isWhole({ reason, error }: Pick<Answer, 'reason' | 'error'>): boolean {
  if (error) throw error
  if (reason === 'interrupted')
    throw none('unavailable', 'The service broke off in the middle of the answer.', 'Ask again.')
  if (reason === 'refused') throw none('denied', 'The model refused to answer.', 'Use other words, or another model.')
  if (reason === 'cancelled')
    throw none('cancelled', 'The answer was stopped.', 'Ask again; "ambit chat" keeps what is said.')
  return reason === 'done'
}

function none(code: 'unavailable' | 'denied' | 'cancelled', message: string, hint?: string): ContextError {
  return new ContextError(code, message, hint === undefined ? {} : { hint })
}
