import type { JsonSchema } from '../../core/answer.ts'
import { type ContextError, invalidInput } from '../../core/errors.ts'

/**
 * The inputs of an operation from a query string, typed by its schema. A list is one value with commas, or the name
 * again for each item; an item that holds a comma is given by repeating the name, or in a JSON body.
 *
 * @throws ContextError `invalid-input` for a word that is not of the type, and for a single value that is given twice.
 */
export function inputFromQuery(query: URLSearchParams, schema: JsonSchema): Readonly<Record<string, unknown>> {
  const { properties = {} } = schema
  const names = [...new Set(query.keys())]
  const values = names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [name, inputOf(name, query.getAll(name), property)] as const
  })
  return Object.fromEntries(values)
}

/** An input that the operation does not know stays a word: its schema refuses it by name. */
function inputOf(name: string, words: readonly string[], schema: JsonSchema = {}): unknown {
  if (isA(schema, 'array')) return items(words).map((word) => parseWord(name, word, schema.items))
  if (words.length > 1) throw invalidQuery(`${name} is given ${words.length} times, and takes one value.`)
  return parseWord(name, words[0] ?? '', schema)
}

function items(words: readonly string[]): readonly string[] {
  const [only = ''] = words
  if (words.length > 1) return words
  return only === '' ? [] : only.split(',')
}

function parseWord(name: string, word: string, schema: JsonSchema = {}): unknown {
  if (isA(schema, 'integer') || isA(schema, 'number')) return numberOf(name, word)
  return isA(schema, 'boolean') ? booleanOf(name, word) : word
}

function numberOf(name: string, word: string): number {
  if (/^-?\d+(\.\d+)?$/.test(word)) return Number(word)
  throw invalidQuery(`${name} is "${word.slice(0, 100)}", and must be a number.`)
}

function booleanOf(name: string, word: string): boolean {
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0') return false
  throw invalidQuery(`${name} is "${word.slice(0, 100)}", and must be true or false.`)
}

function isA({ type }: JsonSchema, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name))
}

function invalidQuery(message: string): ContextError {
  return invalidInput(message, 'The inputs are described by /openapi.json.')
}
