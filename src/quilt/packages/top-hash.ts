import { createHash } from 'node:crypto'
import { compareBytes } from '../../files/objects.ts'
import type { PackageShowAnswer, RevisionAnswer } from '../answers.ts'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import { type InOrderOptions, type RecordVisitor, readInOrder } from './in-order.ts'
import { isRawNumber, type Json, type JsonObject } from './json.ts'
import type { Manifest } from './manifest.ts'

/** Minimum characters to hash at a time. */
const BLOCK_CHARACTERS = 1 << 16

/**
 * The hash that names a revision. The hash covers the header and, in the order of the tree, the logical key, hash, size
 * and metadata of each entry; not the physical keys, and not the metadata of directories.
 */
export class TopHash {
  readonly #hash = createHash('sha256')
  #text = ''
  /** Why there is no hash; undefined if there is one. */
  problem: string | undefined

  header({ hashedFields }: ManifestHeader): void {
    this.#add(pythonJson(hashedFields))
  }

  entry({ line, logicalKey, hash, size, meta }: Omit<ManifestEntry, 'kind' | 'physicalKey'>): void {
    if (hash === null || size === null) {
      this.problem ??= `Line ${line} has no ${hash === null ? 'hash' : 'size'}.`
      return
    }
    const key = pythonString(logicalKey)
    this.#add(`{"hash":${pythonJson(hash)},"logical_key":${key},"meta":${pythonJson(meta)},"size":${size}}`)
  }

  /** Hex digits; null when an entry has no hash or size. Call it once, at the end. */
  digest(): string | null {
    this.#hash.update(this.#text, 'latin1')
    return this.problem === undefined ? this.#hash.digest('hex') : null
  }

  /** Adds a text, which must be ASCII. */
  #add(text: string): void {
    this.#text += text
    if (this.#text.length < BLOCK_CHARACTERS) return
    this.#hash.update(this.#text, 'latin1')
    this.#text = ''
  }
}

/**
 * A value as Python's `json.JSONEncoder(sort_keys=True, separators=(',', ':'))` prints it: keys by code point at every
 * depth, ASCII only, integers as they are written, floats by `repr`. The top hash covers this text.
 */
export function pythonJson(value: Json): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return pythonString(value)
  if (typeof value === 'number') return pythonNumber(String(value))
  if (isRawNumber(value)) return pythonNumber(value.rawJSON)
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(',')}]`
  const object = value as JsonObject
  const keys = Object.keys(object).sort(compareBytes)
  return `{${keys.map((key) => `${pythonString(key)}:${pythonJson(object[key] ?? null)}`).join(',')}}`
}

/** Matches text without escapes: a fast path for nearly all text. */
const PLAIN = /^[ !#-[\]-~]*$/

/** A quoted string. A character beyond U+FFFF becomes two escapes, for its surrogates. Escapes DEL, but not `/`. */
export function pythonString(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : `"${text.replace(/["\\]|[^ -~]/g, escapeUnit)}"`
}

function escapeUnit(unit: string): string {
  const shortEscape = unit > '\\' ? '' : JSON.stringify(unit).slice(1, -1)
  return shortEscape.length === 2 ? shortEscape : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A number as Python prints it: an `int` without point and exponent, else a `float`. */
export function pythonNumber(source: string): string {
  if (/[.eE]/.test(source)) return floatRepr(Number(source))
  return source === '-0' ? '0' : source
}

/** A float as Python prints it: with an exponent from 1e16 on and below 1e-4. Both languages find the same shortest digits. */
function floatRepr(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '', power = ''] = Math.abs(value).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(power)
  return sign + (exponent < -4 || exponent >= 16 ? scientific(digits, exponent) : positional(digits, exponent))
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.slice(1)
  const power = String(Math.abs(exponent)).padStart(2, '0')
  return `${digits[0]}${fraction === '' ? '' : `.${fraction}`}e${exponent < 0 ? '-' : '+'}${power}`
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const wholeDigits = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${wholeDigits}.${digits.slice(exponent + 1) || '0'}`
}

export type PackageSummary = Omit<PackageShowAnswer, keyof RevisionAnswer | 'modified'>

/** @throws ContextError as `readInOrder`. */
export async function summarizeManifest(manifest: Manifest, options?: InOrderOptions): Promise<PackageSummary> {
  return (await readInOrder(manifest, () => new ManifestSummary(), options)).summary()
}

export class ManifestSummary implements RecordVisitor {
  readonly #topHash = new TopHash()
  #header: ManifestHeader | undefined
  #entries = 0
  #bytes = 0

  header(header: ManifestHeader): void {
    this.#header = header
    this.#topHash.header(header)
  }

  entry(entry: ManifestEntry): void {
    this.#entries++
    this.#bytes += entry.size ?? 0
    this.#topHash.entry(entry)
  }

  summary(): PackageSummary {
    const { message = null, userMeta = null, workflow = null } = this.#header ?? {}
    const { problem } = this.#topHash
    const [totalEntries, totalBytes, computedHash] = [this.#entries, this.#bytes, this.#topHash.digest()]
    const summary = { message, userMeta, workflow, totalEntries, totalBytes, computedHash }
    return problem === undefined ? summary : { ...summary, problem }
  }
}
