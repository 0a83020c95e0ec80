import { createHash, randomUUID } from 'node:crypto'
import { noSuchKey, S3Fault } from './fault.ts'
import type { MultipartUpload } from './multipart.ts'

/** One version of an object, or the mark that it was deleted. */
export interface Version {
  readonly id: string
  readonly bytes: Buffer | undefined
  readonly etag: string
  readonly modifiedAt: Date
  readonly headers: Readonly<Record<string, string>>
}

export type Versioning = 'Enabled' | 'Suspended' | undefined

/** A bucket in memory: for each key its versions, the newest first. */
export class Bucket {
  readonly region: string
  /** Anybody may read and list. */
  isPublic = false
  versioning: Versioning
  /** What the service does of `If-Match`: `never` as Ceph where it keeps versions, `unknown` as Swift, `ignores` as s3rver. */
  ifMatch: 'compares' | 'never' | 'unknown' | 'ignores' = 'compares'
  /** Of an object in parts it keeps no bytes, and the SHA-256 of each part of the last one instead. */
  isForgetful = false
  received: readonly Buffer[] = []
  readonly uploads = new Map<string, MultipartUpload>()
  readonly #versions = new Map<string, Version[]>()
  #sorted: readonly string[] | undefined

  constructor(region: string) {
    this.region = region
  }

  get isEmpty(): boolean {
    return this.#versions.size === 0
  }

  /** Of all that have a version, in the order of their bytes of UTF-8. */
  keys(): readonly string[] {
    this.#sorted ??= [...this.#versions.keys()]
      .map((key) => Buffer.from(key, 'utf8'))
      .sort(Buffer.compare)
      .map((key) => key.toString('utf8'))
    return this.#sorted
  }

  versions(key: string): readonly Version[] {
    return this.#versions.get(key) ?? []
  }

  /** The newest one, unless it was deleted. */
  current(key: string): Version | undefined {
    const [newest] = this.versions(key)
    return newest?.bytes ? newest : undefined
  }

  /** @throws S3Fault as S3 answers for what is not there, or was deleted. */
  found(key: string, id: string | undefined): Version & { readonly bytes: Buffer } {
    const version = id === undefined ? this.versions(key)[0] : this.#named(key, id)
    if (version?.bytes) return { ...version, bytes: version.bytes }
    if (!version) throw noSuchKey(key)
    const headers = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': version.id }
    if (id === undefined) throw noSuchKey(key, headers)
    throw new S3Fault(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.', {
      headers,
    })
  }

  #named(key: string, id: string): Version {
    const version = this.versions(key).find((one) => one.id === id)
    if (version) return version
    if (id !== 'null' && !isVersionId(id)) throw new S3Fault(400, 'InvalidArgument', 'Invalid version id specified')
    throw new S3Fault(404, 'NoSuchVersion', 'The specified version does not exist.', {
      details: { Key: key, VersionId: id },
    })
  }

  put(key: string, bytes: Buffer, headers: Readonly<Record<string, string>>): Version {
    return this.#add(key, { bytes, etag: createHash('md5').update(bytes).digest('hex'), headers })
  }

  /** Takes one version away; or the object, which leaves a mark where versions are kept. */
  delete(key: string, id: string | undefined): Version | undefined {
    if (id !== undefined) {
      const version = this.versions(key).find((one) => one.id === id)
      this.#keep(
        key,
        this.versions(key).filter((one) => one !== version),
      )
      return version
    }
    if (this.versioning !== undefined) return this.#add(key, { bytes: undefined, etag: '', headers: {} })
    this.#keep(key, [])
    return undefined
  }

  #add(key: string, what: Omit<Version, 'id' | 'modifiedAt'>): Version {
    const id = this.versioning === 'Enabled' ? randomUUID().replaceAll('-', '') : 'null'
    const version = { ...what, id, modifiedAt: new Date() }
    const older = this.versioning === undefined ? [] : this.versions(key).filter((one) => one.id !== id)
    this.#keep(key, [version, ...older])
    return version
  }

  #keep(key: string, versions: readonly Version[]): void {
    if (!this.#versions.has(key) || versions.length === 0) this.#sorted = undefined
    if (versions.length === 0) this.#versions.delete(key)
    else this.#versions.set(key, [...versions])
  }
}

function isVersionId(id: string): boolean {
  return /^[0-9a-f]{32}$/.test(id)
}
