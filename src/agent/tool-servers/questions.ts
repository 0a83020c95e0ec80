/** Questions of tool servers to the person, and how long a call waits for the answers. */

import type { ElicitRequestParams } from '@modelcontextprotocol/client'
import type { QuestionField, ServerQuestion } from '../tool.ts'
import { shortLine } from './offers.ts'

/** Maximum fields of a form, and characters of a text in it. */
const MAX_FIELDS = 20
const MAX_TEXT = 1000

/** The question of a server for the person. Undefined for a link that is not HTTP, or more than `MAX_FIELDS` fields. */
export function questionOf(server: string, params: ElicitRequestParams): ServerQuestion | undefined {
  const message = shortLine(params.message, MAX_TEXT)
  if ('url' in params) {
    const isLink = URL.canParse(params.url) && /^https?:$/.test(new URL(params.url).protocol)
    return isLink ? { server, message, url: new URL(params.url).href, fields: [] } : undefined
  }
  const { properties, required = [] } = params.requestedSchema
  const fields = Object.entries(properties).map(([name, schema]) => fieldOf(name, Object(schema), required))
  return fields.length <= MAX_FIELDS ? { server, message, fields } : undefined
}

const FIELD_TYPES: Readonly<Record<string, QuestionField['type']>> = {
  number: 'number',
  integer: 'integer',
  boolean: 'yes-no',
  array: 'list',
}

function fieldOf(name: string, schema: Readonly<Record<string, unknown>>, required: readonly string[]): QuestionField {
  const choices = choicesIn(schema)
  const about = [schema.title, schema.description].filter((one) => typeof one === 'string').join(': ')
  return {
    name,
    about: shortLine(about || name, MAX_TEXT),
    type: FIELD_TYPES[String(schema.type)] ?? 'text',
    isRequired: required.includes(name),
    ...(choices.length > 0 && { choices }),
  }
}

/** The allowed values of a field. A schema lists them in four ways: with or without titles, for one choice or for several. */
function choicesIn(schema: Readonly<Record<string, unknown>>): string[] {
  const { enum: values, oneOf, anyOf } = { ...schema, ...Object(schema.items) }
  if (Array.isArray(values)) return values.map(String)
  const options: unknown = oneOf ?? anyOf
  return Array.isArray(options) ? options.map((one) => String(Object(one).const)) : []
}

/** A clock: `signal` fires after `ms` milliseconds without a `restart`. `pause` stops it until the next `restart`. */
export function callClock(ms: number) {
  const timeout = new AbortController()
  const signal: AbortSignal = timeout.signal
  let timer: NodeJS.Timeout | undefined
  const pause = () => clearTimeout(timer)
  const restart = () => {
    pause()
    timer = setTimeout(() => timeout.abort(new Error(`It did not respond for ${ms / 1000} seconds.`)), ms)
  }
  restart()
  return { signal, restart, pause, [Symbol.dispose]: pause }
}
