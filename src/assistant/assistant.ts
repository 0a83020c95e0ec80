/** A conversation with a model that knows where the person stands. */

import { posix } from 'node:path'
import { LIMITS, type Limits } from '../agent/limits.ts'
import { type AgentRun, answer, type Outcome } from '../agent/loop.ts'
import type { AgentTool, Approve } from '../agent/tool.ts'
import { ContextError } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import type { Engine, GetAnswer } from '../engine.ts'
import type { Message } from '../models/language.ts'
import type { AnyOperation } from '../operations/index.ts'
import { framed } from '../text/framed.ts'
import { PlaceContext } from './place-context.ts'
import { type Citation, Sources } from './sources.ts'
import { SYSTEM } from './system.ts'
import type { Row } from './table.ts'
import { toolsOf } from './tools.ts'

/** What a conversation is made of. */
export interface AssistantParts {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  /** Where the person stands: whatever `load` takes. Default: the current directory. */
  readonly place?: string
  /** Asks the person before something is written. Default: nothing is written. */
  readonly approve?: Approve
  /** What shows the person a place: with it, the model may lead there. */
  readonly view?: { navigate(place: string): void }
  readonly limits?: Partial<Limits>
  /** Hears what the person should know of the place: a sentence. */
  notice?(text: string): void
}

/** An answer, and what it rests on. */
export interface Answer extends Outcome {
  readonly citations: readonly Citation[]
}

export class Assistant {
  readonly #parts: AssistantParts
  readonly #tools: readonly AgentTool[]
  readonly #context: PlaceContext
  readonly #sources = new Sources()
  #messages: readonly Message[] = []
  #place: string
  #model: string | undefined
  #noticed: string | undefined

  constructor(parts: AssistantParts) {
    this.#parts = parts
    this.#place = parts.place ?? '.'
    this.#context = new PlaceContext(parts.engine)
    const tools = toolsOf({
      engine: parts.engine,
      operations: parts.operations,
      numbered: (places) => this.#sources.told(places),
      fresh: (text) => this.#context.fresh(text),
      heard: (row, output) => this.#heard(row, output),
    })
    this.#tools = parts.view ? [...tools, this.#navigate()] : tools
  }

  /** Where the person stands. */
  get place(): string {
    return this.#place
  }

  /** What was said, what was told of places, and what tools gave, in order. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  /** `provider/model`. @throws ContextError as `useModel`. */
  async modelName(): Promise<string> {
    return (await this.#parts.engine.language(this.#model)).name
  }

  /** Goes on with another model. @throws ContextError `invalid-input` for a name that is none; `denied` without a key. */
  async useModel(name: string): Promise<void> {
    await this.#parts.engine.language(name)
    this.#model = name
  }

  /** What the model has been told of places, as it was told. */
  contextTold(): string {
    return this.#messages.flatMap((message) => (message.role === 'context' ? [message.text] : [])).join('')
  }

  /**
   * Asks something. What applies where the person stands is told before it, as far as it is new. A question of which nothing
   * came is not kept.
   *
   * @throws ContextError for a place that cannot be loaded, or a model that cannot be used.
   */
  async ask(question: string, run: AgentRun): Promise<Answer> {
    const { engine, approve, limits } = this.#parts
    const model = await engine.language(this.#model)
    const before = [...this.#messages, ...(await this.#news(run.signal)), { role: 'user' as const, text: question }]
    const outcome = await answer(
      before,
      {
        model,
        system: SYSTEM,
        tools: this.#tools,
        limits: { ...LIMITS, ...limits },
        ...(approve && { approve }),
        between: (signal) => this.#news(signal),
      },
      run,
    )
    if (outcome.messages.length > 0) this.#messages = [...before, ...outcome.messages]
    this.#context.settle(this.#messages)
    return { ...outcome, citations: this.#sources.citedIn(outcome.answer) }
  }

  /** One message, of what is new where the person stands; none when nothing is. */
  async #news(signal: AbortSignal | undefined): Promise<readonly Message[]> {
    const run: Run = { ...SILENT, ...(signal && { signal }) }
    const { place, choice, text, places } = await this.#context.news(this.#place, run)
    if (choice !== undefined && this.#noticed !== choice) this.#parts.notice?.(choice)
    this.#noticed = choice
    if (text === '') return []
    const named = framed({ tag: 'place', attributes: {}, text: place })
    return [{ role: 'context', text: `${named}${this.#sources.told(places)}${text}` }]
  }

  /** A document that was read counts as touched, where its collection is a directory of this machine. */
  async #heard({ operation }: Row, output: unknown): Promise<void> {
    if (operation !== 'get') return
    const { collection, path } = output as GetAnswer
    const { collections } = await this.#parts.engine.library()
    const root = (await collections.list()).find(({ name }) => name === collection)?.root ?? ''
    if (root.startsWith('/')) await this.#context.touch(posix.join(root, path))
  }

  #navigate(): AgentTool {
    return {
      name: 'navigate',
      description:
        'Lead the person to another place: from then on they stand there, and you are told what applies there.',
      effect: 'read',
      input: {
        type: 'object',
        properties: { place: { type: 'string', description: 'as for context_for' } },
        required: ['place'],
        additionalProperties: false,
      },
      run: async (input, signal) => {
        const { place } = Object(input)
        if (typeof place !== 'string' || place === '') throw new ContextError('invalid-input', 'place must be a text.')
        // Whether it is there.
        await this.#parts.engine.load({ place, full: false, drift: false }, { ...SILENT, signal })
        this.#place = place
        this.#parts.view?.navigate(place)
        return framed({ tag: 'place', attributes: {}, text: place })
      },
    }
  }
}
