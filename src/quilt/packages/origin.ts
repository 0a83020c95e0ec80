/** The revision that a directory was fetched from: its manifest lies in the directory, so that a push knows what changed. */

import { invalidInput } from '../../core/errors.ts'
import { ignoreMissing, type Objects } from '../../files/objects.ts'
import { isName, isTopHash } from '../names.ts'
import { parseObject } from './json.ts'
import type { Manifest } from './manifest.ts'

/** Its first line says which revision; the manifest follows as it was read. It is not an entry of a package. */
export const ORIGIN = '.quilt/origin.jsonl'

export interface FetchedRevision {
  /** The address of the registry. */
  readonly registry: string
  readonly name: string
  readonly hash: string
  readonly manifest: Manifest
}

/** Bytes of the longest first line. */
const MAX_FIRST = 8192

/** @throws ContextError `invalid-input` for a file that is damaged. */
export async function readOrigin(directory: Objects, signal?: AbortSignal): Promise<FetchedRevision | undefined> {
  const read = await ignoreMissing(directory.read(ORIGIN, { length: MAX_FIRST, signal }))
  if (read === undefined || read === 'unchanged') return undefined
  const first = Buffer.from(read.bytes)
  const end = first.indexOf('\n')
  const named = nameIn(first.subarray(0, Math.max(0, end)).toString())
  const open = (stop?: AbortSignal) => directory.stream(ORIGIN, { from: end + 1, signal: stop })
  return { ...named, manifest: { name: `${directory.uri}/${ORIGIN}`, open } }
}

function nameIn(line: string): Omit<FetchedRevision, 'manifest'> {
  const { registry, name, hash } = parseObject(line) ?? {}
  if (
    typeof registry === 'string' &&
    typeof name === 'string' &&
    isName(name) &&
    typeof hash === 'string' &&
    isTopHash(hash)
  )
    return { registry, name, hash }
  throw invalidInput(`${ORIGIN} does not say where the directory was fetched from.`, 'Run "ambit package get" again.')
}

export async function writeOrigin(
  directory: Objects,
  { manifest, registry, name, hash }: FetchedRevision,
  signal?: AbortSignal | undefined,
): Promise<void> {
  const lines = async function* () {
    yield Buffer.from(`${JSON.stringify({ registry, name, hash })}\n`)
    yield* manifest.open(signal)
  }
  await directory.putStream(ORIGIN, lines(), { signal })
}
