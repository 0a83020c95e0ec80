import type { Interface } from 'node:readline'
import type { AskTrust } from '../../agent/assistant.ts'
import type { AgentCall } from '../../agent/events.ts'
import { type AnswerServer, type FieldValue, isFieldValue, type QuestionField } from '../../agent/tool.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { isYes } from './confirm.ts'
import type { Streams } from './streams.ts'

/**
 * Asks the person on the terminal. Returns the line that the person typed; `''` if the signal has fired or the input has ended.
 */
export type AskPerson = (question: string, signal: AbortSignal) => Promise<string>

/** Makes a function that asks through the readline interface of the chat. */
export function makeLinePrompt(lines: Interface): AskPerson {
  const inputClosed = new AbortController()
  lines.once('close', () => inputClosed.abort())
  return async (question, signal) => {
    const stopSignal = AbortSignal.any([signal, inputClosed.signal])
    const { promise, resolve } = Promise.withResolvers<string>()
    stopSignal.addEventListener('abort', () => resolve(''), { once: true })
    if (stopSignal.aborted) return ''
    lines.question(question, { signal: stopSignal }, resolve)
    return promise
  }
}

/** Maximum UTF-16 units of a shown value. */
const MAX_SHOWN_LENGTH = 4000

/** Makes a function that shows a person what a call would write, and asks for approval. */
export function makeApprovalPrompt(
  { err }: Pick<Streams, 'err'>,
  confirm: (question: string, signal: AbortSignal) => Promise<boolean>,
) {
  return async ({ tool, input }: AgentCall, signal: AbortSignal): Promise<boolean> => {
    const lines = Object.entries(Object(input)).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `  ${displayValue(name)}: ${displayValue(text)}\n`
    })
    err.write(`The assistant wants to do this: ${oneLine(tool)}\n${lines.join('')}`)
    return confirm('Allow it?', signal)
  }
}

/**
 * Makes a function that asks whether to follow the instruction files at a place, such as a bucket. It returns undefined for answers other than
 * yes and no.
 */
export function makeTrustPrompt({ err }: Pick<Streams, 'err'>, ask: AskPerson): AskTrust {
  return async (address, files, signal = new AbortController().signal) => {
    const shownAddress = displayValue(address)
    err.write(`${shownAddress} has instructions for assistants: ${files.map(displayValue).join(', ')}\n`)
    err.write(`If you trust ${shownAddress}, these and later instructions count as your own words.\n`)
    return readYesNo(await ask('Trust it? This is asked once. [y/n] ', signal))
  }
}

/** Parses a yes or a no; undefined for other text. */
function readYesNo(text: string): boolean | undefined {
  return isYes(text) || (/^no?$/i.test(text.trim()) ? false : undefined)
}

/** A value to show to a person. Invisible characters are escaped, so that they cannot hide what the person approves. */
function displayValue(text: string): string {
  const omission =
    text.length > MAX_SHOWN_LENGTH ? ` … and ${countNoun(text.length - MAX_SHOWN_LENGTH, 'character')} more` : ''
  const plain = oneLine(text.slice(0, MAX_SHOWN_LENGTH).toWellFormed())
  return plain.replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`) + omission
}

/**
 * Makes a function that asks the questions of a tool server: first whether to answer, then each field, at most three times.
 */
export function makeServerPrompt({ err }: Pick<Streams, 'err'>, ask: AskPerson): AnswerServer {
  return async ({ server, message, url, fields }, signal) => {
    err.write(`The MCP server ${oneLine(server)} asks: ${oneLine(message)}\n`)
    if (url !== undefined) err.write(`Open it in a browser if you agree: ${url}\n`)
    if (!isYes(await ask(url === undefined ? 'Answer it? [y/N] ' : 'Agreed? [y/N] ', signal))) return undefined
    const values: [string, FieldValue][] = []
    for (const field of fields) {
      const value = await askField(field, (question) => ask(question, signal))
      if (signal.aborted) return undefined
      if (value !== undefined) values.push([field.name, value])
    }
    return Object.fromEntries(values)
  }
}

async function askField(field: QuestionField, ask: (text: string) => Promise<string>): Promise<FieldValue | undefined> {
  const { about, choices, isRequired, type } = field
  const typeHints = {
    text: '',
    number: ' (a number)',
    integer: ' (a whole number)',
    'yes-no': ' (yes or no)',
    list: ' (with commas between)',
  }
  const expected = choices ? ` (${choices.map(oneLine).join(', ')})` : typeHints[type]
  for (let tries = 0; tries < 3; tries++) {
    const text = (await ask(`${oneLine(about)}${expected}${isRequired ? '' : ', or nothing'}: `)).trim()
    if (text === '' && !isRequired) return undefined
    const value = fieldValueOf(text, field)
    if (value !== undefined) return value
  }
  return undefined
}

/** The typed text as a value of the field; undefined if it is invalid. */
function fieldValueOf(text: string, field: QuestionField): FieldValue | undefined {
  const { type } = field
  const items = type === 'list' ? text.split(',').map((item) => item.trim()) : undefined
  const single = type === 'text' ? text : type === 'yes-no' ? readYesNo(text) : Number(text || Number.NaN)
  const value = items ?? single
  return isFieldValue(field, value) ? value : undefined
}
