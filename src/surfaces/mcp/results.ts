/** Results of tools: a text in frames within a budget, or a small structured answer whose text is the same. */

import type { CallToolResult } from '@modelcontextprotocol/server'
import { BudgetTooSmall } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { bytes4, utf8Length } from '../../core/tokens.ts'
import type { Engine, LoadAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { fitElements } from '../../text/elements.ts'
import { frameText } from '../../text/frames.ts'
import { mapStrings } from '../../text/map-strings.ts'
import { clipMarked } from '../../text/truncate.ts'
import { fitData } from './fit-data.ts'
import { neutraliseText, neutraliseUnframed } from './guarded-server.ts'
import type { Tool } from './tools.ts'

interface ToolCall {
  readonly engine: Engine
  readonly run: Run
  readonly session: McpSession
  /** Inputs of the operation, checked by its schema. */
  readonly input: Input
  /** Whether to repeat what the session already has. */
  readonly isFresh: boolean
  /** Maximum tokens that the call asks for, if any. */
  readonly budget?: number | undefined
  /** Name of the client; `''` for none. */
  readonly client: string
  /** Notices of the session. Default: none. */
  readonly extraNotices?: (output: Partial<LoadAnswer>) => readonly string[]
}

type Input = Readonly<Record<string, unknown>>

/** Maximum bytes of a structured answer, which some models get twice: as data and as text. */
const MAX_DATA_BYTES = 16_000

export function callTool(tool: Tool, call: ToolCall): Promise<CallToolResult> {
  if (tool.row.budget === undefined) return structuredResult(tool, call)
  return tool.row.isOnce ? newForSession(tool, call) : textResult(tool, call)
}

async function structuredResult({ operation, row }: Tool, { engine, run, input }: ToolCall): Promise<CallToolResult> {
  const output = await operation.run(engine, input, run)
  const notices = operation.notices?.(output, input) ?? []
  const data = JSON.parse(JSON.stringify(row.data?.(output as never) ?? output))
  const clean = mapStrings(notices.length > 0 ? { ...data, notices } : data, neutraliseUnframed)
  const structuredContent = fitData(Object(clean), row.most ?? MAX_DATA_BYTES)
  // Neutralises the JSON as one text, because some limits count characters in all its strings together.
  const text = neutraliseText(JSON.stringify(structuredContent))
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
}

/** The share of an answer that is reserved for notices, and its maximum in tokens. */
const NOTICE_RESERVE = { share: 1 / 5, most: 100 }

/** The answer without texts that the session already has. */
async function newForSession(tool: Tool, call: ToolCall): Promise<CallToolResult> {
  return call.session.inTurn(async (state) => {
    const known = call.isFresh ? [] : state.map(({ digest }) => digest)
    let sent: LoadAnswer['sent'] = []
    const extraNotices = (output: Partial<LoadAnswer>) => {
      sent = output.sent ?? []
      return sessionNotices(output, call.isFresh ? [] : state)
    }
    const result = await textResult(tool, { ...call, input: { ...call.input, known }, extraNotices })
    return { result, sent }
  })
}

/** Maximum bytes of the names in one notice. */
const MAX_NAMES_BYTES = 200

function sessionNotices({ ledger = [], sent = [] }: Partial<LoadAnswer>, sentBefore: SentState): string[] {
  const repeated = ledger.filter(({ pass }) => pass === 'unsent').map(({ title }) => oneLine(title))
  const earlierDigests = new Set(sentBefore.map(({ digest }) => digest))
  const isReplacement = ({ uri, digest }: SentState[number]) =>
    !earlierDigests.has(digest) && sentBefore.some((earlier) => earlier.uri === uri)
  const replacedUris = new Set(sent.filter(isReplacement).map(({ uri }) => uri))
  const replaced = ledger.filter(({ uri }) => replacedUris.has(uri)).map(({ title }) => oneLine(title))
  const names = (list: readonly string[]) => clipMarked(list.join(', '), MAX_NAMES_BYTES)
  return [
    ...(replaced.length > 0 ? [`Given before, and changed since: ${names(replaced)}. This text holds.`] : []),
    ...(repeated.length > 0
      ? [`Given before in this session, so left out: ${names(repeated)}. For all of it: fresh: true.`]
      : []),
  ]
}

/** Tokens that are reserved because clients add text to an answer: Codex the duration, Gemini CLI a frame. As a share of the budget, and a maximum. */
const CLIENT_OVERHEAD = { share: 1 / 32, most: 16 }

/** Cline's CLI and extension give a model the JSON of the whole answer, in which escapes take room, too. */
const CLINE = /^(?:@cline\/|cline)/i

/**
 * Maximum tokens of an answer that a client shows whole, by the name of the client. It cuts a longer answer in the middle, or puts it into a file.
 * Measured in the requests of clients (bench/results/agents.json).
 */
const CLIENT_LIMITS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^codex/i, 2900],
  [/^copilot/i, 4000],
  [CLINE, 1950],
]

/** Maximum number of attempts for an answer whose JSON is too long. Each has less room than the previous one, by its excess. */
const MAX_ATTEMPTS = 4

async function textResult(tool: Tool, call: ToolCall): Promise<CallToolResult> {
  const toolBudget = tool.row.budget ?? 0
  const clientLimit = CLIENT_LIMITS.find(([name]) => name.test(call.client))?.[1] ?? toolBudget
  const budget = call.budget ?? Math.min(toolBudget, clientLimit)
  let maxTokens = budget - Math.min(CLIENT_OVERHEAD.most, Math.floor(budget * CLIENT_OVERHEAD.share))
  for (let attempt = 1; ; attempt++) {
    const { result, tokens } = await resultWithin(tool, { ...call, budget }, maxTokens)
    const shown = CLINE.test(call.client) ? bytes4(JSON.stringify(result)) : tokens
    if (shown <= budget || attempt === MAX_ATTEMPTS || tokens === 0) return result
    maxTokens = tokens - (shown - budget)
  }
}

/** The result of a call with at most `maxTokens` tokens of text, and its number of tokens. */
async function resultWithin(
  { operation, row }: Tool,
  { engine, run, input, budget, extraNotices = () => [] }: ToolCall & { readonly budget: number },
  tokensLeft: number,
): Promise<{ readonly result: CallToolResult; readonly tokens: number }> {
  const maxTokens = Math.max(1, tokensLeft)
  const reserve = row.isOnce ? Math.min(NOTICE_RESERVE.most, Math.ceil(maxTokens * NOTICE_RESERVE.share)) : 0
  const request: Input = { ...input, budget: Math.max(1, maxTokens - reserve) }
  const output = await operation.run(engine, operation.forText?.(request, false) ?? request, run)
  const sessionNotices = extraNotices(Object(output))
  const { place, warnings = [] }: Partial<LoadAnswer> = Object(output)
  const missingRoom = warnings.find(({ path }) => path === place)?.message
  const requestNotices = (operation.notices?.(output, input) ?? []).filter((text) => text !== missingRoom)
  const messages = [...requestNotices, ...sessionNotices]
  const notices = messages.map((text) => frameText({ tag: 'notice', attributes: {}, text })).join('')
  const remaining = tokensLeft - bytes4(notices)
  const wholeText = textWithin(
    () => operation.text(output, { ...request, budget: Math.max(1, remaining) }),
    budget - remaining,
  )
  const bounds = { notices, maxBytes: maxTokens * 4, isFramed: input.format !== 'markdown' }
  // A notice about the request does not say whether something applies; one about the session does.
  const isSilent = missingRoom !== undefined || (row.isOnce ? sessionNotices : messages).length === 0
  const text =
    wholeText === '' && isSilent
      ? emptyText(missingRoom ?? 'Nothing applies here.', bounds)
      : fitText(wholeText, bounds)
  const tokens = bytes4(text)
  const _meta = { [META]: { tokens, budget, ...row.meta?.(output as never, text) } }
  return { result: { content: [{ type: 'text', text }], _meta }, tokens }
}

/** The text. Its error names a budget that also has room for what takes `others` tokens, and for what clients add. */
function textWithin(write: () => string, others: number): string {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof BudgetTooSmall)) throw error
    throw new BudgetTooSmall(Math.ceil((error.tokens + others) / (1 - CLIENT_OVERHEAD.share)), error.alternative)
  }
}

/** Key of the metadata beside the text. Only Cline shows it to its model. */
const META = 'ambit/answer'

/** The text of an empty answer, under any budget. Other notices if they fit. */
export function emptyText(message: string, { notices, maxBytes }: FitOptions): string {
  const text = frameText({ tag: 'notice', attributes: {}, text: message })
  return utf8Length(text) + utf8Length(notices) > maxBytes ? text : `${text}${notices}`
}

interface FitOptions {
  readonly notices: string
  readonly maxBytes: number
  /** Whether the text is framed. Otherwise nothing in it may look like a frame. */
  readonly isFramed: boolean
}

/** The text and its notices. A text that is still too long, such as a constitution, is cut with a mark. */
export function fitText(wholeText: string, { notices, maxBytes, isFramed }: FitOptions): string {
  const textBytes = maxBytes - utf8Length(notices)
  const totalBytes = utf8Length(wholeText) + utf8Length(notices)
  const fitted =
    textBytes < 0
      ? fitElements(notices, maxBytes, cutNotice)
      : isFramed
        ? fitElements(wholeText, textBytes, cutNotice)
        : clipMarked(neutraliseUnframed(wholeText), textBytes)
  // A notice is given under any budget: an empty answer would mean that there is nothing.
  const notice = frameText({ tag: 'notice', attributes: {}, text: cutNotice(0, totalBytes) })
  const isTooLittle = totalBytes > maxBytes && maxBytes < utf8Length(notice)
  if (isTooLittle || (fitted === '' && wholeText !== '')) return notice
  return textBytes < 0 ? fitted : `${fitted}${notices}`
}

function cutNotice(shown: number, all: number): string {
  return `${shown} of ${all} bytes fit the budget: ask with ${Math.ceil(all / 4)} tokens.`
}

/** The last version of each text that a session was given. */
type SentState = LoadAnswer['sent']

/** A session of one connection. Work that depends on earlier answers runs one after the other, so that parallel calls give nothing twice. */
export class McpSession {
  #state: SentState = []
  #turn: Promise<unknown> = Promise.resolve()

  /** Runs work with the state, and stores its `sent` as the new state. */
  inTurn<Result>(work: (state: SentState) => Promise<{ readonly result: Result; readonly sent: SentState }>) {
    const turn = this.#turn.then(async () => {
      const { result, sent } = await work(this.#state)
      const uris = new Set(sent.map(({ uri }) => uri))
      this.#state = [...this.#state.filter(({ uri }) => !uris.has(uri)), ...sent]
      return result
    })
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}
