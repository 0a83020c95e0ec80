import { createInterface, type Interface } from 'node:readline'
import { parseArgs } from 'node:util'
import { Talk as Kept, newQuestionId } from '../../assistant/talk.ts'
import { ContextError, UsageError } from '../../core/errors.ts'
import type { Engine } from '../../engine.ts'
import { oneLine } from '../../text/controls.ts'
import { AnswerView, isWhole } from './answer-view.ts'
import { approveBy } from './approve.ts'
import { parsed, type TalkParts } from './ask.ts'
import { type ChatCommand, COMMANDS } from './chat-commands.ts'
import { type Streams, streamsOf } from './streams.ts'

/** Talks until the person ends it. Questions are lines of stdin, answers go to stdout. Returns the exit code. */
export async function chat({ argv, plain, operations, open }: TalkParts): Promise<number> {
  const { place, db, resume } = optionsOf(argv)
  const streams = streamsOf(plain)
  const engine = await open(db === undefined ? {} : { db })
  const lines = createInterface({
    input: process.stdin,
    ...(streams.canAsk && { output: process.stderr, prompt: '> ' }),
  })
  const talk = new Talk(streams, lines)
  try {
    const notice = (text: string) => streams.err.write(`${oneLine(text)}\n`)
    const view = { navigate: (to: string) => notice(`You are led to ${to}.`) }
    const approve = streams.canAsk ? { approve: approveBy(streams, talk.confirmed) } : {}
    const about = { engine, operations, disk: true, notice, view, ...approve, ...(place !== undefined && { place }) }
    return await talk.untilEnd(await Kept.continued(about, resume), engine)
  } finally {
    lines.close()
    await engine.close()
  }
}

class Talk {
  readonly #streams: Streams
  readonly #lines: Interface
  #answering: AbortController | undefined
  #hasFailed = false

  constructor(streams: Streams, lines: Interface) {
    this.#streams = streams
    this.#lines = lines
    // On a terminal readline hears Ctrl-C, elsewhere the process does.
    lines.on('SIGINT', () => this.#interrupted())
    process.on('SIGINT', () => this.#interrupted())
  }

  /** A failure of the last question is told to scripts; a person has seen it. */
  async untilEnd(kept: Kept, engine: Engine): Promise<number> {
    const { err, canAsk } = this.#streams
    const { assistant } = kept
    if (canAsk) err.write(`${await assistant.modelName()} at ${oneLine(assistant.place)}. /help has the rest.\n`)
    this.#prompt()
    for await (const line of this.#lines) {
      const text = line.trim()
      if (text === '/quit') break
      await this.#answered(text, kept, engine)
      this.#prompt()
    }
    return this.#hasFailed && !canAsk ? 1 : 0
  }

  readonly confirmed = async (question: string, signal: AbortSignal): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#lines.question(`${question} [y/N] `, { signal }, resolve)
    signal.addEventListener('abort', () => resolve(''), { once: true })
    return /^y(es)?$/i.test((await promise).trim())
  }

  /** The first stops the answer, the second ends the program; so does one where nothing is being answered. */
  #interrupted(): void {
    if (this.#answering && !this.#answering.signal.aborted) this.#answering.abort()
    else this.#lines.close()
  }

  #prompt(): void {
    if (this.#streams.canAsk) this.#lines.prompt()
  }

  async #answered(text: string, kept: Kept, engine: Engine): Promise<void> {
    if (text === '') return
    try {
      this.#hasFailed = false
      if (text.startsWith('/')) await this.#command(text, kept, engine)
      else await this.#ask(text, kept, engine)
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      this.#hasFailed = true
      this.#streams.err.write(`ambit: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`)
    }
  }

  async #ask(question: string, kept: Kept, engine: Engine): Promise<void> {
    const conversations = await engine.conversations()
    const view = new AnswerView(this.#streams)
    this.#answering = new AbortController()
    try {
      const asked = { id: newQuestionId(), text: question }
      const { signal } = this.#answering
      const answer = await conversations.answering(kept.id, () => kept.ask(asked, { signal, emit: view.emit }))
      view.end(answer)
      view.took(answer)
      this.#hasFailed = !isWhole(answer)
    } finally {
      this.#answering = undefined
    }
  }

  async #command(text: string, { assistant, id }: Kept, engine: Engine): Promise<void> {
    const [name = '', ...rest] = text.split(/\s+/)
    const command: ChatCommand | undefined = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command) {
      const hint = `Commands: ${[...Object.keys(COMMANDS), '/quit'].join(', ')}.`
      throw new ContextError('invalid-input', `There is no command ${oneLine(name)}.`, { hint })
    }
    this.#streams.err.write(await command.run(rest.join(' '), { assistant, engine, id }))
  }
}

function optionsOf(argv: readonly string[]) {
  const options = { db: { type: 'string' }, resume: { type: 'string' } } as const
  const args = withLast(argv)
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }), 'chat')
  const [place, ...more] = positionals
  if (more.length > 0) throw new UsageError(`"${more[0]}" is one argument too many.`, 'It takes one PLACE.')
  return { place: place ?? (values.resume === undefined ? '.' : undefined), db: values.db, resume: values.resume }
}

/** `--resume` without an id is the conversation that was last changed: `--resume=`. */
function withLast(argv: readonly string[]): string[] {
  return argv.map((word, at) => {
    const isBare = word === '--resume' && /^(-|$)/.test(argv[at + 1] ?? '')
    return isBare ? '--resume=' : word
  })
}
