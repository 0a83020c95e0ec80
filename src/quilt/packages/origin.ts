/**
 * Stores the origin of a directory: the revision that the directory was fetched from, with its manifest. The origin is
 * a file in the directory; a push compares the files with the manifest to find changed files.
 */

import { invalidInput } from '../../core/errors.ts'
import { ignoreMissing, type Objects } from '../../files/objects.ts'
import { plainNames } from '../../text/program-names.ts'
import { isName, isTopHash } from '../names.ts'
import { parseObject } from './json.ts'
import { batchesOf } from './manifest.ts'
import type { ResolvedRevision } from './resolve.ts'

/**
 * The origin file: the first line names the revision, and the lines of its manifest follow. A file of the directory
 * that was not updated has the line of an older revision instead. A push never sends the origin file.
 */
export const ORIGIN_KEY = '.quilt/origin.jsonl'

/**
 * Whether a key is `ORIGIN_KEY`, a folder above it, or below it, as tolerant file systems compare names (`plainNames`).
 */
export function isOriginKey(key: string): boolean {
  const path = `${plainNames(key).join('/')}/`
  return `${ORIGIN_KEY}/`.startsWith(path) || path.startsWith(`${ORIGIN_KEY}/`)
}

export interface FetchedRevision extends Pick<ResolvedRevision, 'name' | 'hash' | 'manifest'> {
  /** The address of the registry. */
  readonly registry: string
  /** Whether `manifest` has older lines, too (`OlderLines`). */
  readonly isMixed?: boolean
}

/** Older lines by key: lines of an older revision, for files that the last fetch or push did not update. */
export type OlderLines = ReadonlyMap<string, string>

/** Maximum bytes of the first line. */
const MAX_FIRST_LINE = 8192

/** Reads the revision from the origin file of a directory; undefined without such a file. @throws ContextError `invalid-input` for a damaged file. */
export async function readOrigin(directory: Objects, signal?: AbortSignal): Promise<FetchedRevision | undefined> {
  const beginning = await ignoreMissing(directory.read(ORIGIN_KEY, { length: MAX_FIRST_LINE, signal }))
  if (beginning === undefined || beginning === 'unchanged') return undefined
  const firstBytes = Buffer.from(beginning.bytes)
  const end = firstBytes.indexOf('\n')
  const revision = parseRevisionLine(firstBytes.subarray(0, Math.max(0, end)).toString())
  const open = (stop?: AbortSignal) => directory.stream(ORIGIN_KEY, { from: end + 1, signal: stop })
  return { ...revision, manifest: { name: `${directory.uri}/${ORIGIN_KEY}`, open } }
}

function parseRevisionLine(line: string): Omit<FetchedRevision, 'manifest'> {
  const { registry, name, hash, isMixed } = parseObject(line) ?? {}
  const areTexts = typeof registry === 'string' && typeof name === 'string' && typeof hash === 'string'
  if (areTexts && isName(name) && isTopHash(hash)) return { registry, name, hash, isMixed: isMixed === true }
  const message = `${ORIGIN_KEY} does not say where the directory was fetched from.`
  throw invalidInput(message, 'Run "ambit package get" again.')
}

/**
 * Writes the origin of a directory. A file that was not updated keeps its older line, by which a later push sees that
 * the file is unchanged, and leaves its entry in the package.
 */
export async function writeOrigin(
  directory: Objects,
  { manifest, registry, name, hash, older }: Omit<FetchedRevision, 'isMixed'> & { readonly older: OlderLines },
  signal?: AbortSignal | undefined,
): Promise<void> {
  const lines = async function* () {
    yield Buffer.from(`${JSON.stringify({ registry, name, hash, ...(older.size > 0 && { isMixed: true }) })}\n`)
    if (older.size === 0) return yield* manifest.open(signal)
    for await (const { records, texts } of batchesOf(manifest, signal)) {
      const newerLines = texts.filter((_, at) => !(records[at]?.kind === 'entry' && older.has(records[at].logicalKey)))
      yield Buffer.from(newerLines.map((text) => `${text}\n`).join(''))
    }
    yield Buffer.from([...older.values()].map((text) => `${text}\n`).join(''))
  }
  await directory.putStream(ORIGIN_KEY, lines(), { signal })
  await directory.sweep([ORIGIN_KEY], signal)
}
