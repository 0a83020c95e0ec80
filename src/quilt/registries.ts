import { pathToFileURL } from 'node:url'
import { ContextError } from '../core/errors.ts'
import { bucketRoot, isBucketRoot, type RootAccess } from '../files/bucket-root.ts'
import type { Objects } from '../files/objects.ts'
import { unknownCollection } from '../text/unknown-collection.ts'
import { keyBelow, type PhysicalKey, type RegistryReach } from './located.ts'
import { type ObjectAddress, type RegistryName, registryText } from './place.ts'

/** The fields of a collection that packages need. */
export interface CollectionRoot {
  readonly name: string
  readonly root: string
  /** The access settings of the bucket. Default: the settings of the configuration. */
  readonly access?: RootAccess
}

/** Lists the collections, and opens their roots. */
export interface RegistryRoots {
  collections(): Promise<readonly CollectionRoot[]>
  /** The objects at the root of a collection. */
  open(root: string, access?: RootAccess): Promise<Objects>
}

/** An opened registry. */
export interface Registry {
  readonly name: RegistryName
  /** Its name in answers: the name of the S3 bucket, or of the collection if the registry is a directory. */
  readonly bucket: string
  readonly objects: Objects
}

/** A registry, and a key in it. */
export interface LocatedPath {
  readonly registry: Registry
  readonly path: string
}

/** Registries that may be opened: only the collections, or also any bucket that the user's own credentials open. */
export type RegistryScope = 'collections' | 'anywhere'

/** Finds registries by name, and the collections that hold the objects of their packages. */
export class Registries {
  readonly #roots: RegistryRoots
  readonly #scope: RegistryScope

  constructor(roots: RegistryRoots, scope: RegistryScope) {
    this.#roots = roots
    this.#scope = scope
  }

  /**
   * Opens a registry by name. A bucket that is the root of a collection is opened with the access of that collection.
   * If a collection on disk has the name of the bucket, its directory is opened instead of the bucket.
   *
   * @throws ContextError `not-found` for an unknown collection; `denied` for a bucket that may not be opened.
   */
  async find(name: RegistryName): Promise<Registry> {
    const collections = await this.#roots.collections()
    if ('bucket' in name) return this.#findBucket(name.bucket, collections)
    const collection = collections.find((one) => one.name === name.collection)
    if (!collection) throw unknownRegistry(name.collection, collections)
    return this.#openCollection(collection)
  }

  /**
   * The registry of an object, and its key there. For a bucket: the innermost collection that contains the object, else the
   * bucket.
   *
   * @throws ContextError as `find`.
   */
  async locate(address: ObjectAddress): Promise<LocatedPath> {
    if ('collection' in address) return { registry: await this.find(address), path: address.path }
    const uri = `s3://${address.bucket}/${address.path}`
    const collections = await this.#roots.collections()
    const containingCollections = collections.filter(({ root }) => uri === root || uri.startsWith(`${root}/`))
    const [innermost] = containingCollections.sort((a, b) => b.root.length - a.root.length)
    if (!innermost) return { registry: await this.#openBucket(address.bucket), path: address.path }
    return { registry: await this.#openCollection(innermost), path: uri.slice(innermost.root.length + 1) }
  }

  async names(): Promise<RegistryName[]> {
    return (await this.#roots.collections()).map(({ name }) => ({ collection: name }))
  }

  async #openCollection({ name, root, access }: CollectionRoot): Promise<Registry> {
    const bucket = isBucketRoot(root) ? bucketRoot(root).bucket : name
    return { name: { collection: name }, bucket, objects: await this.#roots.open(root, access) }
  }

  async #findBucket(bucket: string, collections: readonly CollectionRoot[]): Promise<Registry> {
    const { uri } = bucketRoot(`s3://${bucket}`)
    const sameRoot = collections.find(({ root }) => root === uri)
    if (sameRoot) return { name: { bucket }, bucket, objects: await this.#roots.open(uri, sameRoot.access) }
    const directoryCollection = collections.find(({ name, root }) => name === bucket && !isBucketRoot(root))
    return directoryCollection ? this.#openCollection(directoryCollection) : this.#openBucket(bucket)
  }

  async #openBucket(bucket: string): Promise<Registry> {
    if (this.#scope === 'collections') throw bucketDenied(bucket)
    return { name: { bucket }, bucket, objects: await this.#roots.open(bucketRoot(`s3://${bucket}`).uri) }
  }

  /**
   * Where the objects of a registry's packages may be: in the registry, or in other collections, which a user has
   * added.
   */
  async reach({ objects: registry }: Registry): Promise<RegistryReach> {
    const collections = await this.#roots.collections()
    const openedByName = new Map<string, Promise<Objects>>()
    const findOutside = (physical: PhysicalKey) => {
      const collection = collectionWith(physical, collections)
      if (collection === undefined) return undefined
      const objects = openedByName.get(collection.name) ?? this.#roots.open(collection.root, collection.access)
      openedByName.set(collection.name, objects)
      return objects
    }
    return { registry, findOutside }
  }
}

/** The error for an unknown collection. The name may be that of a bucket whose collection has another name. */
function unknownRegistry(name: string, collections: readonly CollectionRoot[]): ContextError {
  const error = unknownCollection(name, collections)
  const bucketCollection = collections.find(({ root }) => root === `s3://${name}`)
  const hint = `The collection of ${bucketCollection?.root} is called ${bucketCollection?.name}.`
  return bucketCollection ? new ContextError(error.code, error.message, { hint }) : error
}

/** The innermost collection that contains an object. */
function collectionWith(physical: PhysicalKey, collections: readonly CollectionRoot[]): CollectionRoot | undefined {
  const candidates = collections.filter(
    ({ root }) => keyBelow(physical, isBucketRoot(root) ? root : pathToFileURL(root).href) !== undefined,
  )
  return candidates.sort((a, b) => b.root.length - a.root.length)[0]
}

function bucketDenied(bucket: string): ContextError {
  const hint = `Only collections are read here: the administrator can add one for ${registryText({ bucket })}.`
  return new ContextError('denied', `The bucket ${bucket} is not a collection.`, { hint })
}
