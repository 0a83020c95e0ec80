import { jsonrepair } from 'jsonrepair'
import { isOverflow, learnPromptLimit, MIN_ANSWER, requestStep } from '../../agent/loop.ts'
import { ContextError, throwIfAborted, tryToRead } from '../../core/errors.ts'
import { runWithin } from '../../core/run-within.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { LanguageModel, Message, StepPart, StepRequest, Usage } from '../../models/language.ts'
import { countedUsage } from '../../models/prices.ts'
import type { SystemPrompt } from '../prompts/prompt.ts'
import {
  addUsage,
  NO_USAGE,
  type StageLimits,
  type StageResult,
  type StageUsage,
  type StageWork,
  subtractUsage,
  type UsageLimits,
} from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'

/** Thrown if neither answer of the model can be used. The message says why. */
class UnusableAnswer extends Error {}

/** The reason of an `UnusableAnswer`. @throws any other error, which stops the run. */
export function unusableReason(error: unknown): string {
  if (error instanceof UnusableAnswer) return error.message
  throw error
}

interface ModelRequest {
  readonly prompt: SystemPrompt
  /** The variables of the prompt, sent as JSON. Called for each request: a refusal may lower the limit of tokens. */
  task(): unknown
  readonly signal: AbortSignal
}

interface JsonRequest<Value> extends ModelRequest {
  /** The value of an answer; undefined if the answer has another form. */
  read(answer: Answer): Value | undefined
}

/** Maximum characters of an answer. */
const MAX_ANSWER = 400_000

/** Asks for JSON. @throws UnusableAnswer; ContextError as the model does. */
export function askForJson<Value extends object>(model: BudgetedModel, request: JsonRequest<Value>) {
  return askTwice(model, request, (text) => {
    const answer = objectIn(text)
    if (!answer) return 'The answer of the model is not the JSON that it was asked for.'
    const value = request.read(answer)
    return value ? { value } : 'The answer of the model is not of the form that it was asked for.'
  })
}

/** As `askForJson`, for a text. */
export function askForText(model: BudgetedModel, request: ModelRequest) {
  return askTwice(model, request, (text) => {
    const value = text.trim()
    return value === '' ? 'The answer of the model is empty.' : { value }
  })
}

export const CUT_OFF = 'The answer of the model was cut off.'

/**
 * Asks, and asks once more if the answer cannot be used or was cut off. `read` returns the value of an answer, or a
 * sentence that names its defect. `isCut`: whether the value is from an answer that was cut off.
 */
async function askTwice<Value>(
  model: BudgetedModel,
  { prompt: first, task, signal }: ModelRequest,
  read: (text: string) => { readonly value: Value } | string,
) {
  const messages: Message[] = []
  let prompt = first
  let defect = ''
  let cutAnswer: { readonly value: Value } | undefined
  const { exhausted } = model
  for (let attempt = 1; attempt <= 2; attempt++) {
    const asked = [{ role: 'user' as const, text: JSON.stringify(task()) }, ...messages]
    const { text, isCut, failure, isRefused } = await askModel(model, asked, { prompt, signal })
    const outcome = failure ?? read(text)
    if (typeof outcome !== 'string' && !isCut) return { ...outcome, isCut }
    if (typeof outcome !== 'string') cutAnswer = outcome
    defect = typeof outcome === 'string' ? outcome : `${CUT_OFF} Make it shorter.`
    // After a refusal, the second request has no form (schema of the answer): the service may not support forms.
    if (isRefused) prompt = { version: prompt.version, text: prompt.text }
    if (failure !== undefined) continue
    messages.push({ role: 'assistant', parts: [{ type: 'text', text: text.slice(0, 2000).toWellFormed() || '…' }] })
    messages.push({ role: 'user', text: `${defect} Answer once more, with nothing but what was asked for.` })
  }
  if (!cutAnswer) throw new UnusableAnswer(defect)
  // There is an answer, so a limit that stopped only the second request does not count as reached.
  model.exhausted = exhausted
  return { ...cutAnswer, isCut: true }
}

async function askModel(
  model: BudgetedModel,
  messages: readonly Message[],
  { prompt: { text: system, form }, signal }: Omit<ModelRequest, 'task'>,
): Promise<{ text: string; isCut: boolean; failure?: string; isRefused?: boolean }> {
  const request = { system, messages, tools: [], ...(form && { form }) }
  const limits = { tokens: MAX_ANSWER / 4, signal, emit: () => {} }
  const { text, parts, reason, error } = await requestStep(model, request, limits)
  throwIfAborted(signal)
  // Only a person can replace a refused key, so the run stops.
  if (error?.code === 'denied') throw error
  const isCut = reason === 'length'
  if (error || (reason !== 'stop' && !(isCut && text.trim() !== '')))
    return { text, isCut, failure: error?.message ?? whyNotEnded(reason), isRefused: error?.code === 'invalid-input' }
  // Some services send the whole answer as reasoning. Only JSON is used then: a text cannot be distinguished from
  // reasoning.
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  const isMisplaced = text.trim() === '' && objectIn(reasoning) !== undefined
  return { text: isMisplaced ? reasoning : text, isCut }
}

function whyNotEnded(reason: string): string {
  if (reason === 'length') return CUT_OFF
  if (reason === 'overflow') return 'The answer of the model has no end.'
  return reason === 'filter' ? 'The model refused to answer.' : 'The answer of the model broke off.'
}

type ModelWork<Value> = (
  model: BudgetedModel,
) => Promise<Pick<StageResult<Value>, 'value' | 'failed'> & { by?: string }>

/** Runs `work` with a model within limits. `substitute`: the value if the answers of the model cannot be used. */
export async function workWithModel<Value>(
  model: LanguageModel,
  { limits, work, substitute }: Pick<StageLimits, 'limits'> & { work: ModelWork<Value>; substitute: () => Value },
): Promise<StageResult<Value>> {
  const budgeted = new BudgetedModel(model, limits)
  const result = await work(budgeted).catch((error: unknown) => {
    return { failed: unusableReason(error), value: substitute(), by: EXTRACTIVE }
  })
  const { spent, exhausted } = budgeted
  return { by: model.name, ...result, spent, ...(exhausted && { exhausted }) }
}

interface JsonStage<Task, Value> {
  readonly prompt: SystemPrompt
  /** The variables of the prompt. Default: the task. */
  requestFields?(task: Task): unknown
  /** Undefined for an answer of another form. */
  read(answer: Answer, task: Task): Value | undefined
  /** The value if the model fails. */
  substitute(task: Task): Value
}

export function jsonStage<Task, Value extends object>(
  model: LanguageModel,
  { prompt, requestFields = (task) => task, read, substitute }: JsonStage<Task, Value>,
): StageWork<Task, Value> {
  return (task, { signal, limits }) => {
    const request = { prompt, task: () => requestFields(task), signal, read: (answer: Answer) => read(answer, task) }
    const work: ModelWork<Value> = async (budgeted) => {
      const { value, isCut } = await askForJson(budgeted, request)
      return isCut ? { value, failed: CUT_OFF } : { value }
    }
    return workWithModel(model, { limits, work, substitute: () => substitute(task) })
  }
}

type Answer = Readonly<Record<string, unknown>>

/** Maximum milliseconds of all repairs of one answer. Most take less than 100; an odd answer could take a minute. */
const REPAIR_MS = 3000

/** The last JSON object of an answer, repaired if it is malformed; undefined without one. */
export function objectIn(text: string): Answer | undefined {
  const end = performance.now() + REPAIR_MS
  for (const candidate of candidatesIn(text.slice(0, MAX_ANSWER))) {
    const bare = candidate.trim()
    // Other text is not repaired, because prose would become a string.
    if (!bare.startsWith('{')) continue
    const value: unknown = tryToRead(() => JSON.parse(bare)) ?? tryToRead(() => JSON.parse(repairUntil(end, bare)))
    if (value !== undefined && !Array.isArray(value)) return { ...Object(value) }
  }
  return undefined
}

/** The texts within an answer that may be its JSON object, the likeliest first. */
function* candidatesIn(text: string): Generator<string> {
  yield text
  const fences = [...text.matchAll(/```[a-z]*[^\S\n]*\n([\s\S]*?)```/gi)].map(([, inner = '']) => inner)
  yield* fences.toReversed()
  yield* objectsIn(text).toReversed()
  // An object that was cut off.
  const open = text.indexOf('{')
  if (open >= 0) yield text.slice(open).replace(/```\s*$/, '')
}

/** The complete JSON objects of a text, each from brace to brace. */
function objectsIn(text: string): string[] {
  const objects: string[] = []
  let [depth, from, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character === '\\') at++
      else if (character === '"') isQuoted = false
    } else if (character === '"' && depth > 0) isQuoted = true
    else if (character === '{' && depth++ === 0) from = at
    else if (character === '}' && depth > 0 && --depth === 0) objects.push(text.slice(from, at + 1))
  }
  return objects
}

/** @throws an error if the JSON cannot be repaired, or not in time. */
function repairUntil(end: number, json: string): string {
  const timeout = Math.ceil(end - performance.now())
  if (timeout <= 0) throw new Error('There is no time left.')
  return runWithin(timeout, () => jsonrepair(json))
}

/** If at least this number of tokens is left, the length of an answer is limited only by the model. */
const UNLIMITED_FROM = 128_000

/** Factor by which estimates of tokens are raised. Number of tokens that a price is for. */
const MARGIN = 1.2
const MILLION = 1_000_000

/** Wraps a model, and keeps its requests within limits of usage. */
export class BudgetedModel implements LanguageModel {
  readonly name: string
  readonly canSee = false
  readonly #model: LanguageModel
  readonly #limits: UsageLimits
  spent: StageUsage = NO_USAGE
  /** The limit that was reached. */
  exhausted: 'calls' | 'tokens' | 'cost' | undefined

  constructor(model: LanguageModel, limits: UsageLimits) {
    this.#model = model
    this.#limits = limits
    this.name = model.name
  }

  async *step(request: StepRequest, signal?: AbortSignal): AsyncGenerator<StepPart> {
    const estimate = this.#estimate(request)
    const maxTokens = this.#maxOutput(estimate)
    const limit = maxTokens < UNLIMITED_FROM ? { maxOutputTokens: maxTokens } : {}
    let answerTokens = 0
    let usage: Usage | undefined
    try {
      for await (const part of this.#model.step({ ...request, ...limit }, signal)) {
        if (part.type === 'text') answerTokens += bytes4(part.text)
        if (part.type === 'call') answerTokens += bytes4(part.input)
        if (part.type === 'thinking') answerTokens += part.length / 4
        if (part.type === 'finish') usage = part.usage
        yield part
      }
    } catch (error) {
      if (error instanceof ContextError && isOverflow(error)) learnPromptLimit(this.#model, error, estimate / MARGIN)
      throw error
    } finally {
      // A service may report no usage, or break off.
      const estimated = { input: estimate, output: Math.ceil(answerTokens) }
      const { input, output, cost } = countedUsage(usage, estimated, this.#model.price)
      this.spent = addUsage(this.spent, { calls: 1, input, output, ...(cost !== undefined && { cost }) })
    }
  }

  /** Tokens of a request, estimated high because services count differently. */
  #estimate({ system, messages, tools }: StepRequest): number {
    const sum = bytes4(system) + bytes4(JSON.stringify(messages)) + bytes4(JSON.stringify(tools))
    return Math.ceil(sum * MARGIN)
  }

  /** Maximum tokens of the answer to a request. @throws ContextError `over-limit` if it could exceed a limit. */
  #maxOutput(estimate: number): number {
    const { calls, tokens, cost } = subtractUsage(this.#limits, this.spent)
    if (calls < 1) throw this.#overLimit('calls', 'No request to a model is left.')
    if (estimate + MIN_ANSWER > tokens)
      throw this.#overLimit('tokens', `The request has about ${estimate} tokens, and ${tokens} are left.`)
    const affordable = this.#affordableOutput(estimate, cost)
    if (affordable < MIN_ANSWER) throw this.#overLimit('cost', 'A further request may cost more than is left.')
    return Math.min(tokens - estimate, affordable)
  }

  #affordableOutput(estimate: number, cost: number): number {
    const { input, written = input, output } = this.#model.price ?? { input: 0, output: 0 }
    const left = cost * MILLION - estimate * Math.max(input, written)
    return left > 0 ? Math.floor(left / output) : 0
  }

  #overLimit(what: 'calls' | 'tokens' | 'cost', message: string): ContextError {
    this.exhausted = what
    return new ContextError('over-limit', message)
  }
}
