import { BOUNDS } from '../../core/bounds.ts'
import { type AgentName, hookBytes } from '../../core/choices.ts'
import { UsageError } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Engine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { HOOK_AGENTS, type HookAgent, type HookReachRequest, isHookAgent } from './agents.ts'
import { type HookEvent, parseHookEvent } from './event.ts'

interface HookParts {
  readonly agent: string
  /** The name of the event, for tools that do not send it. */
  readonly event?: string | undefined
  /** Whether to add code that is relevant to the first prompt of a session. Default: false. */
  readonly task?: boolean | undefined
  /** Reads a variable of the tool's environment. Default: none are set. */
  readonly variable?: (name: string) => string | undefined
  /** Whether to show stack traces. */
  readonly debug: boolean
  open(): Promise<Pick<Engine, 'reach' | 'close'>>
  /** Reads the tool's JSON; undefined if it is too long. */
  input(): Promise<string | undefined>
  readonly out: { write(text: string): void }
  readonly err: HookParts['out']
}

/**
 * Answers a hook of a tool with the context that is new to the session. A hook must not stop the tool, so a failure only writes a
 * line to stderr. Returns the exit code, which is always 0.
 *
 * @throws UsageError for a tool that Ambit does not know.
 */
export async function hook(parts: HookParts): Promise<0> {
  const { agent: name, event: eventName } = parts
  if (!isHookAgent(name)) {
    const message = name === '' ? 'The name of the agent is missing.' : `There is no agent "${oneLine(name)}".`
    throw new UsageError(message, `The agents are ${Object.keys(HOOK_AGENTS).join(', ')}.`)
  }
  try {
    const text = await parts.input()
    const event = text === undefined ? undefined : parseHookEvent(text, eventName)
    if (event) await answerEvent(name, event, parts)
    else parts.err.write('ambit hook: the input is not an event.\n')
  } catch (error) {
    const stack = parts.debug && error instanceof Error ? error.stack : undefined
    parts.err.write(`ambit hook: ${oneLine(error instanceof Error ? error.message : String(error))}\n`)
    if (stack !== undefined) parts.err.write(`${stack}\n`)
  }
  return 0
}

async function answerEvent(
  name: AgentName,
  event: HookEvent,
  { task = false, open, out, variable = () => undefined }: HookParts,
): Promise<void> {
  // A program may run its own hooks and the hooks of another tool. Both hooks count as one reader, so that the second
  // hook repeats nothing.
  const reader = event.runBy ?? name
  const moment = momentOf(HOOK_AGENTS[reader], event)
  if (moment === undefined) return
  const engine = await open()
  try {
    const text = await engine.reach(requestOf(reader, event, { moment, via: name, variable, hasTask: task }))
    const { answer: write }: HookAgent = HOOK_AGENTS[name === 'copilot' ? reader : name]
    if (text !== '') out.write(write(text, event.name))
  } finally {
    await engine.close()
  }
}

function requestOf(
  name: AgentName,
  event: HookEvent,
  { hasTask, ...fields }: Pick<HookReachRequest, 'moment' | 'via' | 'variable'> & { readonly hasTask: boolean },
): HookReachRequest {
  const agent: HookAgent = HOOK_AGENTS[name]
  const { profile = name, format = 'xml', forgets = false, selfLoadingTools, bareSubagents } = agent
  const { session, subagent, subagentType = '', cwd, workdir, tool = '', prompt } = event
  const { touched, commands, results, seen } = event
  const isCall = fields.moment === 'call'
  return {
    ...fields,
    reader: { name, profile, cap: hookBytes(name), format, forgets },
    session,
    cwd,
    ...(isCall ? { touched, commands, results, seen } : { touched: [], commands: [], results: '', seen: [] }),
    ...omitUndefined({ subagent, workdir, task: hasTask ? prompt : undefined }),
    loadsTouched: selfLoadingTools?.test(tool) ?? false,
    loadsStart: !(subagentType !== '' && bareSubagents?.test(subagentType)),
  }
}

/** The moment of an event; undefined for an event to ignore. */
function momentOf({ events, hasFalseCompactions }: HookAgent, { name, source, trigger }: HookEvent) {
  const moment = events[name.toLowerCase()]
  if (moment === 'start') return source === 'resume' ? 'resume' : 'begin'
  return moment === 'end' && hasFalseCompactions && trigger !== 'manual' ? undefined : moment
}

/** Milliseconds without input after which the event is taken as complete, for tools that do not close stdin. */
const INPUT_PAUSE_MS = 2_000

/** Reads stdin to its end, or to the first pause of `INPUT_PAUSE_MS`. Returns undefined if the text is too long. */
export async function readEvent(stdin: NodeJS.ReadStream = process.stdin): Promise<string | undefined> {
  stdin.setEncoding('utf8')
  return new Promise((resolve) => {
    const chunks: string[] = []
    let length = 0
    const finish = (text: string | undefined) => {
      clearTimeout(timer)
      stdin.destroy()
      resolve(text)
    }
    const timer = setTimeout(() => finish(chunks.join('')), INPUT_PAUSE_MS)
    stdin.on('data', (chunk: string) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > BOUNDS.hookEvent) finish(undefined)
      else timer.refresh()
    })
    stdin.on('end', () => finish(chunks.join('')))
    stdin.on('error', () => finish(undefined))
  })
}
