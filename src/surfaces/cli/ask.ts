import { type Answer, Assistant } from '../../agent/assistant.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { AgentLimits } from '../../agent/tool.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyOperation, ServiceInput } from '../../operations/index.ts'
import { assistantTools } from '../../operations/tools.ts'
import { oneLine } from '../../text/controls.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { AnswerView, isWhole } from './answer-view.ts'
import { approveBy } from './approve.ts'
import type { Flags } from './arguments.ts'
import { type AttachedFile, readAttached } from './chat-commands.ts'
import { confirm } from './confirm.ts'
import { type Streams, streamsOf } from './streams.ts'

/** What commands are made of that talk with a model. */
export interface TalkCommandParts {
  readonly plain: boolean
  readonly operations: readonly AnyOperation[]
  open(options: { readonly db?: string }): Promise<Engine>
  /** Where it writes. Default: stdout and stderr of the process. */
  readonly streams?: Streams
}

/** Asks one question. The answer goes to stdout, everything else to stderr. Returns the exit code. */
export async function ask(
  { question, place, files: paths = [], ...limits }: ServiceInput<'ask'>,
  { json, db }: Flags,
  { plain, operations, open, streams = streamsOf(plain) }: TalkCommandParts,
): Promise<number> {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  const engine = await open(db === undefined ? {} : { db })
  try {
    const approve = streams.canAsk && !json ? { approve: approveBy(streams, confirm) } : {}
    const notice = (text: string) => streams.err.write(`${oneLine(text)}\n`)
    const assistant = new Assistant({
      engine,
      makeTools: assistantTools(engine, operations),
      place,
      disk: true,
      limits: limitsOf(limits),
      notice,
      ...approve,
    })
    const files = await Promise.all(paths.map(readAttached))
    const asking = { assistant, question, files, signal: controller.signal }
    return (await (json ? asJson(asking, streams) : asText(asking, streams))) ? 0 : 1
  } finally {
    await engine.close()
  }
}

interface Asking {
  readonly assistant: Assistant
  readonly question: string
  readonly files: readonly AttachedFile[]
  readonly signal: AbortSignal
}

async function asText({ assistant, question, files, signal }: Asking, streams: Streams): Promise<boolean> {
  const view = new AnswerView(streams)
  const answer = await assistant.ask(question, { signal, files, emit: view.emit })
  // Of an answer that failed, what was seen as it came is all that is shown.
  if (streams.out.isTerminal || answer.reason !== 'interrupted') view.end(answer)
  return isWhole(answer)
}

async function asJson({ assistant, question, files, signal }: Asking, { out }: Streams): Promise<boolean> {
  const steps: object[] = []
  const emit = (event: AgentEvent) => {
    if (event.type !== 'tool-finished' && event.type !== 'tool-failed') return
    steps.push({ tool: event.tool, input: event.input, status: event.type === 'tool-finished' ? 'done' : 'failed' })
  }
  const answer = await assistant.ask(question, { signal, files, emit })
  const whole = isWhole(answer)
  out.write(`${serializeVisibly({ ...answerJson(answer), steps, model: await assistant.modelName() })}\n`)
  return whole
}

function answerJson({ answer, found, citations, usage, reason }: Answer) {
  return { answer, found, citations, usage, end: reason }
}

/** What one question may take, as a person gives it. */
export function limitsOf({ calls, tokens, cost, minutes }: AnswerLimits): Partial<AgentLimits> {
  const limits = { steps: calls, tokens, cost, ms: minutes === undefined ? undefined : minutes * 60_000 }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

type AnswerLimits = Pick<ServiceInput<'ask'>, 'calls' | 'tokens' | 'cost' | 'minutes'>
