/** A number by its source text. `JSON.stringify` prints it as it was written. */
export interface RawNumber {
  readonly rawJSON: string
}

export type Json = null | boolean | number | string | RawNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** What the language has and its types do not know yet. */
interface WithRaw {
  rawJSON(source: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

const RAW = JSON as unknown as WithRaw

/**
 * Most arrays and objects within each other. Python's own reader ends near 1,000, so no tool of the format wrote more, and
 * what walks a value by recursion is safe.
 */
export const MAX_DEPTH = 1000

/** A number by its source: plain where that says the same. */
export function numberOf(source: string): number | RawNumber {
  const value = Number(source)
  return Number.isSafeInteger(value) && source === String(value) ? value : RAW.rawJSON(source)
}

export function isRawNumber(value: Json | undefined): value is RawNumber {
  return RAW.isRawJSON(value)
}

/** An object, neither an array nor a number by its source. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** Arrays and objects within each other; a little over `MAX_DEPTH` at most. Level by level: a stack may not hold them. */
export function depthOf(value: Json): number {
  let depth = 0
  for (let level = nested([value]); level.length > 0 && depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((one) => nested(Object.values<Json>(one)))
  }
  return depth
}

function nested(values: readonly Json[]): (JsonObject | readonly Json[])[] {
  return values.filter((value) => typeof value === 'object' && value !== null) as (JsonObject | readonly Json[])[]
}
