import type { ShownMessage } from '../../agent/answers.ts'
import type { Answer } from '../../agent/assistant.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { Outcome } from '../../agent/loop.ts'
import type { ShownEvent } from '../../agent/transcript.ts'
import { ContextError } from '../../core/errors.ts'
import type { CheckedAnswer } from '../../research/answer-check.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { MarkdownView } from './markdown-view.ts'
import { Spinner } from './progress.ts'
import type { Streams } from './streams.ts'
import { cutLine, LineWrapper, styleOf } from './table.ts'

/** Shows an answer while the model writes it: the text on stdout, and a faint line on stderr for each tool call. */
export class AnswerView {
  readonly #streams: Streams
  readonly #spinner: Spinner
  readonly #wrap: Pick<LineWrapper, 'add' | 'end'>
  #isMidLine = false

  readonly #isStreamed: boolean

  /** `isStreamed`: whether text is shown while the model writes it, instead of at the end. Default: true on a terminal. */
  constructor(streams: Streams, isStreamed = streams.out.isTerminal) {
    this.#streams = streams
    this.#isStreamed = isStreamed
    this.#spinner = new Spinner(streams)
    this.#wrap = wrapFor(streams)
  }

  readonly emit = (event: ShownEvent): void => {
    // A `usage` event follows a step that has ended, so nothing is running.
    if (event.type !== 'usage') this.#spinner.stop()
    if (event.type === 'text' && this.#isStreamed) this.#writeText(event.text)
    if (event.type === 'step') {
      this.#startNewLine()
      this.#spinner.start('waiting for the model')
    }
    if (isFinishedCall(event)) this.#writeFaintLine(toolLine(event))
    if (event.type === 'within' && isFinishedCall(event.event)) this.#writeFaintLine(`  ${toolLine(event.event)}`)
    if (event.type === 'compacted') this.#writeFaintLine(compactionText(event))
    if (event.type === 'waiting')
      this.#writeFaintLine(`… the model is busy; asked again in ${(event.ms / 1000).toFixed(1)} s`)
  }

  /**
   * Shows the rest of the answer: the text if `isStreamed` is false, sources that the text does not show, unsupported statements,
   * and why the answer is incomplete.
   */
  end({ answer, citations, claims = [], reason }: EndedAnswer): void {
    const { out, err } = this.#streams
    this.#spinner.stop()
    if (!this.#isStreamed && answer !== '') {
      if (out.isTerminal) this.#writeText(answer)
      else out.write(withLineEnd(stripControls(answer)))
    }
    this.#startNewLine()
    const uncited = citations.filter(({ place }) => !answer.includes(place))
    if (uncited.length > 0)
      out.write(`\n${uncited.map((source) => `[${source.number}] ${oneLine(citationText(source))}\n`).join('')}`)
    const unsupported = claims.flatMap(({ text, why }) => (why === undefined ? [] : [{ text, why }]))
    const doubts = unsupported.map(({ text, why }) => `- ${oneLine(text)} (${oneLine(why)})\n`)
    if (out.isTerminal && doubts.length > 0) out.write(`\nNot supported by the cited sources:\n${doubts.join('')}`)
    const incomplete = INCOMPLETE_REASONS[reason]
    if (incomplete !== undefined) err.write(`${incomplete}\n`)
  }

  /** Shows the used tokens and the cost of an answer in a faint line. Shows nothing for an answer without tokens. */
  showUsage({ usage }: Pick<Answer, 'usage'>): void {
    if (usage.input + usage.output > 0) this.#writeFaintLine(usageLine(usage))
  }

  /** Ends the current line if it has text. */
  #startNewLine(): void {
    const pending = this.#wrap.end()
    if (pending !== '') this.#streams.out.draw(pending)
    if (this.#isMidLine) this.#streams.out.write('\n')
    this.#isMidLine = false
  }

  #writeText(text: string): void {
    const { out } = this.#streams
    if (!out.isTerminal || text === '') return
    // Removes control sequences from the text, so that only this view adds styles.
    out.draw(this.#wrap.add(stripControls(text)))
    this.#isMidLine = !text.endsWith('\n')
  }

  #writeFaintLine(text: string): void {
    this.#startNewLine()
    const { err } = this.#streams
    const { dim, width } = styleOf(err.display)
    err.draw(`${dim(cutLine(text, width))}\n`)
  }
}

/** An answer. `claims`: the result of its check; absent if it was not checked. */
type EndedAnswer = Pick<Answer, 'answer' | 'reason'> &
  Pick<CheckedAnswer, 'citations'> & { readonly claims?: CheckedAnswer['claims'] }

/** Examples: `ambit://docs/a.md:12, Timeouts`; for several sections `ambit://docs/a.md, lines 12 (Timeouts), 40 (Retries)`. */
function citationText({ place, line, heading, sections }: CheckedAnswer['citations'][number]): string {
  const sectionTexts = sections?.map((one) => `${one.line}${one.heading === undefined ? '' : ` (${one.heading})`}`)
  if (sectionTexts) return `${place}, lines ${sectionTexts.join(', ')}`
  return `${place}${line === undefined ? '' : `:${line}`}${heading === undefined ? '' : `, ${heading}`}`
}

function wrapFor({ out: { display } }: Streams): Pick<LineWrapper, 'add' | 'end'> {
  const style = styleOf(display)
  return display.isTerminal && !display.plain ? new MarkdownView(style) : new LineWrapper(style.width)
}

/** Maximum number of exchanges to show again. */
const MAX_REPLAYED_EXCHANGES = 20

/** Shows the last exchanges of a conversation again. */
export function replayMessages(streams: Streams, messages: readonly ShownMessage[]): void {
  const { out, err } = streams
  const { dim } = styleOf(err.display)
  const shownMessages = messages.slice(-MAX_REPLAYED_EXCHANGES * 2)
  const earlier = (messages.length - shownMessages.length) / 2
  if (earlier > 0) err.draw(`${dim(`${countNoun(earlier, 'earlier question')}: /save FILE writes all of them.`)}\n`)
  for (const { role, parts } of shownMessages) {
    for (const part of parts) {
      if (part.type === 'file') err.draw(`${dim(`> (${oneLine(part.filename)})`)}\n`)
      if (part.type === 'dynamic-tool') {
        const mark = part.state === 'output-available' ? '✓' : '✗'
        err.draw(`${dim(`${mark} ${callText(part.toolName, part.input)}`)}\n`)
      }
      if (part.type !== 'text') continue
      if (role === 'user') err.draw(`${dim(`> ${oneLine(part.text)}`)}\n`)
      else {
        const wrap = wrapFor(streams)
        out.draw(withLineEnd(wrap.add(stripControls(part.text)) + wrap.end()))
      }
    }
  }
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function compactionText({ before, after }: Extract<AgentEvent, { readonly type: 'compacted' }>): string {
  return `… the conversation was shortened: from ${countNoun(before, 'token')} to ${after.toLocaleString('en-US')}`
}

/** Example: `1,200 tokens in (1,000 cached), 30 out, $0.0012`; without the price if it is unknown. */
function usageLine({ input, cached, output, cost }: Outcome['usage']): string {
  const groupDigits = (value: number) => value.toLocaleString('en-US')
  const cacheNote = cached > 0 ? ` (${groupDigits(cached)} cached)` : ''
  const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`
  return `${groupDigits(input)} ${input === 1 ? 'token' : 'tokens'} in${cacheNote}, ${groupDigits(output)} out${price}`
}

type FinishedCall = Extract<AgentEvent, { readonly type: 'tool-finished' | 'tool-failed' }>

export function isFinishedCall(event: ShownEvent): event is FinishedCall {
  return event.type === 'tool-finished' || event.type === 'tool-failed'
}
/** Example: `✓ search after a timeout`. For a failed call, also shows the first line of the reason. */
function toolLine({ type, tool, input, result }: FinishedCall): string {
  const call = callText(tool, input)
  if (type === 'tool-finished') return `✓ ${call}`
  const [reason = ''] = result.replace(/\n<error [^>]*>\n/, ' ').split('\n')
  return `✗ ${call}: ${oneLine(reason)}`
}

function callText(tool: string, input: unknown): string {
  const values = Object.entries(Object(input)).map(([name, value]) =>
    typeof value === 'string' ? value : `${name} ${JSON.stringify(value)}`,
  )
  return oneLine([tool, ...values].join(' '))
}

/** Messages, by the reason why an answer is incomplete. */
const INCOMPLETE_REASONS: Readonly<Partial<Record<Answer['reason'], string>>> = {
  'step-limit': 'The answer is incomplete: the limit of steps was reached.',
  'token-limit': 'The answer is incomplete: the token limit was reached.',
  'cost-limit': 'The answer is incomplete: the cost limit was reached.',
  'time-limit': 'The answer is incomplete: the time limit was reached.',
  loop: 'The model repeated the same call, and was stopped.',
}

/** The errors of answers that ended early without an `error`: code, message and hint. */
const ANSWER_ERRORS = {
  interrupted: ['unavailable', 'The service broke off in the middle of the answer.', 'Ask again.'],
  refused: ['denied', 'The model refused to answer.', 'Use other words, or another model.'],
  cancelled: ['cancelled', 'The answer was stopped.', 'Ask again. "ambit chat" keeps the conversation.'],
} as const

/** Whether an answer is complete. @throws ContextError if it failed. */
export function isCompleteAnswer({ reason, error }: Pick<Answer, 'reason' | 'error'>): boolean {
  if (error) throw error
  if (reason !== 'interrupted' && reason !== 'refused' && reason !== 'cancelled') return reason === 'done'
  const [code, message, hint] = ANSWER_ERRORS[reason]
  throw new ContextError(code, message, { hint })
}
