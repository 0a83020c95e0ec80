import { parseArgs } from 'node:util'
import { type Answer, Assistant } from '../../agent/assistant.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { UsageError } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { assistantTools } from '../../operations/tools.ts'
import { oneLine } from '../../text/controls.ts'
import { AnswerView, isWhole } from './answer-view.ts'
import { approveBy } from './approve.ts'
import { confirm } from './confirm.ts'
import { type Streams, streamsOf } from './streams.ts'

/** What commands are made of that talk with a model. */
export interface TalkCommandParts {
  /** The words after the command. */
  readonly argv: readonly string[]
  readonly plain: boolean
  readonly operations: readonly AnyOperation[]
  open(told: { readonly db?: string }): Promise<Engine>
}

/** Asks one question. The answer goes to stdout, everything else to stderr. Returns the exit code. */
export async function ask({ argv, plain, operations, open }: TalkCommandParts): Promise<number> {
  const { question, place, db, json } = parseAskOptions(argv)
  const streams = streamsOf(plain)
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
      notice,
      ...approve,
    })
    const asking = { assistant, question, signal: controller.signal }
    return (await (json ? asJson(asking, streams) : asText(asking, streams))) ? 0 : 1
  } finally {
    await engine.close()
  }
}

interface Asking {
  readonly assistant: Assistant
  readonly question: string
  readonly signal: AbortSignal
}

async function asText({ assistant, question, signal }: Asking, streams: Streams): Promise<boolean> {
  const view = new AnswerView(streams)
  const answer = await assistant.ask(question, { signal, emit: view.emit })
  // Of an answer that failed, what was seen as it came is all that is shown.
  if (streams.out.isTerminal || answer.reason !== 'interrupted') view.end(answer)
  return isWhole(answer)
}

async function asJson({ assistant, question, signal }: Asking, { out }: Streams): Promise<boolean> {
  const steps: object[] = []
  const emit = (event: AgentEvent) => {
    if (event.type !== 'tool-finished' && event.type !== 'tool-failed') return
    steps.push({ tool: event.tool, input: event.input, status: event.type === 'tool-finished' ? 'done' : 'failed' })
  }
  const answer = await assistant.ask(question, { signal, emit })
  const whole = isWhole(answer)
  out.write(`${JSON.stringify({ ...answerJson(answer), steps, model: await assistant.modelName() })}\n`)
  return whole
}

function answerJson({ answer, found, citations, usage, reason }: Answer) {
  return { answer, found, citations, usage, end: reason }
}

function parseAskOptions(argv: readonly string[]) {
  const options = { db: { type: 'string' }, json: { type: 'boolean' }, format: { type: 'string' } } as const
  const { values, positionals } = parseAsUsage(
    () => parseArgs({ args: [...argv], options, allowPositionals: true }),
    'ask',
  )
  const [question = '', place = '.', ...more] = positionals
  if (question.trim() === '') throw new UsageError('The question is missing.', "For example: ambit ask 'what is this?'")
  if (more.length > 0) throw new UsageError(`"${more[0]}" is one argument too many.`, 'Put the question in quotes.')
  if (values.format !== undefined && values.format !== 'json') {
    throw new UsageError(`--format must be json, or not be there.`, 'See ambit ask --help.')
  }
  return { question, place, db: values.db, json: values.json === true || values.format === 'json' }
}

/** What is wrong with the words of a command, as wrong use. */
export function parseAsUsage<Value>(parse: () => Value, command: string): Value {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(error.message.split(/\.\s/)[0] ?? error.message, `See ambit ${command} --help.`)
  }
}
