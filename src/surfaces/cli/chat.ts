import { createInterface, type Interface } from 'node:readline'
import { receiveCommands } from '../../agent/remote-commands.ts'
import { newQuestionId, Talk as StoredTalk } from '../../agent/talk.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { ServiceInput } from '../../operations/index.ts'
import { assistantTools } from '../../operations/tools.ts'
import { oneLine } from '../../text/controls.ts'
import { AnswerView, isCompleteAnswer, replayMessages } from './answer-view.ts'
import { limitsOf, type TalkCommandParts } from './ask.ts'
import { type AttachedFile, type ChatCommand, COMMANDS, questionOfPrompt } from './chat-commands.ts'
import { type Flags, withEngine } from './command.ts'
import { isYes } from './confirm.ts'
import { type AskPerson, makeApprovalPrompt, makeLinePrompt, makeServerPrompt, makeTrustPrompt } from './person.ts'
import { INTERRUPTED, type Streams, streamsOf } from './streams.ts'

/** Runs a chat until the person ends it. Questions are lines of stdin; answers go to stdout. Returns the exit code. */
export async function chat(
  { resume, place = resume === undefined ? '.' : undefined, ...limits }: ServiceInput<'chat'>,
  flags: Pick<Flags, 'db'>,
  { plain, operations, open }: TalkCommandParts,
): Promise<number> {
  const streams = streamsOf(plain)
  return withEngine(open, flags, async (engine) => {
    const prompting = streams.canAsk && { output: process.stderr, prompt: '> ' }
    const lines = createInterface({ input: process.stdin, ...prompting })
    // Reads lines from the start, so that lines typed during loading are not lost.
    const typedLines = lines[Symbol.asyncIterator]()
    try {
      const notice = (text: string) => streams.err.write(`${oneLine(text)}\n`)
      const view = { navigate: (to: string) => notice(`The assistant opened ${to}.`) }
      const ask = streams.canAsk ? makeLinePrompt(lines) : undefined
      const questions = ask && {
        approve: makeApprovalPrompt(streams, async (text, signal) => isYes(await ask(`${text} [y/N] `, signal))),
        answer: makeServerPrompt(streams, ask),
        trust: makeTrustPrompt(streams, ask),
      }
      const makeTools = assistantTools(engine, operations)
      const settings = { limits: limitsOf(limits), ...questions, ...(place !== undefined && { place }) }
      const talk = await StoredTalk.resume({ engine, makeTools, disk: true, notice, view, ...settings }, resume)
      return await new ChatSession(talk, { streams, lines, engine, ask }).answerLines(typedLines)
    } finally {
      lines.close()
    }
  })
}

interface ChatSessionParts {
  readonly streams: Streams
  readonly lines: Interface
  readonly engine: Engine
  /** Asks the person; undefined if nobody can be asked. */
  readonly ask: AskPerson | undefined
}

class ChatSession {
  #talk: StoredTalk
  readonly #parts: ChatSessionParts
  /** Stops the running answer or command. */
  #running: AbortController | undefined
  #attachedFiles: AttachedFile[] = []
  #hasFailed = false
  #isInterrupted = false
  #isInputOver = false

  constructor(talk: StoredTalk, parts: ChatSessionParts) {
    this.#talk = talk
    this.#parts = parts
    const { lines } = parts
    // Ctrl-D, which may come during an answer.
    lines.once('close', () => {
      this.#isInputOver = true
    })
    // On a terminal, readline receives Ctrl-C; elsewhere, the process does.
    lines.on('SIGINT', () => this.#interrupt())
    process.on('SIGINT', () => this.#interrupt())
  }

  /** Answers all lines. Returns the exit code: 1 if the last question failed and no person has seen the error. */
  async answerLines(typed: AsyncIterable<string>): Promise<number> {
    const { err, canAsk } = this.#parts.streams
    const { assistant } = this.#talk
    if (canAsk) await this.#replay()
    if (canAsk) err.write(`${await assistant.modelName()} at ${oneLine(assistant.place)}; /help lists the commands.\n`)
    this.#prompt()
    for await (const line of typed) {
      const text = line.trim()
      if (text === '/quit') break
      await this.#handleLine(text)
      this.#prompt()
    }
    if (this.#isInterrupted) {
      if (canAsk) err.write(`\nContinue with: ambit chat --resume ${this.#talk.id}\n`)
      return INTERRUPTED
    }
    return this.#hasFailed && !canAsk ? 1 : 0
  }

  /** Shows the earlier conversation to a person who resumes it. */
  async #replay(): Promise<void> {
    if (this.#talk.assistant.messages.length === 0) return
    const { messages } = await (await this.#parts.engine.conversations()).show(this.#talk.id)
    replayMessages(this.#parts.streams, messages)
  }

  /** Handles Ctrl-C: stops the running answer. Without a running answer, or the second time, ends the program. */
  #interrupt(): void {
    if (this.#running && !this.#running.signal.aborted) this.#running.abort()
    else {
      this.#isInterrupted = true
      this.#parts.lines.close()
    }
  }

  #prompt(): void {
    if (this.#parts.streams.canAsk && !this.#isInputOver) this.#parts.lines.prompt()
  }

  async #handleLine(text: string): Promise<void> {
    if (text === '') return
    const stop = new AbortController()
    this.#running = stop
    try {
      this.#hasFailed = false
      const question = text.startsWith('/') ? await this.#runCommand(text, stop.signal) : text
      if (question !== undefined) await this.#answer(question, stop)
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      this.#hasFailed = true
      this.#parts.streams.err.write(`ambit: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`)
    } finally {
      this.#running = undefined
    }
  }

  async #answer(text: string, answering: AbortController): Promise<void> {
    const view = new AnswerView(this.#parts.streams)
    const conversations = await this.#parts.engine.conversations()
    const run = { signal: answering.signal, emit: view.emit }
    const { id } = this.#talk
    const files = this.#attachedFiles
    this.#attachedFiles = []
    const answer = await conversations.runExclusively(id, async () => {
      this.#talk = await this.#talk.current()
      // A browser may also stop the answer.
      const askModel = () => this.#talk.ask({ id: newQuestionId(), text, files }, run)
      return receiveCommands(conversations, { id, stop: () => answering.abort() }, askModel)
    })
    view.end(answer)
    view.showUsage(answer)
    this.#hasFailed = !isCompleteAnswer(answer)
  }

  /** Runs a chat command. Returns the question that the command asks; undefined if it asks none. */
  async #runCommand(text: string, signal: AbortSignal): Promise<string | undefined> {
    const { assistant, id } = this.#talk
    const attach = (file: AttachedFile) => {
      this.#attachedFiles.push(file)
      return this.#attachedFiles.map((attached) => attached.name)
    }
    const askPerson = this.#parts.ask ?? (() => new Promise<string>(() => {}))
    const showLine = (line: string) => this.#parts.streams.err.write(`${line}\n`)
    const parts = { assistant, engine: this.#parts.engine, id, signal, attach, askPerson, showLine }
    const question = await questionOfPrompt(text, parts)
    if (question !== undefined) return question
    const [name = '', ...rest] = text.split(/\s+/)
    const command: ChatCommand | undefined = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command) {
      const hint = `Commands: ${[...Object.keys(COMMANDS), '/quit'].join(', ')}.`
      throw invalidInput(`There is no command ${oneLine(name)}.`, hint)
    }
    this.#parts.streams.err.write(await command.run(rest.join(' '), parts))
    return undefined
  }
}
