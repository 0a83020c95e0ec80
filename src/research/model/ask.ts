import { jsonrepair } from 'jsonrepair'
import { stepOf } from '../../agent/loop.ts'
import { throwIfAborted } from '../../core/errors.ts'
import type { LanguageModel, Message } from '../../models/language.ts'
import type { SystemPrompt } from '../prompts/prompt.ts'
import {
  addSpent,
  type Done,
  leftOf,
  NOTHING_SPENT,
  type Spent,
  type StageLimits,
  type StageWork,
  withoutCost,
} from '../run/stages.ts'
import { BudgetedModel } from './budgeted-model.ts'

/** An unusable answer, with its usage. */
export class Unusable extends Error {
  readonly spent: Spent
  readonly exhausted?: 'calls' | 'tokens' | 'cost'
  /** Whether the service refused the request itself. */
  isRefused = false

  constructor(reason: string, spent: Spent, exhausted?: 'calls' | 'tokens' | 'cost') {
    super(reason)
    this.spent = spent
    if (exhausted !== undefined) this.exhausted = exhausted
  }
}

/** A request to a model, and how its answer is read. */
export interface WantedAnswer<Value> extends StageLimits {
  readonly prompt: SystemPrompt
  /** The variables of the prompt, sent as JSON. */
  readonly task: unknown
  /** The value of an answer; undefined or a sentence if the answer has another form. */
  read(answer: Readonly<Record<string, unknown>>): Value | string | undefined | Promise<Value | string | undefined>
}

export interface Given<Value> {
  readonly value: Value
  readonly spent: Spent
  /** Whether the answer was cut off. */
  readonly isCut: boolean
}

/** Maximum characters of an answer. The service limits how long a model may be silent. */
const LONGEST = 400_000

/** Asks for JSON, and asks once more if the answer cannot be used. @throws Unusable; ContextError as the model does. */
export async function askFor<Value extends object>(
  model: LanguageModel,
  wanted: WantedAnswer<Value>,
): Promise<Given<Value>> {
  return askTwice(model, wanted, async ({ text, isCut }) => {
    const answer = objectIn(text)
    const value = answer && (await wanted.read(answer))
    if (typeof value === 'object') return { value, isCut }
    return value ?? (answer ? NOT_OF_FORM : NO_JSON)
  })
}

const NO_JSON = 'The answer of the model is not the JSON that it was asked for.'
const NOT_OF_FORM = 'The answer of the model is not of the form that it was asked for.'

/** As `askFor`, for a text. */
export function askForText(model: LanguageModel, wanted: Omit<WantedAnswer<never>, 'read'>): Promise<Given<string>> {
  return askTwice(model, wanted, async ({ text, isCut }) => {
    const value = text.trim()
    return value === '' ? 'The answer of the model is empty.' : { value, isCut }
  })
}

async function askTwice<Value>(
  model: LanguageModel,
  { prompt: given, task, signal, most }: Omit<WantedAnswer<never>, 'read'>,
  read: (said: Said) => Promise<{ readonly value: Value; readonly isCut: boolean } | string>,
): Promise<Given<Value>> {
  const messages: Message[] = [{ role: 'user', text: JSON.stringify(task) }]
  let spent = NOTHING_SPENT
  let prompt = given
  for (let attempt = 1; ; attempt++) {
    let problem = ''
    try {
      const said = await askModel(model, messages, { prompt, signal, most: leftOf(most, spent) })
      spent = addSpent(spent, said.spent)
      const value = await read(said)
      if (typeof value !== 'string') return { ...value, spent }
      problem = value
      messages.push({
        role: 'assistant',
        parts: [{ type: 'text', text: said.text.slice(0, 2000).toWellFormed() || '…' }],
      })
      messages.push({ role: 'user', text: `${value} Answer once more, with nothing but what was asked for.` })
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      spent = addSpent(spent, error.spent)
      if (error.exhausted !== undefined) throw new Unusable(error.message, spent, error.exhausted)
      problem = error.message
      // The service may not support the form.
      if (error.isRefused) prompt = { version: prompt.version, text: prompt.text }
    }
    if (attempt === 2) throw new Unusable(problem, spent)
  }
}

interface Said {
  readonly text: string
  readonly spent: Spent
  readonly isCut: boolean
}

async function askModel(
  model: LanguageModel,
  messages: readonly Message[],
  { prompt: { text: system, form }, signal, most }: Pick<WantedAnswer<never>, 'prompt'> & StageLimits,
): Promise<Said> {
  const budgeted = new BudgetedModel(model, most)
  const request = { system, messages, tools: [], ...(form && { form }) }
  const limits = { tokens: LONGEST / 4, signal, emit: () => {} }
  const { text, parts, reason, error } = await stepOf(budgeted, request, limits)
  throwIfAborted(signal)
  // Only a person can replace a refused key, so the run stops.
  if (error?.code === 'denied') throw error
  const isCut = reason === 'length'
  if (error || (reason !== 'stop' && !(isCut && text.trim() !== ''))) {
    const unusable = new Unusable(error?.message ?? whyNotEnded(reason), budgeted.spent, budgeted.exhausted)
    throw Object.assign(unusable, { isRefused: error?.code === 'invalid-input' })
  }
  // Some services send the whole answer as reasoning. It is used if it is JSON, because a text cannot be told from
  // reasoning.
  const thought = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  const isMisplaced = text.trim() === '' && objectIn(thought) !== undefined
  return { text: isMisplaced ? thought : text, spent: budgeted.spent, isCut }
}

function whyNotEnded(reason: string): string {
  if (reason === 'length') return 'The answer of the model was cut off.'
  if (reason === 'overflow') return 'The answer of the model has no end.'
  return reason === 'filter' ? 'The model refused to answer.' : 'The answer of the model broke off.'
}

/** The result without the model, after its error. @throws errors that stop the run. */
export function useSubstitute<Value>(error: unknown, done: Done<Value>): Done<Value> {
  if (!(error instanceof Unusable)) throw error
  const { message, spent, exhausted } = error
  return { ...done, spent, failed: message, ...(exhausted && { exhausted }) }
}

interface JsonStage<Task, Value> {
  readonly prompt: SystemPrompt
  /** The variables of the prompt. */
  sent(task: Task): unknown
  /** Undefined for an answer of another form. */
  read(answer: Readonly<Record<string, unknown>>, task: Task): Value | undefined
  /** The value if the model fails. */
  instead(task: Task): Value
}

export function jsonStage<Task, Value extends object>(
  model: LanguageModel,
  { prompt, sent, read, instead }: JsonStage<Task, Value>,
): StageWork<Task, Value> {
  return async (task, limits) => {
    try {
      const wanted = { prompt, task: sent(task), read: (answer: Answer) => read(answer, task) }
      const { value, spent } = await askFor(model, { ...wanted, ...limits })
      return { value, spent, by: model.name }
    } catch (error) {
      return useSubstitute(error, withoutCost(instead(task)))
    }
  }
}

type Answer = Readonly<Record<string, unknown>>

/** The last JSON object of an answer, repaired if it is malformed; undefined without one. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  for (const candidate of candidatesIn(text.slice(0, LONGEST))) {
    const value = parseObject(candidate)
    if (value) return value
  }
  return undefined
}

function* candidatesIn(text: string): Generator<string> {
  yield text
  const fences = [...text.matchAll(/```[a-z]*[^\S\n]*\n([\s\S]*?)```/gi)].map(([, inner = '']) => inner)
  yield* fences.toReversed()
  yield* objectsIn(text).toReversed()
  // An object that was cut off.
  const open = text.indexOf('{')
  if (open >= 0) yield text.slice(open).replace(/```\s*$/, '')
}

/** Whole objects, from brace to brace. */
function objectsIn(text: string): string[] {
  const found: string[] = []
  let [depth, from, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === '\\') at++
      else if (sign === '"') isQuoted = false
    } else if (sign === '"' && depth > 0) isQuoted = true
    else if (sign === '{' && depth++ === 0) from = at
    else if (sign === '}' && depth > 0 && --depth === 0) found.push(text.slice(from, at + 1))
  }
  return found
}

/** Parses an object, and repairs its JSON. Other text is not repaired, because prose would become a string. */
function parseObject(text: string): Answer | undefined {
  const bare = text.trim()
  if (!bare.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(jsonrepair(bare))
    return Array.isArray(value) ? undefined : { ...Object(value) }
  } catch {
    return undefined
  }
}
