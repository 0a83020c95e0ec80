import { createInterface, type Interface } from 'node:readline'
import { receiveCommands } from '../../agent/remote-commands.ts'
import { Talk as Kept, newQuestionId } from '../../agent/talk.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { ServiceInput } from '../../operations/index.ts'
import { assistantTools } from '../../operations/tools.ts'
import { oneLine } from '../../text/controls.ts'
import { AnswerView, isWhole, replayMessages } from './answer-view.ts'
import { limitsOf, type TalkCommandParts } from './ask.ts'
import { type AttachedFile, type ChatCommand, COMMANDS, questionOfPrompt } from './chat-commands.ts'
import { type Flags, withEngine } from './command.ts'
import { isYes } from './confirm.ts'
import { type AskPerson, answerServerBy, approveBy, askedAt, trustBy } from './person.ts'
import { INTERRUPTED, type Streams, streamsOf } from './streams.ts'

/** Chats until the person ends it. Questions are lines of stdin, answers go to stdout. Returns the exit code. */
export async function chat(
  { resume, place = resume === undefined ? '.' : undefined, ...limits }: ServiceInput<'chat'>,
  flags: Pick<Flags, 'db'>,
  { plain, operations, open }: TalkCommandParts,
): Promise<number> {
  const streams = streamsOf(plain)
  return withEngine(open, flags, async (engine) => {
    const lines = createInterface({
      input: process.stdin,
      ...(streams.canAsk && { output: process.stderr, prompt: '> ' }),
    })
    // Reads lines from the start, so that lines typed during loading are not lost.
    const typed = lines[Symbol.asyncIterator]()
    try {
      const notice = (text: string) => streams.err.write(`${oneLine(text)}\n`)
      const view = { navigate: (to: string) => notice(`You are led to ${to}.`) }
      const ask = streams.canAsk ? askedAt(lines) : undefined
      const asks = ask
        ? {
            approve: approveBy(streams, async (question, signal) => isYes(await ask(`${question} [y/N] `, signal))),
            answer: answerServerBy(streams, ask),
            trust: trustBy(streams, ask),
          }
        : {}
      const makeTools = assistantTools(engine, operations)
      const asked = { limits: limitsOf(limits), ...asks, ...(place !== undefined && { place }) }
      const about = { engine, makeTools, disk: true, notice, view, ...asked }
      return await new Talk(streams, lines, { kept: await Kept.continued(about, resume), engine, ask }).untilEndOf(
        typed,
      )
    } finally {
      lines.close()
    }
  })
}

interface TalkParts {
  readonly kept: Kept
  readonly engine: Engine
  /** Undefined without a person. */
  readonly ask: AskPerson | undefined
}

class Talk {
  readonly #streams: Streams
  readonly #lines: Interface
  #kept: Kept
  readonly #engine: Engine
  readonly #ask: AskPerson | undefined
  #answering: AbortController | undefined
  #attached: AttachedFile[] = []
  #hasFailed = false
  #isInterrupted = false
  #isInputOver = false

  constructor(streams: Streams, lines: Interface, { kept, engine, ask }: TalkParts) {
    this.#streams = streams
    this.#ask = ask
    this.#lines = lines
    this.#kept = kept
    this.#engine = engine
    // Ctrl-D, also during an answer.
    lines.once('close', () => {
      this.#isInputOver = true
    })
    // On a terminal readline receives Ctrl-C, elsewhere the process does.
    lines.on('SIGINT', () => this.#interrupted())
    process.on('SIGINT', () => this.#interrupted())
  }

  /** Answers all lines. Returns the exit code: for scripts, 1 if the last question failed; a person has seen that. */
  async untilEndOf(typed: AsyncIterable<string>): Promise<number> {
    const { err, canAsk } = this.#streams
    const { assistant } = this.#kept
    if (canAsk) await this.#replay()
    if (canAsk) err.write(`${await assistant.modelName()} at ${oneLine(assistant.place)}; /help lists the commands.\n`)
    this.#prompt()
    for await (const line of typed) {
      const text = line.trim()
      if (text === '/quit') break
      await this.#answered(text)
      this.#prompt()
    }
    if (this.#isInterrupted) {
      if (canAsk) err.write(`\nGo on with: ambit chat --resume ${this.#kept.id}\n`)
      return INTERRUPTED
    }
    return this.#hasFailed && !canAsk ? 1 : 0
  }

  /** Shows the earlier conversation to a person who resumes it. */
  async #replay(): Promise<void> {
    if (this.#kept.assistant.messages.length === 0) return
    const { messages } = await (await this.#engine.conversations()).show(this.#kept.id)
    replayMessages(this.#streams, messages)
  }

  /** Ctrl-C stops the answer. A second one, or one without a running answer, ends the program. */
  #interrupted(): void {
    if (this.#answering && !this.#answering.signal.aborted) this.#answering.abort()
    else {
      this.#isInterrupted = true
      this.#lines.close()
    }
  }

  #prompt(): void {
    if (this.#streams.canAsk && !this.#isInputOver) this.#lines.prompt()
  }

  async #answered(text: string): Promise<void> {
    if (text === '') return
    try {
      this.#hasFailed = false
      if (text.startsWith('/')) await this.#command(text)
      else await this.#answer(text)
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      this.#hasFailed = true
      this.#streams.err.write(`ambit: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`)
    }
  }

  async #answer(text: string): Promise<void> {
    const view = new AnswerView(this.#streams)
    const conversations = await this.#engine.conversations()
    const answering = new AbortController()
    this.#answering = answering
    const run = { signal: answering.signal, emit: view.emit }
    const { id } = this.#kept
    const files = this.#attached
    this.#attached = []
    try {
      const answer = await conversations.answering(id, async () => {
        this.#kept = await this.#kept.current()
        // A browser may stop the answer, too.
        const asking = () => this.#kept.ask({ id: newQuestionId(), text, files }, run)
        return receiveCommands(conversations, { id, stop: () => answering.abort() }, asking)
      })
      view.end(answer)
      view.took(answer)
      this.#hasFailed = !isWhole(answer)
    } finally {
      this.#answering = undefined
    }
  }

  async #command(text: string): Promise<void> {
    const stop = new AbortController()
    this.#answering = stop
    try {
      const question = await this.#done(text, stop.signal)
      if (question !== undefined) await this.#answer(question)
    } finally {
      this.#answering = undefined
    }
  }

  /** Runs a chat command. Returns its question, if it asks one. */
  async #done(text: string, signal: AbortSignal): Promise<string | undefined> {
    const { assistant, id } = this.#kept
    const attach = (file: AttachedFile) => {
      this.#attached.push(file)
      return this.#attached.map((one) => one.name)
    }
    const typed = this.#ask ?? (() => new Promise<string>(() => {}))
    const tell = (line: string) => this.#streams.err.write(`${line}\n`)
    const parts = { assistant, engine: this.#engine, id, signal, attach, typed, tell }
    const question = await questionOfPrompt(text, parts)
    if (question !== undefined) return question
    const [name = '', ...rest] = text.split(/\s+/)
    const command: ChatCommand | undefined = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command) {
      const hint = `Commands: ${[...Object.keys(COMMANDS), '/quit'].join(', ')}.`
      throw invalidInput(`There is no command ${oneLine(name)}.`, hint)
    }
    this.#streams.err.write(await command.run(rest.join(' '), parts))
    return undefined
  }
}
