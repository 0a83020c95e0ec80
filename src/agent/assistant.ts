/** A conversation with a model. The model gets the context of the person's place, such as a directory or a package. */

import { type Run, SILENT } from '../core/flow.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Message } from '../models/language.ts'
import { attachmentUri, frameText } from '../text/frames.ts'
import { questionMessage, type SentFile } from './assistant/attachments.ts'
import { type DelegatedTask, delegateTool, navigateTool, previewTool } from './assistant/own-tools.ts'
import { PlaceContext, type PlaceContextState } from './assistant/place-context.ts'
import { lookFrom, type Standpoint, withEveryPlace } from './assistant/place-tools.ts'
import { addServerTools } from './assistant/server-tools.ts'
import { type AnswerBasis, NumberedSources } from './assistant/sources.ts'
import { systemOn } from './assistant/system.ts'
import { type AskTrust, askTrust, trustedElement } from './assistant/trust.ts'
import type { AssistantHost, MakeTools } from './host.ts'
import { AGENT_LIMITS, type AgentLimits, withoutThoughts } from './loop/meter.ts'
import { type AgentRun, type Outcome, runAgent } from './loop.ts'
import type { AgentTool, AnswerServer, Approve } from './tool.ts'
import { textFilesOf } from './transcript.ts'

export type { AskTrust }

/** Dependencies of a conversation. */
export interface AssistantParts {
  readonly engine: AssistantHost
  readonly makeTools: MakeTools
  /** The person's place: a path or a URI. Default: the current directory. */
  readonly place?: string
  /** Asks the person before something is written. Default: nothing is written. */
  readonly approve?: Approve
  /** Asks the person a question of a tool server. Default: all questions are declined. */
  readonly answer?: AnswerServer
  /** Asks the person once for each address whether to follow its instruction files. Default: does not ask. */
  readonly trust?: AskTrust
  /** Shows the person a place. Without it, the model cannot move the person to another place. */
  readonly view?: { navigate(place: string): void }
  readonly limits?: Partial<AgentLimits>
  /** The conversation to continue. Default: a new conversation. */
  readonly history?: { readonly messages: readonly Message[]; readonly state: AssistantState }
  /** Name of the model. Default: the configured model. */
  readonly model?: string
  /** Whether the model may read files of the project at the person's place that are in no collection. Default: false. */
  readonly disk?: boolean
  /** Receives a sentence for the person, such as one about the place or about a server. */
  notice?(text: string): void
}

/** State that restores a conversation together with its messages. Plain data. */
export interface AssistantState extends PlaceContextState {
  /** The places that answers cite by number, such as [1], in the order of their numbers from 1. */
  readonly sources: readonly string[]
  /** The place and the view that were sent to the model last. */
  readonly standing?: string
  readonly view?: string
  /** The model that answered last. */
  readonly model?: string
}

/** Options of one question. */
export interface AskRun extends AgentRun {
  /** The part of the user interface that the person looks at, as lines. The model gets it when it changes. */
  readonly view?: string
  readonly files?: readonly SentFile[]
  /** Receives the whole conversation before each request, so that another process can continue it after a crash. */
  onMessages?(messages: readonly Message[]): void
}

export type Answer = Outcome & AnswerBasis

export class Assistant {
  readonly #parts: AssistantParts
  readonly #tools: readonly AgentTool[]
  readonly #context: PlaceContext
  readonly #sources: NumberedSources
  #messages: readonly Message[]
  #place: string
  /** The place as `load` names it; before it is loaded, as the person named it. */
  #loadedPlace: string
  #model: string | undefined
  #lastModel: string | undefined
  /** The values of `AgentTool.needs` that have been met since the conversation began. */
  readonly #metNeeds = new Set<AgentTool['needs']>([undefined])
  #lastChoice: string | undefined
  readonly #withServerTools: ReturnType<typeof addServerTools>

  constructor(parts: AssistantParts) {
    this.#parts = parts
    const { messages = [], state } = parts.history ?? {}
    this.#place = parts.place ?? '.'
    this.#loadedPlace = this.#place
    this.#model = parts.model
    this.#messages = messages
    this.#lastModel = state?.model
    this.#sources = new NumberedSources(state?.sources)
    this.#context = new PlaceContext(parts.engine, state)
    this.#context.sent = { place: state?.standing, view: state?.view }
    this.#context.forgetExcept(messages)
    const navigate = navigateTool((place, signal) => this.#moveTo(place, signal))
    const citedIn = (text: string) => this.#sources.numbered(this.#sources.citationsIn(text).map(({ place }) => place))
    const delegate = delegateTool((signal) => this.#beginTask(signal), citedIn)
    this.#tools = [...this.#makeTools(this.#context), ...(parts.view ? [navigate] : []), delegate]
    const touch = (path: string) => this.#context.touch(path)
    this.#withServerTools = addServerTools(touch, (text) => parts.notice?.(text))
  }

  get place(): string {
    return this.#place
  }

  /** The assistant's own tools, and the states of the person's tool servers. Waits until no server is connecting. */
  async tools(signal?: AbortSignal) {
    const servers = await this.#parts.engine.servers()
    return { own: await this.#usefulTools(this.#tools), servers: (await servers?.settled(signal)) ?? [] }
  }

  /** Questions, answers, contexts and results of tools, in order. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  /** State that, with the messages, restores the conversation. */
  get state(): AssistantState {
    const { place: standing, view } = this.#context.sent
    const lastSent = omitUndefined({ standing, view, model: this.#lastModel })
    return { ...this.#context.state, sources: [...this.#sources.places], ...lastSent }
  }

  /** `provider/model`. @throws ContextError as `useModel`. */
  async modelName(): Promise<string> {
    return (await this.#parts.engine.language(this.#model)).name
  }

  /** Continues with another model. @throws ContextError `invalid-input` for an unknown name; `denied` without a key. */
  async useModel(name: string): Promise<void> {
    await this.#parts.engine.language(name)
    this.#model = name
  }

  /**
   * Sends the model new context of the place, then a question. A question without any answer is dropped from the
   * conversation.
   *
   * @throws ContextError for a place that cannot be loaded, a model that cannot be used, or a file that the model does
   * not accept.
   */
  async ask(question: string, run: AskRun): Promise<Answer> {
    const { engine, approve, answer } = this.#parts
    const model = await engine.language(this.#model)
    const { files = [], signal } = run
    const message: Message =
      files.length === 0
        ? { role: 'user', text: question }
        : await questionMessage(question, files, {
            model,
            reader: await engine.placeReader(),
            hasFile: (name) => this.#sources.places.includes(attachmentUri(name)),
            signal,
          })
    const sentBefore = this.#context.sent
    this.#sources.roots = await engine.roots()
    const update = await this.#updateMessages(this.#context, signal, run.view)
    const sources = this.#sources.numbered(fileUris([message]))
    // A model does not get the reasoning of another model.
    const history = this.#lastModel === model.name ? this.#messages : withoutThoughts(this.#messages)
    const sourceMessages = sources === '' ? [] : [{ role: 'context' as const, text: sources }]
    const conversation = [...history, ...update, ...sourceMessages, message]
    run.onMessages?.(conversation)
    const outcome = await runAgent(
      conversation,
      {
        model,
        system: systemOn(new Date()),
        tools: await this.#withServerTools(await this.#usefulTools(this.#tools, conversation), await engine.servers()),
        limits: this.#limits,
        approve,
        answer,
        beforeNextStep: async (signal, conversation) => {
          const update = await this.#updateMessages(this.#context, signal)
          run.onMessages?.([...conversation, ...update])
          return update
        },
        carryOver: (...messages) => this.#carryContext(this.#context, ...messages),
      },
      run,
    )
    if (outcome.messages.length > 0) [this.#messages, this.#lastModel] = [outcome.conversation, model.name]
    else this.#context.sent = sentBefore
    this.#context.forgetExcept(this.#messages)
    return { ...outcome, ...this.#sources.basisOf(outcome.answer) }
  }

  get #limits(): AgentLimits {
    const { costLimit } = this.#parts.engine.config
    return { ...AGENT_LIMITS, ...omitUndefined({ cost: costLimit }), ...this.#parts.limits }
  }

  /** The tools that work on places, for a conversation with this context. */
  #makeTools(context: PlaceContext): readonly AgentTool[] {
    const { engine, makeTools, disk = false } = this.#parts
    const numbered = (places: readonly string[]) => this.#sources.numbered(places)
    const directory = async () => {
      if (!disk || !(await engine.isOnDisk(this.#place))) return undefined
      return (await engine.placeReader()).openProject(this.#place)
    }
    const touch = (path: string) => this.#context.touch(path)
    const tools = makeTools({ numbered, fresh: (text) => context.filterNew(text), touch })
    const parts = {
      ...this.#standpoint,
      reader: () => engine.placeReader(),
      directory,
      numbered,
      touch,
    }
    const preview = previewTool(parts, async () => (await engine.language(this.#model)).canSee)
    return [...withEveryPlace(tools, parts), preview]
  }

  /**
   * The tools whose `needs` are met. `collections`: there is a collection. `packages`: the place, a collection or a
   * message names a bucket, or a collection has packages.
   */
  async #usefulTools(tools: readonly AgentTool[], messages = this.#messages): Promise<readonly AgentTool[]> {
    const { engine } = this.#parts
    const roots = (await engine.roots()).map(({ root }) => root)
    const isInBucket =
      [this.#loadedPlace, ...roots].some((place) => /^(?:quilt\+)?s3:/.test(place)) ||
      messages.some((message) => 'text' in message && message.text.includes('s3://'))
    const countListed = async () => (await (await engine.packages()).list({ limit: 1 }, SILENT)).packages.length
    // An offered tool stays offered, so that the provider's cache stays valid.
    if (roots.length > 0) this.#metNeeds.add('collections')
    if (!this.#metNeeds.has('packages') && (isInBucket || (roots.length > 0 && (await countListed()) > 0)))
      this.#metNeeds.add('packages')
    return tools.filter(({ needs }) => this.#metNeeds.has(needs))
  }

  /** Begins the conversation of a delegated task at the person's place. */
  async #beginTask(signal: AbortSignal): Promise<DelegatedTask> {
    const context = this.#context.separate()
    const tools = await this.#usefulTools(this.#makeTools(context).filter(({ effect }) => effect === 'read'))
    const model = await this.#parts.engine.language(this.#model)
    const messages = await this.#updateMessages(context, signal)
    return { model, messages, tools, carryOver: (...messages) => this.#carryContext(context, ...messages) }
  }

  /** Moves the person to a place. Returns its full name. `target` may be relative. @throws ContextError as `load`. */
  async #moveTo(target: string, signal: AbortSignal): Promise<string> {
    const { engine, view } = this.#parts
    const { place, loaded } = await lookFrom(target, this.#standpoint, async (place) => {
      return { place, loaded: await engine.load({ place, full: false, drift: false }, { ...SILENT, signal }) }
    })
    this.#place = place
    this.#loadedPlace = loaded.place
    view?.navigate(loaded.place)
    return place
  }

  get #standpoint(): Standpoint {
    return { currentPlace: () => this.#loadedPlace, roots: () => this.#parts.engine.roots() }
  }

  /** The new context of the person's place: one message, or none if nothing is new. */
  async #updateMessages(context: PlaceContext, signal?: AbortSignal, view = ''): Promise<readonly Message[]> {
    const run: Run = { ...SILENT, ...omitUndefined({ signal }) }
    const { place, root, choice, text, places } = await context.loadUpdate(this.#place, run)
    this.#loadedPlace = place
    if (choice !== undefined && this.#lastChoice !== choice) this.#parts.notice?.(choice)
    this.#lastChoice = choice
    const { sent } = context
    const isKnownView = view === '' || view === sent.view
    if (text === '' && isKnownView && sent.place === place) return []
    context.sent = { place, view: isKnownView ? sent.view : view }
    const placeFrame = frameText({ tag: 'place', attributes: root === undefined ? {} : { root }, text: place })
    const viewFrame = isKnownView ? '' : frameText({ tag: 'view', attributes: {}, text: view })
    await askTrust(this.#parts, { place, text, model: this.#model }, signal)
    const trusted = trustedElement(place, text, this.#parts.engine.config.trusted)
    return [{ role: 'context', text: `${placeFrame}${viewFrame}${this.#sources.numbered(places)}${trusted}${text}` }]
  }

  /**
   * A message for a compacted conversation: the context of older messages that still applies, and the numbers of its
   * places, of the places that the summary cites, and of the files in recent messages.
   */
  #carryContext(context: PlaceContext, ...[older, recent, summary]: Parameters<DelegatedTask['carryOver']>): Message[] {
    const { text, places } = context.carryOver(older, recent, this.#limits.promptTokens / 4)
    const cited = this.#sources.citationsIn(summary).map(({ place }) => place)
    const sources = this.#sources.numbered([...places, ...cited, ...fileUris(recent)])
    const placeFrame = frameText({ tag: 'place', attributes: {}, text: this.#place })
    const trusted = trustedElement(this.#loadedPlace, text, this.#parts.engine.config.trusted)
    const message: Message = { role: 'context', text: `${placeFrame}${sources}${trusted}${text}` }
    context.forgetExcept([message, ...recent])
    // Makes the next question send the view again.
    context.sent = { ...context.sent, view: undefined }
    return [message]
  }
}

/** The URIs of the text files that are attached to messages. */
function fileUris(messages: readonly Message[]): string[] {
  return messages.flatMap(textFilesOf).map(({ name }) => attachmentUri(name))
}
