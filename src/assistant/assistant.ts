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
import { PlaceContext, type ToldState } from './place-context.ts'
import { type Citation, Sources } from './sources.ts'
import { SYSTEM } from './system.ts'
import type { Row } from './table.ts'
import { textTold } from './told.ts'
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
  /** A conversation that goes on. Default: a new one. */
  readonly before?: Before
  /** The model, by its name. Default: the configured one. */
  readonly model?: string
  /** Hears what the person should know of the place: a sentence. */
  notice?(text: string): void
}

/** What a conversation goes on from, besides its messages. Plain data. */
export interface AssistantState extends ToldState {
  /** The places that have numbers, in their order. */
  readonly sources: readonly string[]
  /** The place and the view that the model was told last. */
  readonly standing?: string
  readonly view?: string
}

/** A conversation as it was left. */
export interface Before {
  readonly messages: readonly Message[]
  readonly state: AssistantState
}

/** Travels with a question. */
export interface AskRun extends AgentRun {
  /** What the person looks at: lines. The model is told when it is other than before. */
  readonly view?: string
  /** Hears of the whole conversation before each request: it can go on from there, should this process end. */
  kept?(messages: readonly Message[]): void
}

/** An answer, and what it rests on. */
export interface Answer extends Outcome {
  readonly citations: readonly Citation[]
}

export class Assistant {
  readonly #parts: AssistantParts
  readonly #tools: readonly AgentTool[]
  readonly #context: PlaceContext
  readonly #sources: Sources
  #messages: readonly Message[]
  #place: string
  #model: string | undefined
  #standing: string | undefined
  #view: string | undefined
  #noticed: string | undefined

  constructor(parts: AssistantParts) {
    this.#parts = parts
    const { messages = [], state } = parts.before ?? {}
    this.#place = parts.place ?? '.'
    this.#model = parts.model
    this.#messages = messages
    this.#standing = state?.standing
    this.#view = state?.view
    this.#sources = new Sources(state?.sources)
    this.#context = new PlaceContext(parts.engine, state)
    this.#context.settle(messages)
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

  /** What a conversation goes on from that is made again with these messages. */
  get state(): AssistantState {
    const [standing, view] = [this.#standing, this.#view]
    return {
      ...this.#context.state,
      sources: this.#sources.places,
      ...(standing !== undefined && { standing }),
      ...(view !== undefined && { view }),
    }
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
    return textTold(this.#messages)
  }

  /**
   * Asks something. What applies where the person stands is told before it, as far as it is new. A question of which nothing
   * came is not kept.
   *
   * @throws ContextError for a place that cannot be loaded, or a model that cannot be used.
   */
  async ask(question: string, run: AskRun): Promise<Answer> {
    const { engine, approve } = this.#parts
    const model = await engine.language(this.#model)
    const [standing, view] = [this.#standing, this.#view]
    const news = await this.#news(run.signal, run.view)
    const before = [...this.#messages, ...news, { role: 'user' as const, text: question }]
    run.kept?.(before)
    const outcome = await answer(
      before,
      {
        model,
        system: SYSTEM,
        tools: this.#tools,
        limits: this.#limits,
        ...(approve && { approve }),
        between: async (signal, conversation) => {
          const news = await this.#news(signal)
          run.kept?.([...conversation, ...news])
          return news
        },
        carried: (older, kept, summary) => this.#carried(older, kept, summary),
      },
      run,
    )
    if (outcome.messages.length > 0) this.#messages = outcome.conversation
    else [this.#standing, this.#view] = [standing, view]
    this.#context.settle(this.#messages)
    return { ...outcome, citations: this.#sources.citedIn(outcome.answer) }
  }

  get #limits(): Limits {
    const { costLimit } = this.#parts.engine.config
    return { ...LIMITS, ...(costLimit !== undefined && { cost: costLimit }), ...this.#parts.limits }
  }

  /** One message, of what is new where the person stands; none when nothing is. */
  async #news(signal: AbortSignal | undefined, view = ''): Promise<readonly Message[]> {
    const run: Run = { ...SILENT, ...(signal && { signal }) }
    const { place, choice, text, places } = await this.#context.news(this.#place, run)
    if (choice !== undefined && this.#noticed !== choice) this.#parts.notice?.(choice)
    this.#noticed = choice
    const isSeen = view === '' || view === this.#view
    if (text === '' && isSeen && this.#standing === place) return []
    this.#standing = place
    if (!isSeen) this.#view = view
    const named = framed({ tag: 'place', attributes: {}, text: place })
    const seen = isSeen ? '' : framed({ tag: 'view', attributes: {}, text: view })
    return [{ role: 'context', text: `${named}${seen}${this.#sources.told(places)}${text}` }]
  }

  /** What still applies of what is no more sent, with the numbers by which it, and what the summary cites, are known. */
  #carried(older: readonly Message[], kept: readonly Message[], summary: string): readonly Message[] {
    const { text, places } = this.#context.carried(older, kept, this.#limits.promptTokens / 4)
    const cited = this.#sources.citedIn(summary).map(({ place }) => place)
    const sources = this.#sources.told([...places, ...cited])
    const named = framed({ tag: 'place', attributes: {}, text: this.#place })
    const message: Message = { role: 'context', text: `${named}${sources}${text}` }
    this.#context.settle([message, ...kept])
    // What the person looked at is told again with the next question.
    this.#view = undefined
    return [message]
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
        const there = await this.#parts.engine.load({ place, full: false, drift: false }, { ...SILENT, signal })
        this.#place = place
        this.#parts.view?.navigate(there.place)
        return framed({ tag: 'place', attributes: {}, text: place })
      },
    }
  }
}
