import { type Answer, Assistant } from '../../agent/assistant.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { AgentLimits } from '../../agent/tool.ts'
import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { AnyOperation, ServiceInput } from '../../operations/index.ts'
import { assistantTools } from '../../operations/tools.ts'
import { type CheckedAnswer, createJudge, verifyAnswer } from '../../research/answer-check.ts'
import { oneLine } from '../../text/controls.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { AnswerView, isCompleteAnswer, isFinishedCall } from './answer-view.ts'
import { type AttachedFile, type ChatCommandParts, readAttached } from './chat-commands.ts'
import type { CliParts } from './cli.ts'
import { type Flags, withEngine } from './command.ts'
import { confirm } from './confirm.ts'
import { makeApprovalPrompt } from './person.ts'
import { type Streams, streamsOf } from './streams.ts'

/** Dependencies of the commands that talk with a model. */
export interface TalkCommandParts extends Pick<CliParts, 'plain' | 'open' | 'streams'> {
  readonly operations: readonly AnyOperation[]
}

/** Asks the assistant one question. The answer goes to stdout, everything else to stderr. Returns the exit code. */
export async function ask(
  { question, place, files: paths = [], verify = false, ...limits }: ServiceInput<'ask'>,
  flags: Flags,
  { plain, operations, open, streams = streamsOf(plain) }: TalkCommandParts,
): Promise<number> {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  const { json } = flags
  return withEngine(open, flags, async (engine) => {
    const approve = streams.canAsk && !json ? { approve: makeApprovalPrompt(streams, confirm) } : {}
    const notice = (text: string) => streams.err.write(`${oneLine(text)}\n`)
    const settings = { place, disk: true, limits: limitsOf(limits), notice, ...approve }
    const assistant = new Assistant({ engine, makeTools: assistantTools(engine, operations), ...settings })
    const files = await Promise.all(paths.map(readAttached))
    const parts = { engine, assistant, question, files, verify, signal: controller.signal }
    return (await (json ? answerAsJson(parts, streams) : answerAsText(parts, streams))) ? 0 : 1
  })
}

interface AskParts extends Pick<ChatCommandParts, 'assistant' | 'engine' | 'signal'> {
  /** Whether a model judges the answer. */
  readonly verify: boolean
  readonly question: string
  readonly files: readonly AttachedFile[]
}

async function answerAsText(parts: AskParts, streams: Streams): Promise<boolean> {
  const { assistant, question, files, signal } = parts
  // The answer of the built-in model comes at once, so it is not streamed. Citations are renumbered only in text that
  // was not streamed.
  const isStreamed = streams.out.isTerminal && (await assistant.modelName()) !== BUILT_IN_MODEL
  const view = new AnswerView(streams, isStreamed)
  const unverifiedAnswer = await assistant.ask(question, { signal, files, emit: view.emit })
  const answer = await withVerdicts(parts, unverifiedAnswer, !isStreamed)
  // Shows nothing of an interrupted answer, except text that was streamed.
  if (isStreamed || answer.reason !== 'interrupted') view.end(answer)
  return isCompleteAnswer(answer)
}

async function answerAsJson(parts: AskParts, { out }: Streams): Promise<boolean> {
  const { assistant, question, files, signal } = parts
  const steps: object[] = []
  const emit = (event: AgentEvent) => {
    if (!isFinishedCall(event)) return
    steps.push({ tool: event.tool, input: event.input, status: event.type === 'tool-finished' ? 'done' : 'failed' })
  }
  const answer = await withVerdicts(parts, await assistant.ask(question, { signal, files, emit }), true)
  const isComplete = isCompleteAnswer(answer)
  const { answer: text, found, citations, claims, usage, reason: end } = answer
  const model = await assistant.modelName()
  out.write(`${serializeVisibly({ answer: text, found, citations, claims, usage, end, steps, model })}\n`)
  return isComplete
}

/** An answer, with the result of comparing its statements with their sources. */
type VerifiedAnswer = Omit<Answer, 'citations'> & Pick<CheckedAnswer, 'citations' | 'claims'>

async function withVerdicts(
  { engine, assistant, question, verify, signal }: AskParts,
  answer: Answer,
  isRenumbered: boolean,
): Promise<VerifiedAnswer> {
  if (answer.reason !== 'done') return { ...answer, claims: [] }
  const model = await engine.language(await assistant.modelName())
  const isQuoted = model.name === BUILT_IN_MODEL
  const judge = verify && !isQuoted ? createJudge(model) : undefined
  const { messages } = assistant
  const today = new Date().toISOString().slice(0, 10)
  const request = { question, today, answer: answer.answer, messages, isQuoted, isRenumbered, signal }
  const { text, citations, claims, spent } = await verifyAnswer(request, judge)
  const { input, output } = answer.usage
  const usage = { ...answer.usage, input: input + spent.input, output: output + spent.output }
  return { ...answer, answer: text, citations, claims, usage }
}

export function limitsOf(
  limits: Pick<ServiceInput<'ask'>, 'calls' | 'tokens' | 'cost' | 'minutes'>,
): Partial<AgentLimits> {
  const { calls, tokens, cost, minutes } = limits
  return omitUndefined({ steps: calls, tokens, cost, ms: minutes === undefined ? undefined : minutes * 60_000 })
}
