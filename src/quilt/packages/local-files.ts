/** Selects the files of a directory for a package, computes their hashes, and finds secrets in them. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { listPages, type ObjectInfo, type Objects, readTextAt } from '../../files/objects.ts'
import { listFirst } from '../../text/counts.ts'
import { utf16EncodingOf } from '../../text/decode.ts'
import { gitignore } from '../../text/gitignore.ts'
import { findSecret, looksSecret } from '../../text/secrets.ts'
import { hasherOf } from '../hashes.ts'
import { quoteForeign } from '../names.ts'
import { byTree } from './in-order.ts'
import { ORIGIN_KEY } from './origin.ts'
import type { BaseRevision, LocalFile } from './revise.ts'

/** The type of new hashes, as in quilt3. */
const HASH_TYPE = 'sha2-256-chunked'

/** The files for the package, in the order of the tree, and the number of ignored files. */
export async function filesIn(directory: Objects, { signal }: Run) {
  const listedFiles: ObjectInfo[] = []
  for await (const { objects, left } of listPages(directory, { signal })) {
    const [refused] = left
    if (refused) throw new ContextError('denied', `${quoteForeign(refused.key)} cannot be pushed: ${refused.detail}`)
    listedFiles.push(...objects)
  }
  const isIgnored = await createIgnoreCheck(directory, listedFiles, signal)
  const files = listedFiles.filter(({ key }) => !isIgnored(key)).sort((a, b) => byTree(a.key, b.key))
  const originFiles = listedFiles.some(({ key }) => key === ORIGIN_KEY) ? 1 : 0
  return { files, ignored: listedFiles.length - files.length - originFiles }
}

const QUILT_IGNORE = '.quiltignore'

async function createIgnoreCheck(directory: Objects, files: readonly ObjectInfo[], signal: AbortSignal | undefined) {
  const hasRules = files.some(({ key }) => key === QUILT_IGNORE)
  const { text = '' } = (hasRules && (await readTextAt(directory, QUILT_IGNORE, { signal }))) || {}
  const matchRules = gitignore(`.git/\n.quilt/\n${text}`)
  return (key: string) => {
    const segments = key.split('/')
    return segments.some((_, at) => matchRules(segments.slice(0, at + 1).join('/'), at < segments.length - 1) === true)
  }
}

export function secretsRefused(secrets: readonly { readonly path: string; readonly what: string }[]): ContextError {
  const shownFiles = listFirst(secrets.map(({ path, what }) => `${quoteForeign(path)} (${what})`))
  const hint = 'List these files in .quiltignore. If one has no secret, allow it with --secret PATH.'
  return new ContextError('denied', `Nothing was pushed: there are secrets. ${shownFiles}.`, { hint })
}

/** A file with its hashes, and the secret in it, if any. */
export async function hashFile(
  directory: Objects,
  { key, size, etag }: ObjectInfo,
  { bases, signal }: { readonly bases: readonly BaseRevision[]; readonly signal: AbortSignal },
) {
  const knownTypes = bases.flatMap(({ entries }) => {
    const entry = entries.get(key)
    return entry?.hash && entry.size === size ? [entry.hash.type] : []
  })
  const hashers = new Map(
    [HASH_TYPE, ...knownTypes].flatMap((type) => {
      const hasher = hasherOf(type, size)
      return hasher ? [[type, hasher] as const] : []
    }),
  )
  const scan = new SecretScan()
  for await (const bytes of directory.stream(key, { only: etag, signal })) {
    for (const hasher of hashers.values()) hasher.update(bytes)
    scan.add(bytes)
  }
  const digests = new Map([...hashers].map(([type, hasher]) => [type, hasher.digest()]))
  const file: LocalFile = { key, size, hash: { type: HASH_TYPE, value: digests.get(HASH_TYPE) ?? '' }, digests }
  return { file, secret: looksSecret(key) ? 'by its name' : scan.end() }
}

/** Characters of a window, and of its overlap with the next window: a secret on a border is complete in one window. */
const WINDOW = 1 << 20
const OVERLAP = 16 << 10

/** Searches a file for a secret while its bytes arrive. Only a window of the text is in memory. */
export class SecretScan {
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #window = ''
  /** Number of lines before the window. */
  #linesBefore = 0
  #isFirst = true
  #isDone = false
  #secret: string | undefined

  add(bytes: Uint8Array): void {
    if (this.#isDone) return
    this.#decoder ??= new TextDecoder(utf16EncodingOf(bytes))
    this.#window += this.#decoder.decode(bytes, { stream: true })
    if (this.#window.length >= WINDOW + OVERLAP) this.#searchWindow()
  }

  /** The first secret and its line; undefined without a secret, and for a file whose beginning is not text. */
  end(): string | undefined {
    if (!this.#isDone) this.#searchWindow()
    return this.#secret
  }

  #searchWindow(): void {
    const window = this.#window
    const isText = !window.includes('\0')
    const secret = isText ? findSecret(window) : undefined
    this.#secret = secret && `${secret.what}, line ${this.#linesBefore + secret.line}`
    this.#isDone = secret !== undefined || (this.#isFirst && !isText)
    this.#isFirst = false
    const maxCut = Math.max(0, window.length - OVERLAP)
    // The next window begins at the start of a line, unless the line is too long.
    const lineStart = window.lastIndexOf('\n', maxCut) + 1
    const cut = lineStart > 0 && maxCut - lineStart < OVERLAP ? lineStart : maxCut
    this.#window = window.slice(cut)
    for (let at = window.indexOf('\n'); at >= 0 && at < cut; at = window.indexOf('\n', at + 1)) this.#linesBefore++
  }
}
