import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { ObjectInfo, Objects } from '../../files/objects.ts'
import { hasherOf } from '../hashes.ts'
import { quoteForeign } from '../names.ts'
import type { EntryHash } from '../records.ts'
import { escapeQuery } from './json.ts'
import { keyBelow, parsePhysicalKey } from './physical-key.ts'
import type { LocalFile, PushTarget } from './write-revision.ts'

/** Sends files to where nothing is overwritten that a revision may need. */
export class Uploading {
  readonly #directory: Objects
  readonly #registry: PushTarget

  constructor(directory: Objects, registry: PushTarget) {
    this.#directory = directory
    this.#registry = registry
  }

  /** @returns the physical key */
  async upload(file: LocalFile): Promise<string> {
    const { objects, name, run } = this.#registry
    const stop = run.signal ? { signal: run.signal } : {}
    const key = `${name}/${file.key}`
    const there = await this.#infoOf(key)
    if (there && isVersioned(there)) {
      if (await this.#holds(there, file)) return physicalKeyOf(objects.uri, key, there.version)
      const { version } = await objects.put(key, await this.#bytesOf(file), stop)
      return physicalKeyOf(objects.uri, key, version)
    }
    for (const place of [key, `${name}/.objects/${hexOf(file.hash)}/${baseName(file.key)}`]) {
      const old = await this.#infoOf(place)
      if (!old) {
        const { version } = await objects.put(place, await this.#bytesOf(file), { if: 'absent', ...stop })
        return physicalKeyOf(objects.uri, place, version)
      }
      if (await this.#holds(old, file)) return physicalKeyOf(objects.uri, place, old.version)
    }
    throw new ContextError('conflict', `${quoteForeign(file.key)} cannot be uploaded: another object has its key.`)
  }

  async #infoOf(key: string): Promise<ObjectInfo | undefined> {
    const { objects, run } = this.#registry
    try {
      return await objects.head(key, run.signal ? { signal: run.signal } : {})
    } catch (error) {
      if (error instanceof ContextError && error.code === 'not-found') return undefined
      throw error
    }
  }

  /** Whether an object has the bytes of a file. */
  async #holds({ key, size, version }: ObjectInfo, file: LocalFile): Promise<boolean> {
    const hasher = size === file.size ? hasherOf(file.hash.type, size) : undefined
    if (!hasher) return false
    const { objects, run } = this.#registry
    const request = { ...(version !== undefined && { version }), ...(run.signal && { signal: run.signal }) }
    for await (const bytes of objects.stream(key, request)) hasher.update(bytes)
    return hasher.digest() === file.hash.value
  }

  /** @throws ContextError `conflict` where the file is another one since it was hashed. */
  async #bytesOf({ key, size, hash }: LocalFile): Promise<Uint8Array> {
    const { signal } = this.#registry.run
    const read = await this.#directory.read(key, { maxBytes: Math.max(size, BOUNDS.object), ...(signal && { signal }) })
    const hasher = hasherOf(hash.type, size)
    if (read === 'unchanged' || !hasher) throw new Error('Nothing was compared.')
    hasher.update(read.bytes)
    if (hasher.digest() === hash.value) return read.bytes
    throw new ContextError('conflict', `${quoteForeign(key)} was written while it was pushed.`, { hint: 'Push again.' })
  }
}

/** `null` is what a bucket calls the object that a next write replaces. */
function isVersioned({ version }: ObjectInfo): boolean {
  return version !== undefined && version !== 'null'
}

function hexOf({ value }: EntryHash): string {
  return Buffer.from(value, 'base64').toString('hex')
}

function baseName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

/** `s3://bucket/key?versionId=…` or `file:///…`, percent-encoded. */
function physicalKeyOf(uri: string, key: string, version: string | undefined): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const text = `${uri}/${path}${version === undefined || version === 'null' ? '' : `?versionId=${escapeQuery(version)}`}`
  // What is written shall be read back as what was meant.
  if (keyBelow(parsePhysicalKey(text), uri) !== key)
    throw invalidInput(`${quoteForeign(key)} cannot be named in a manifest.`)
  return text
}
