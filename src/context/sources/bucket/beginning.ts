import { BucketTrouble, ContextError, throwIfAborted } from '../../../core/errors.ts'
import type { Left } from '../../../core/flow.ts'
import { setNewest } from '../../../core/set-newest.ts'
import type { ObjectRead, ReadRequest } from '../../../files/objects.ts'
import type { TextFile } from '../../../files/text-file.ts'
import { readSafeText } from '../../../text/readable.ts'

/** Maximum shown bytes of a file. */
export const MAX_SHOWN_BYTES = 10_000

/** Bytes to request. The bytes after the limit show whether the limit is within a character. */
const REQUESTED_BYTES = MAX_SHOWN_BYTES + 3

/** The beginning of a file, or all of it. */
export interface FileBeginning
  extends Pick<ObjectRead, 'size' | 'modifiedAt'>,
    Pick<TextFile, 'content' | 'text' | 'warnings'> {
  readonly candidate: FileCandidate
}

/** Maximum cached beginnings. Each takes up to 10 kB. */
const MAX_BEGINNINGS = 1000

/** A cache of beginnings of files. A read sends the etag of the cached file, so an unchanged file is not sent again. */
export class ReadCache {
  readonly #cache = new Map<string, ObjectRead>()

  /** Sends one request. Failures are not cached. */
  async read({ uri, read }: FileCandidate, signal: AbortSignal | undefined): Promise<ObjectRead> {
    const cached = this.#cache.get(uri)
    const answer = await read({ length: REQUESTED_BYTES, signal, ...(cached && { unless: cached.etag }) })
    const beginning = answer === 'unchanged' && cached ? cached : (answer as ObjectRead)
    setNewest(this.#cache, uri, beginning, MAX_BEGINNINGS)
    return beginning
  }
}

/**
 * Reads all candidates at once, with one request each. The results are in the order of the candidates.
 *
 * @throws ContextError `cancelled`; `BucketTrouble`; the first error if the service answered no request.
 */
export async function readBeginnings(
  candidates: readonly FileCandidate[],
  beginnings: ReadCache,
  signal: AbortSignal | undefined,
): Promise<(FileBeginning | Left)[]> {
  throwIfAborted(signal)
  const errors: ContextError[] = []
  const reads = candidates.map(async (candidate): Promise<FileBeginning | Left> => {
    try {
      return resultOf(candidate, await beginnings.read(candidate, signal))
    } catch (error) {
      if (!(error instanceof ContextError) || error.code === 'cancelled' || error instanceof BucketTrouble) throw error
      if (error.code === 'unavailable') errors.push(error)
      const hasUsefulHint = error.code === 'denied' || error.code === 'unavailable'
      const hint = hasUsefulHint && error.hint !== undefined ? ` ${error.hint}` : ''
      return leftOf(candidate, { why: leftReasonOf(error), detail: `${sentenceOf(error)}${hint}` })
    }
  })
  const results = await Promise.all(reads)
  if (errors[0] && errors.length === candidates.length) throw errors[0]
  return results
}

function resultOf(candidate: FileCandidate, read: ObjectRead): FileBeginning | Left {
  const { size, modifiedAt } = read
  if (size === 0) return leftOf(candidate, { why: 'empty', detail: 'It is empty.' })
  const problem = candidate.problemOf?.(read)
  if (problem !== undefined) return leftOf(candidate, { why: 'untrusted', detail: problem })
  const decoded = readSafeText(size > MAX_SHOWN_BYTES ? wholeCharacters(read.bytes) : read.bytes)
  if (!decoded.ok) return leftOf(candidate, { why: decoded.why, detail: decoded.detail })
  const { content, text, warnings } = decoded
  return { candidate, content, text, size, modifiedAt, warnings }
}

/** The first bytes, without an incomplete character at the end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = Math.min(MAX_SHOWN_BYTES, bytes.length)
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  // No character has more than four bytes, so such a file is not UTF-8.
  return bytes.subarray(0, end < MAX_SHOWN_BYTES - 3 ? MAX_SHOWN_BYTES : end)
}

function leftOf({ uri, title }: FileCandidate, reason: Pick<Left, 'why' | 'detail'>): Left {
  return { origin: { uri }, title, ...reason }
}

/** The message without the place: it may be the path of a directory on this machine. */
function sentenceOf({ message }: ContextError): string {
  return message.replace(/^(?:file|s3):\/\/\S+ /, 'It ').replace(/(?:file|s3):\/\/\S+/g, 'its place')
}

export function leftReasonOf({ code }: Pick<ContextError, 'code'>): Left['why'] {
  if (code === 'not-found') return 'missing'
  if (code === 'denied' || code === 'untrusted' || code === 'over-limit') return code
  return 'failed'
}

/** A file that may describe a place, and may be missing. */
export interface FileCandidate {
  /** An address that stays the same and can be opened. */
  readonly uri: string
  readonly title: string
  readonly scope: 'bucket' | 'package'
  /** Path from the root of the bucket or package, with a slash before it. */
  readonly path: string
  /** Whether the file is at the root of a bucket or of a package. The limit on files does not count such a file. */
  readonly isRoot: boolean
  /** Why the file applies, as a sentence. */
  readonly reason: string
  /** The position of the file among the printed files of its scope. */
  readonly position: number
  read(request: ReadRequest): Promise<ObjectRead | 'unchanged'>
  /** How a file differs from its package; undefined if it does not differ, or cannot be checked. */
  problemOf?(read: ObjectRead): string | undefined
}

/** File names in each directory, in printed order: the least important first. */
const FILE_NAMES = ['README.md', 'AGENTS.md']

export type ExpectedFile = ReturnType<typeof expectedFiles>[number]

/** The files to look for in a directory, the most important first. `root`: the noun for the root in `reason`. */
export function expectedFiles(directory: string, root: string) {
  // The nearest first: `a/b/` and `a/` of `a/b/`. Repeated slashes are kept.
  const above = [...directory.matchAll(/\//g)].map(({ index }) => directory.slice(0, index + 1))
  return [...above.reverse(), ''].flatMap((prefix, index) => {
    const isRoot = prefix === ''
    const reason = `It is ${isRoot ? `at the root of the ${root}` : `${index === 0 ? 'at' : 'above'} the place`}.`
    return FILE_NAMES.map((name, at) => {
      const key = `${prefix}${name}`
      return { key, path: `/${key}`, isRoot, reason, position: index * FILE_NAMES.length + at }
    }).reverse()
  })
}
