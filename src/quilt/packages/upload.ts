import { ContextError, invalidInput } from '../../core/errors.ts'
import { ignoreMissing, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { hasherOf } from '../hashes.ts'
import { quoteForeign } from '../names.ts'
import type { EntryHash } from '../records.ts'
import { escapeQuery } from './json.ts'
import { keyBelow, parsePhysicalKey } from './physical-key.ts'
import type { LocalFile } from './revise.ts'
import type { PushTarget } from './write-revision.ts'

/** How often an upload is begun that somebody else ends. */
const TRIES = 3

/** Sends files to where nothing is overwritten that a revision may need. */
export class Uploading {
  readonly #directory: Objects
  readonly #registry: PushTarget
  readonly #tell: (bytes: number) => void

  /** @param tell receives the number of bytes that were sent. */
  constructor(directory: Objects, registry: PushTarget, tell: (bytes: number) => void) {
    this.#directory = directory
    this.#registry = registry
    this.#tell = tell
  }

  /** @returns the physical key */
  async upload(file: LocalFile, signal: AbortSignal): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#place(file, signal)
      } catch (error) {
        const isRace = error instanceof ContextError && error.code === 'conflict' && !(error instanceof FileChanged)
        if (!isRace || tries === TRIES) throw error
      }
    }
  }

  async #place(file: LocalFile, signal: AbortSignal): Promise<string> {
    const { objects, name } = this.#registry
    const key = `${name}/${file.key}`
    const put = (place: string, more: { readonly if?: 'absent' } = {}) =>
      objects.putStream(place, this.#bytesOf(file, signal), { size: file.size, signal, ...more })
    const there = await this.#infoOf(key, signal)
    if (there && isVersioned(there)) {
      if (await this.#holds(there, file, signal)) return physicalKeyOf(objects.uri, key, there.version)
      const { version } = await put(key)
      return physicalKeyOf(objects.uri, key, version)
    }
    for (const place of [key, `${name}/.objects/${hexOf(file.hash)}/${baseName(file.key)}`]) {
      const old = await this.#infoOf(place, signal)
      if (!old) {
        const { version } = await put(place, { if: 'absent' })
        return physicalKeyOf(objects.uri, place, version)
      }
      if (await this.#holds(old, file, signal)) return physicalKeyOf(objects.uri, place, old.version)
    }
    throw new ContextError('conflict', `${quoteForeign(file.key)} cannot be uploaded: another object has its key.`)
  }

  #infoOf(key: string, signal: AbortSignal): Promise<ObjectInfo | undefined> {
    return ignoreMissing(this.#registry.objects.head(key, { signal }))
  }

  /** Whether an object has the bytes of a file. */
  async #holds({ key, size, version }: ObjectInfo, file: LocalFile, signal: AbortSignal): Promise<boolean> {
    const hasher = size === file.size ? hasherOf(file.hash.type, size) : undefined
    if (!hasher) return false
    const request = { ...(version !== undefined && { version }), signal }
    for await (const bytes of this.#registry.objects.stream(key, request)) hasher.update(bytes)
    return hasher.digest() === file.hash.value
  }

  /** @throws ContextError `conflict` at the end where the file is another one since it was hashed. */
  async *#bytesOf({ key, size, hash }: LocalFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const hasher = hasherOf(hash.type, size)
    for await (const bytes of this.#directory.stream(key, { signal })) {
      hasher?.update(bytes)
      yield bytes
      this.#tell(bytes.length)
    }
    if (hasher?.digest() !== hash.value) throw new FileChanged(key)
  }
}

/** A file is another one than it was when the push began. */
class FileChanged extends ContextError {
  constructor(key: string) {
    super('conflict', `${quoteForeign(key)} was written while it was pushed.`, { hint: 'Push again.' })
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
  // The result must read back as it was meant.
  if (keyBelow(parsePhysicalKey(text), uri) !== key)
    throw invalidInput(`${quoteForeign(key)} cannot be named in a manifest.`)
  return text
}
