import { ContextError } from '../../core/errors.ts'
import { Deadline } from '../../core/steps.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { LanguageModel, Usage } from '../../models/language.ts'
import { type Done, NOTHING_SPENT, type Spent } from '../run/stages.ts'

/** An answer that cannot be used, and what it took. */
export class Unusable extends Error {
  readonly spent: Spent
  readonly exhausted?: 'calls' | 'tokens' | 'cost'
  /** What there is of an answer that was cut off. */
  readonly cut?: string

  constructor(reason: string, spent: Spent, exhausted?: 'calls' | 'tokens' | 'cost', cut?: string) {
    super(reason)
    this.spent = spent
    if (cut !== undefined) this.cut = cut
    if (exhausted !== undefined) this.exhausted = exhausted
  }
}

export interface ModelQuestion {
  readonly system: string
  /** Sent as JSON. */
  readonly task: unknown
  readonly maxOutputTokens: number
  /** What may still be taken; of tokens `input` is for both ways together. */
  readonly most: Spent
  readonly signal: AbortSignal
}

/** Characters of an answer that are listened to, and milliseconds that it may take. */
const LONGEST = 400_000
const PATIENCE_MS = 180_000

/** Asks once. @throws Unusable; ContextError as the model does. */
export async function askModel(
  model: LanguageModel,
  question: ModelQuestion,
): Promise<{ readonly text: string; readonly spent: Spent }> {
  const { system, task, maxOutputTokens, signal } = question
  const prompt = JSON.stringify(task)
  const estimate = bytes4(system) + bytes4(prompt)
  assertWithin(question, estimate)
  using patience = new Deadline(PATIENCE_MS)
  const either = patience.or(signal)
  const most = Math.min(maxOutputTokens, question.most.input - estimate)
  const messages = [{ role: 'user' as const, text: prompt }]
  const request = { system, messages, tools: [], maxOutputTokens: most }
  let text = ''
  let reason = 'interrupted'
  let usage: Pick<Usage, 'input' | 'output' | 'cost'> = { input: 0, output: 0 }
  const spentNow = (): Spent => {
    const { input, output, cost } = usage
    const tokens = { input: input || estimate, output: output || bytes4(text) }
    return { calls: 1, ...tokens, ...(cost !== undefined && { cost }) }
  }
  try {
    for await (const part of model.step(request, either)) {
      if (part.type === 'text') text += part.text
      if (part.type === 'finish') ({ reason, usage } = part)
      if (text.length > LONGEST) throw new Unusable('The answer of the model has no end.', spentNow())
    }
  } catch (error) {
    if (error instanceof Unusable || signal.aborted) throw error
    throw either.aborted ? new Unusable('The model took too long.', spentNow()) : unusable(error, spentNow())
  }
  if (reason !== 'stop') {
    const cut = reason === 'length' ? text : undefined
    throw new Unusable(ENDS[reason] ?? 'The answer of the model broke off.', spentNow(), undefined, cut)
  }
  return { text, spent: spentNow() }
}

const ENDS: Readonly<Record<string, string>> = {
  length: 'The answer of the model was cut off.',
  filter: 'The model refused to answer.',
}

/** What a person should mend is told as it is; a service that is down is not. */
function unusable(error: unknown, spent: Spent): unknown {
  if (!(error instanceof ContextError) || error.code === 'denied') return error
  return new Unusable(error.message, spent)
}

function assertWithin({ most, maxOutputTokens }: ModelQuestion, estimate: number): void {
  if (most.calls < 1) throw new Unusable('No request to a model is left.', NOTHING_SPENT, 'calls')
  if (most.cost !== undefined && most.cost <= 0) throw new Unusable('The cost is reached.', NOTHING_SPENT, 'cost')
  if (estimate + Math.min(maxOutputTokens, 500) <= most.input) return
  throw new Unusable(`The request has about ${estimate} tokens, and ${most.input} are left.`, NOTHING_SPENT, 'tokens')
}

/** The whole objects at the beginning of the array `items` of an answer that was cut off. */
export function parseCutItems(text: string): readonly unknown[] {
  const start = /"items"\s*:\s*\[/.exec(text)
  if (!start) return []
  const body = text.slice(start.index + start[0].length)
  const items: unknown[] = []
  let [depth, from, isQuoted] = [0, 0, false]
  for (let at = 0; at < body.length; at++) {
    const sign = body[at]
    if (isQuoted) {
      if (sign === '\\') at++
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === '{' && depth++ === 0) from = at
    else if (sign === '}' && --depth === 0) items.push(...parseWhole(body.slice(from, at + 1)))
  }
  return items
}

function parseWhole(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** One JSON object, alone or in one fence; nothing else. @throws Unusable */
export function parseAnswerObject(text: string, spent: Spent): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(withoutFence(text))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Told below.
  }
  throw new Unusable('The answer of the model is not the JSON that it was asked for.', spent)
}

function withoutFence(text: string): string {
  const [first = '', ...lines] = text.trim().split('\n')
  const last = lines.pop()
  return /^```(?:json)?$/i.test(first.trim()) && last?.trim() === '```' ? lines.join('\n') : text
}

/** What was done without the model, because of what became of it. @throws what stops the run. */
export function useSubstitute<Value>(error: unknown, done: Done<Value>): Done<Value> {
  if (!(error instanceof Unusable)) throw error
  const { message, spent, exhausted } = error
  return { ...done, spent, failed: message, ...(exhausted && { exhausted }) }
}

export interface AskLimits {
  readonly signal: AbortSignal
  readonly most: Spent
}

export function malformedAnswer(spent: Spent): Unusable {
  return new Unusable('The answer of the model is not of the form that it was asked for.', spent)
}
