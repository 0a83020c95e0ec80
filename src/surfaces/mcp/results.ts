/** Makes the results of tools: a text in frames within a budget, or a small structured answer with the same data as text. */

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
  /** Whether to repeat texts that the session already contains. */
  readonly isFresh: boolean
  /** Maximum tokens that the call asks for. Default: the budget of the tool, or the limit of the client if it is smaller. */
  readonly budget?: number | undefined
  /** Name of the client; `''` if unknown. */
  readonly client: string
  /** Returns notices about texts that the session already contains. Default: none. */
  readonly extraNotices?: (output: Partial<LoadAnswer>) => readonly string[]
}

type Input = Readonly<Record<string, unknown>>

/** Maximum bytes of a structured answer. Some clients pass it to the model twice: as data and as text. */
const MAX_DATA_BYTES = 16_000

export function callTool(tool: Tool, call: ToolCall): Promise<CallToolResult> {
  const { budget, isOnce } = tool.row
  if (budget === undefined) return structuredResult(tool, call)
  return isOnce ? newTextsResult(tool, call, budget) : textResult(tool, call, budget)
}

async function structuredResult({ operation, row }: Tool, { engine, run, input }: ToolCall): Promise<CallToolResult> {
  const output = await operation.run(engine, input, run)
  const notices = operation.notices?.(output, input) ?? []
  const data = JSON.parse(JSON.stringify(row.data?.(output as never) ?? output))
  const clean = mapStrings(notices.length > 0 ? { ...data, notices } : data, neutraliseUnframed)
  const structuredContent = fitData(Object(clean), row.most ?? MAX_DATA_BYTES)
  // Neutralises the JSON as one text, because some limits apply to the characters of all its strings together.
  const text = neutraliseText(JSON.stringify(structuredContent))
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
}

/** Tokens that are reserved for notices: a share of the answer, up to a maximum. */
const NOTICE_RESERVE = { share: 1 / 5, most: 100 }

/** Returns the answer without texts that the session already has. */
async function newTextsResult(tool: Tool, call: ToolCall, toolBudget: number): Promise<CallToolResult> {
  return call.session.inTurn(async (state) => {
    const known = call.isFresh ? [] : state.map(({ digest }) => digest)
    let sent: LoadAnswer['sent'] = []
    const extraNotices = (output: Partial<LoadAnswer>) => {
      sent = output.sent ?? []
      return sessionNotices(output, call.isFresh ? [] : state)
    }
    const result = await textResult(tool, { ...call, input: { ...call.input, known }, extraNotices }, toolBudget)
    return { result, sent }
  })
}

/** Maximum bytes of the names in one notice. */
const MAX_NAMES_BYTES = 200

function sessionNotices({ ledger = [], sent = [] }: Partial<LoadAnswer>, sentBefore: SentTexts): string[] {
  const repeated = ledger.filter(({ pass }) => pass === 'unsent').map(({ title }) => oneLine(title))
  const earlierDigests = new Set(sentBefore.map(({ digest }) => digest))
  const isReplacement = ({ uri, digest }: SentTexts[number]) =>
    !earlierDigests.has(digest) && sentBefore.some((earlier) => earlier.uri === uri)
  const replacedUris = new Set(sent.filter(isReplacement).map(({ uri }) => uri))
  const replaced = ledger.filter(({ uri }) => replacedUris.has(uri)).map(({ title }) => oneLine(title))
  const names = (list: readonly string[]) => clipMarked(list.join(', '), MAX_NAMES_BYTES)
  return [
    ...(replaced.length > 0 ? [`Given before, and changed since: ${names(replaced)}. Use this version.`] : []),
    ...(repeated.length > 0
      ? [`Given before in this session, so left out: ${names(repeated)}. For all of it: fresh: true.`]
      : []),
  ]
}

/**
 * Tokens that are reserved for text that clients add to an answer: Codex adds the duration, Gemini CLI tags. A share of the
 * budget, up to a maximum.
 */
const CLIENT_OVERHEAD = { share: 1 / 32, most: 16 }

/** Cline's CLI and extension pass the JSON of the whole answer to the model, so escapes in the JSON also count. */
const CLINE = /^(?:@cline\/|cline)/i

/**
 * Maximum tokens of an answer that a client passes to its model whole, by the name of the client. The client cuts a longer answer
 * in the middle, or puts it into a file. Measured in the requests of clients (bench/results/agents.json).
 */
const CLIENT_LIMITS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^codex/i, 2900],
  [/^copilot/i, 4000],
  [CLINE, 1950],
]

/**
 * Maximum number of attempts if the JSON of an answer is too long. Each attempt has fewer tokens, by the excess of the previous
 * attempt.
 */
const MAX_ATTEMPTS = 4

async function textResult(tool: Tool, call: ToolCall, toolBudget: number): Promise<CallToolResult> {
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

/** Runs a call. Returns its result with at most `tokensLeft` tokens of text, and the number of these tokens. */
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
  // A notice about the session shows that something applies; a notice about the request does not.
  const isSilent = missingRoom !== undefined || (row.isOnce ? sessionNotices : messages).length === 0
  const text =
    wholeText === '' && isSilent
      ? emptyText(missingRoom ?? 'Nothing applies here.', bounds)
      : fitText(wholeText, bounds)
  const tokens = bytes4(text)
  const _meta = { [META]: { tokens, budget, ...row.meta?.(output as never, text) } }
  return { result: { content: [{ type: 'text', text }], _meta }, tokens }
}

/**
 * Returns the text that `write` returns. If the text does not fit, the error names a budget that is large enough for the text,
 * for `noticeTokens` tokens of notices, and for text that clients add.
 */
function textWithin(write: () => string, noticeTokens: number): string {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof BudgetTooSmall)) throw error
    throw new BudgetTooSmall(Math.ceil((error.tokens + noticeTokens) / (1 - CLIENT_OVERHEAD.share)), error.alternative)
  }
}

/** Key of the metadata of a result. Only Cline passes metadata to its model. */
const META = 'ambit/answer'

/** The text of an empty answer: `message`, even if it exceeds the budget; and the notices, if they fit. */
export function emptyText(message: string, { notices, maxBytes }: FitOptions): string {
  const text = frameText({ tag: 'notice', attributes: {}, text: message })
  return utf8Length(text) + utf8Length(notices) > maxBytes ? text : `${text}${notices}`
}

interface FitOptions {
  readonly notices: string
  readonly maxBytes: number
  /** Whether the text consists of XML elements (`frameText`). In any other text, nothing may look like a tag. */
  readonly isFramed: boolean
}

/**
 * The text and its notices, within `maxBytes`. A text that is too long, such as a constitution, is cut, and a mark shows the cut.
 */
export function fitText(wholeText: string, { notices, maxBytes, isFramed }: FitOptions): string {
  const textBytes = maxBytes - utf8Length(notices)
  const totalBytes = utf8Length(wholeText) + utf8Length(notices)
  const fitted =
    textBytes < 0
      ? fitElements(notices, maxBytes, cutNotice)
      : isFramed
        ? fitElements(wholeText, textBytes, cutNotice)
        : clipMarked(neutraliseUnframed(wholeText), textBytes)
  // This notice may exceed the budget, because an empty answer would mean that nothing applies.
  const notice = frameText({ tag: 'notice', attributes: {}, text: cutNotice(0, totalBytes) })
  const isTooLittle = totalBytes > maxBytes && maxBytes < utf8Length(notice)
  if (isTooLittle || (fitted === '' && wholeText !== '')) return notice
  return textBytes < 0 ? fitted : `${fitted}${notices}`
}

function cutNotice(shown: number, all: number): string {
  return `${shown} of ${all} bytes fit the budget: ask with ${Math.ceil(all / 4)} tokens.`
}

/** The last version of each text that a session got. */
type SentTexts = LoadAnswer['sent']

/**
 * The session of one connection. Work that depends on earlier answers runs one after the other, so that parallel calls return
 * nothing twice.
 */
export class McpSession {
  #state: SentTexts = []
  #turn: Promise<unknown> = Promise.resolve()

  /** Runs work with the state, and adds the texts in `sent` to the state. */
  inTurn<Result>(work: (state: SentTexts) => Promise<{ readonly result: Result; readonly sent: SentTexts }>) {
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
