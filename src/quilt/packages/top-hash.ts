import { createHash } from 'node:crypto'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import { pythonJson, pythonString } from './python-json.ts'

/** Characters that are hashed at a time. */
const ENOUGH = 1 << 16

/**
 * The hash that names a package: over its header as it was found and, in the order of the tree, the logical key, hash,
 * size and metadata of each entry. Where the bytes are, and what is said of directories, is not in it.
 */
export class TopHash {
  readonly #hash = createHash('sha256')
  #text = ''
  #problem: string | undefined

  /** Why there is no hash; undefined when there is. */
  get problem(): string | undefined {
    return this.#problem
  }

  header({ hashed }: ManifestHeader): void {
    this.#add(pythonJson(hashed))
  }

  entry({ line, logicalKey, hash, size, meta }: ManifestEntry): void {
    if (hash === null || size === null) {
      this.#problem ??= `Line ${line} has no ${hash === null ? 'hash' : 'size'}.`
      return
    }
    const key = pythonString(logicalKey)
    this.#add(`{"hash":${pythonJson(hash)},"logical_key":${key},"meta":${pythonJson(meta)},"size":${size}}`)
  }

  /** Hex digits; null when an entry has no hash or size. To be asked for once, at the end. */
  digest(): string | null {
    this.#hash.update(this.#text, 'latin1')
    return this.#problem === undefined ? this.#hash.digest('hex') : null
  }

  /** Takes ASCII only. */
  #add(text: string): void {
    this.#text += text
    if (this.#text.length < ENOUGH) return
    this.#hash.update(this.#text, 'latin1')
    this.#text = ''
  }
}
