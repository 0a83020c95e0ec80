/** One question to a scripted model on loopback, and all that came of it. */

import type { AgentEvent } from '../../src/agent/events.ts'
import { type AgentParts, type Outcome, runAgent } from '../../src/agent/loop.ts'
import type { AgentLimits, AgentTool, Approve } from '../../src/agent/tool.ts'
import { ContextError } from '../../src/core/errors.ts'
import type { LanguageModel, Message } from '../../src/models/language.ts'
import { anthropic } from '../../src/models/providers/language-anthropic.ts'
import { bedrock } from '../../src/models/providers/language-bedrock.ts'
import { chatCompletions } from '../../src/models/providers/language-compatible.ts'
import { google } from '../../src/models/providers/language-google.ts'
import { openai } from '../../src/models/providers/language-openai.ts'
import type { Timing } from '../../src/models/sdk/language.ts'
import {
  type AnySpeech,
  type LanguageServer,
  languageServer,
  type Script,
  type Speech,
} from '../support/language-server.ts'

/** A key that must be found nowhere. */
export const CANARY = 'sk-canary-5f1e9c07'

/** Waits take no time where nobody asks for one. */
export const QUICK: Timing = { retryTiming: { random: () => 0, now: Date.now } }

export const PROVIDERS = { chat: 'openai-compatible', responses: 'openai', messages: 'anthropic' } as const

const MODELS = { chat: chatCompletions, responses: openai, messages: anthropic } as const

export function modelAt(speech: Speech, url: string, timing: Timing = QUICK): LanguageModel {
  const settings = { provider: PROVIDERS[speech], model: 'm', url, key: CANARY }
  return MODELS[speech](settings, timing)
}

/** A tool whose inputs are counted. It takes a text, and nothing else. */
export interface Counted extends AgentTool {
  readonly ran: unknown[]
}

export function look(
  run: (text: string, signal: AbortSignal) => Promise<string> = async (text) => `seen ${text}`,
): Counted {
  const ran: unknown[] = []
  return {
    name: 'look',
    description: 'Looks at something.',
    effect: 'read',
    input: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'], additionalProperties: false },
    ran,
    run: async (input, signal) => {
      const { at, ...rest } = Object(input)
      const stranger = Object.keys(rest)[0]
      if (stranger !== undefined) throw new ContextError('invalid-input', `There is no input called ${stranger}.`)
      if (typeof at !== 'string') throw new ContextError('invalid-input', 'at must be a text.')
      ran.push(at)
      return run(at, signal)
    },
  }
}

export interface Asking {
  readonly tools?: readonly AgentTool[]
  readonly limits?: Partial<AgentLimits>
  readonly approve?: Approve
  readonly signal?: AbortSignal
  readonly timing?: Timing
  readonly before?: readonly Message[]
  readonly question?: string
  on?(event: AgentEvent, server: LanguageServer): void
  between?(): Promise<readonly Message[]>
  carried?: NonNullable<AgentParts['carryOver']>
}

export interface Answered {
  readonly outcome: Outcome
  readonly events: readonly AgentEvent[]
  readonly server: LanguageServer
}

/** Asks, and looks at what must hold of every answer. */
export async function asked(speech: AnySpeech, script: Script, asking: Asking = {}): Promise<Answered> {
  await using server = await languageServer(speech, script)
  const { timing = QUICK } = asking
  const { url } = server
  const own = (provider: 'bedrock' | 'google') => ({ provider, model: 'm', url, key: CANARY })
  if (speech === 'converse') return await askedOf(await bedrock(own('bedrock'), timing), server, asking)
  const model = speech === 'gemini' ? google(own('google'), timing) : modelAt(speech, url, timing)
  return await askedOf(model, server, asking)
}

export async function askedOf(model: LanguageModel, server: LanguageServer, asking: Asking): Promise<Answered> {
  const events: AgentEvent[] = []
  const { tools = [], limits, approve, signal, before = [], question = 'Why?', between, carried } = asking
  const outcome = await runAgent(
    [...before, { role: 'user', text: question }],
    {
      model,
      system: 'You help.',
      tools,
      ...(limits && { limits }),
      ...(approve && { approve }),
      ...(between && { beforeNextStep: between }),
      ...(carried && { carryOver: carried }),
    },
    {
      ...(signal && { signal }),
      emit: (event) => {
        events.push(event)
        asking.on?.(event, server)
      },
    },
  )
  return { outcome, events, server }
}

/** What is wrong with an answer, whatever was asked; nothing where all holds. */
export function brokenRules({ outcome, events, server }: Answered): string[] {
  const told = JSON.stringify([events, outcome, String(outcome.error?.message), String(outcome.error?.hint)])
  const ends = events.filter(({ type }) => type === 'end')
  const starts = events.flatMap((event) => (event.type === 'tool-started' ? [event.id] : []))
  const stops = events.flatMap((event) =>
    event.type === 'tool-finished' || event.type === 'tool-failed' ? [event.id] : [],
  )
  const said = outcome.messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [],
  )
  const answered = outcome.messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ id }) => id) : [],
  )
  const rules: [string, boolean][] = [
    ['the key is told', told.includes(CANARY)],
    ['the key is in a prompt', server.asked.some(({ body }) => JSON.stringify(body).includes(CANARY))],
    ['it does not end once, and last', ends.length !== 1 || events.at(-1)?.type !== 'end'],
    ['a call has no end', starts.toSorted().join() !== stops.toSorted().join()],
    ['a call has no result', said.join() !== answered.join()],
    ['the service refused the conversation', server.problems.length > 0],
  ]
  return rules.flatMap(([rule, isBroken]) => (isBroken ? [rule] : []))
}
