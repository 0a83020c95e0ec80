/** What a model said, as the value that it was asked for. */

import { jsonrepair } from 'jsonrepair'

/** Characters of an answer that is mended: what is longer has no end. */
const LONGEST = 400_000

/** The last JSON object of an answer, with what is wrong with it mended; undefined where there is none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const said = withoutReasoning(text).slice(0, LONGEST)
  for (const candidate of candidatesIn(said)) {
    const value = parseObject(candidate) ?? parseObject(mendJson(candidate))
    if (value) return value
  }
  return undefined
}

/** What a model thought before it answered, where its service does not keep it apart. An answer may begin within it. */
export function withoutReasoning(text: string): string {
  const end = text.lastIndexOf('</think>')
  const rest = end < 0 ? text : text.slice(end + '</think>'.length)
  return /^\s*<think>/.test(rest) ? rest.replace('<think>', '') : rest
}

function* candidatesIn(text: string): Generator<string> {
  yield text
  const fences = [...text.matchAll(/```[a-z]*[^\S\n]*\n([\s\S]*?)```/gi)].map(([, inner = '']) => inner)
  yield* fences.toReversed()
  yield* objectsIn(text).toReversed()
  // One that was cut off.
  const open = text.indexOf('{')
  if (open >= 0) yield text.slice(open).replace(/```\s*$/, '')
}

/** Whole objects, from brace to brace. */
function objectsIn(text: string): string[] {
  const found: string[] = []
  let [depth, from, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === '\\') at++
      else if (sign === '"') isQuoted = false
    } else if (sign === '"' && depth > 0) isQuoted = true
    else if (sign === '{' && depth++ === 0) from = at
    else if (sign === '}' && depth > 0 && --depth === 0) found.push(text.slice(from, at + 1))
  }
  return found
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Nothing is mended that is no object: prose would become a string. */
function mendJson(text: string): string {
  const bare = text.trim()
  if (!bare.startsWith('{')) return ''
  try {
    return jsonrepair(bare)
  } catch {
    return ''
  }
}
