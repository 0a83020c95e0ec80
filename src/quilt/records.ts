import { invalidInput } from '../core/errors.ts'
import { oneLine } from '../text/controls.ts'
import { quoteForeign } from './names.ts'
import { isObject, type Json, type JsonObject, parseJson } from './packages/json.ts'

/** The first line of a manifest. */
export interface ManifestHeader {
  readonly kind: 'header'
  readonly message: string | null
  /** Metadata of the package from its maker; null without any. */
  readonly userMeta: Json
  /** The workflow that checked the package; null without one. */
  readonly workflow: Json
  /** The fields that the top hash covers: all fields as written, except the `top_hash` of old headers. */
  readonly hashedFields: JsonObject
}

/** Metadata of a directory from the maker of the package. The top hash does not cover it. */
export interface ManifestDirectory {
  readonly kind: 'directory'
  readonly line: number
  /** Without the slash at its end. */
  readonly logicalKey: string
  readonly userMeta: Json
}

/** A hash and its type: `SHA256`, `sha2-256-chunked`, `CRC64NVME`, or an unknown type. */
export interface EntryHash extends JsonObject {
  readonly type: string
  readonly value: string
}

/**
 * An object of the package. `readRecord` checks its shape; `checkLogicalKey` and `parsePhysicalKey` check its keys when
 * they are used.
 */
export interface ManifestEntry {
  readonly kind: 'entry'
  readonly line: number
  readonly logicalKey: string
  readonly physicalKey: string
  /** Number of bytes. Size and hash are null in a package that was never pushed. */
  readonly size: number | null
  readonly hash: EntryHash | null
  /** Default: `{}`. */
  readonly meta: JsonObject
}

export type ManifestRecord = ManifestHeader | ManifestDirectory | ManifestEntry

/** Metadata of an entry from its maker; null for none. */
export function userMetaOf({ meta }: Pick<ManifestEntry, 'meta'>): Json {
  return meta.user_meta ?? null
}

/** The record of the first line. @throws ContextError `invalid-input` that names the line. */
export function readHeaderRecord(text: string): ManifestHeader {
  const { top_hash: _, ...hashed } = readObject(text, 1)
  const { version, message = null, user_meta: userMeta = null, workflow = null } = hashed
  if ('logical_key' in hashed) throw invalidLine(1, 'is an entry: the manifest has no header')
  if (version !== undefined && version !== 'v0')
    throw invalidLine(
      1,
      `is of version ${quoteForeign(typeof version === 'string' ? version : JSON.stringify(version))}`,
      'Only "v0" is known.',
    )
  if (message !== null && typeof message !== 'string') throw invalidLine(1, 'has a message that is not text')
  return { kind: 'header', message, userMeta, workflow, hashedFields: hashed }
}

/** The record of a line after the first. @throws ContextError `invalid-input` that names the line. */
export function readRecord(text: string, line: number): ManifestDirectory | ManifestEntry {
  const { logical_key: logicalKey, physical_keys: physicalKeys, size, hash, meta } = readObject(text, line)
  if (typeof logicalKey !== 'string' || logicalKey === '')
    throw invalidLine(line, 'has no "logical_key" that is a text')
  if (meta !== undefined && meta !== null && !isObject(meta))
    throw invalidLine(line, 'has a "meta" that is not an object')
  if (physicalKeys === undefined || physicalKeys === null || (Array.isArray(physicalKeys) && physicalKeys.length === 0))
    return readDirectoryRecord(logicalKey, meta ?? {}, line)
  return {
    kind: 'entry',
    line,
    logicalKey,
    physicalKey: firstPhysicalKey(physicalKeys, line),
    size: readSize(size, line),
    hash: readHash(hash, line),
    meta: meta ?? {},
  }
}

function readDirectoryRecord(key: string, meta: JsonObject, line: number): ManifestDirectory {
  if (!key.endsWith('/')) throw invalidLine(line, `has no "physical_keys", and ${quoteForeign(key)} is not a directory`)
  return { kind: 'directory', line, logicalKey: key.slice(0, -1), userMeta: userMetaOf({ meta }) }
}

/** The first physical key. The format allows several, but its tools always wrote and read one. */
function firstPhysicalKey(physicalKeys: Json, line: number): string {
  const firstKey: Json | undefined = Array.isArray(physicalKeys) ? physicalKeys[0] : undefined
  if (typeof firstKey !== 'string') throw invalidLine(line, 'has "physical_keys" that are not a list of texts')
  return firstKey
}

function readSize(size: Json | undefined, line: number): number | null {
  if (size === undefined || size === null) return null
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw invalidLine(line, 'has a "size" that is not a number of bytes')
  return size
}

function readHash(hash: Json | undefined, line: number): EntryHash | null {
  if (hash === undefined || hash === null) return null
  if (isObject(hash) && typeof hash.type === 'string' && typeof hash.value === 'string') return hash as EntryHash
  throw invalidLine(line, 'has a "hash" without "type" and "value" that are texts')
}

function readObject(text: string, line: number): JsonObject {
  if (text === '') throw invalidLine(line, 'is empty')
  try {
    const value = parseJson(text)
    if (isObject(value)) return value
  } catch (cause) {
    throw invalidLine(line, `is not JSON: ${oneLine(String(Object(cause).message))}`)
  }
  throw invalidLine(line, 'is not an object')
}

function invalidLine(line: number, problem: string, hint?: string) {
  return invalidInput(`Line ${line} ${problem}.`, hint)
}
