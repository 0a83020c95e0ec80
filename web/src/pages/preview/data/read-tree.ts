import type { Format } from './formats.ts'

/** Maximum number of aliases in a YAML text, because a few nested aliases can expand without bound. */
const MOST_ALIASES = 100

/** Parses a text. @throws Error that says what is wrong. */
export async function readTree(text: string, format: Format): Promise<unknown> {
  if (format === 'yaml') return readYaml(text)
  if (format === 'toml') return readToml(text)
  return format === 'lines' ? readLines(text) : readJson(text)
}

/** Parses JSON. Integers that a number cannot hold exactly become bigints. */
function readJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const exact = (_: string, value: unknown, context?: { readonly source?: string }) => {
    const { source = '' } = context ?? {}
    return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
  }
  try {
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return JSON.parse(text)
  }
}

function readLines(text: string): unknown[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      return [readJson(line)]
    } catch (error) {
      throw new Error(`Line ${at + 1}: ${error instanceof Error ? error.message : error}`)
    }
  })
}

async function readYaml(text: string): Promise<unknown> {
  const { parseAllDocuments } = await import('yaml')
  const documents = parseAllDocuments(text, { logLevel: 'silent', intAsBigInt: false })
  const all = 'empty' in documents ? [] : documents
  const error = all.flatMap(({ errors }) => errors)[0]
  if (error) throw new Error(error.message.split('\n')[0])
  const values = all.map((document) => document.toJS({ maxAliasCount: MOST_ALIASES }))
  return values.length === 1 ? values[0] : values
}

async function readToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml')
  // TOML's dates are objects that `toISOString` writes as in the file.
  return plainValue(parse(text, { integersAsBigInt: 'asNeeded' }))
}

function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainValue(each)]))
}
