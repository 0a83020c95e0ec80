import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'
import { listFirst } from '../../text/counts.ts'
import { HASH_DIGITS, isTopHash, PackageNotFound, type PackageSpec, pointerTime, printSpec } from '../names.ts'
import { type Manifest, manifestAt } from './manifest.ts'
import { LATEST, MANIFESTS, pointerNames, pointersOf, readPointer } from './registry.ts'
import type { Stoppable } from './requests.ts'

/** One revision of a package, and its manifest. */
export interface ResolvedRevision {
  readonly name: string
  /** The top hash that the request or the pointer names. `summarizeManifest` computes the hash of the manifest itself. */
  readonly hash: string
  /** The pointer to the revision; absent when the revision was requested by hash. */
  readonly pointer?: string
  /** When the pointer was written; absent when the revision was requested by hash. ISO 8601, UTC. */
  readonly modified?: string
  readonly manifest: Manifest
}

const LOG_HINT = '"ambit package log" shows its revisions.'

/** Maximum pointers in the message about a wrong tag. */
const MAX_SHOWN_POINTERS = 10

/**
 * The requested revision. Takes one request for a pointer, no request for a whole hash, and a listing for a hash
 * prefix.
 *
 * @throws ContextError `not-found` with alternatives; `invalid-input` for an ambiguous hash.
 */
export async function resolvePackage(
  registry: Objects,
  { name, revision = { tag: LATEST } }: PackageSpec,
  { signal }: Stoppable = {},
): Promise<ResolvedRevision> {
  const lookup: PackageLookup = { registry, name, signal }
  return 'hash' in revision ? resolveHash(lookup, revision.hash) : resolveTag(lookup, revision.tag)
}

/** A package to look for in a registry. */
export interface PackageLookup extends Stoppable {
  readonly registry: Objects
  readonly name: string
}

async function resolveTag(lookup: PackageLookup, tag: string): Promise<ResolvedRevision> {
  const { registry, name, signal } = lookup
  const pointer = await readPointer(registry, `${pointersOf(name)}${tag}`, signal)
  if (pointer === undefined) throw await pointerNotFound(lookup, tag)
  const { hash, modifiedAt } = pointer
  const manifest = pointedManifest(registry, `${pointersOf(name)}${tag}`, hash)
  return { name, hash, pointer: tag, modified: pointerTime(tag) ?? modifiedAt, manifest }
}

/** The manifest that a pointer names. Reading it shows whether it exists. */
export function pointedManifest(registry: Objects, pointer: string, hash: string): Manifest {
  const message = `The pointer ${registry.uri}/${pointer} names the manifest ${hash}, which does not exist.`
  const hint = 'The registry is incomplete: it was copied in part, or the manifest was deleted.'
  return manifestOf(registry, hash, (cause) => new ContextError('not-found', message, { hint, cause }))
}

/** A whole hash takes no request in this function, because reading the manifest shows whether it exists. */
async function resolveHash(lookup: PackageLookup, prefix: string): Promise<ResolvedRevision> {
  const { registry, name } = lookup
  const hash = prefix.length === HASH_DIGITS ? prefix : await findHash(lookup, prefix)
  return { name, hash, manifest: manifestOf(registry, hash, (cause) => hashNotFound(lookup, hash, cause)) }
}

function hashNotFound({ registry, name }: PackageLookup, hash: string, cause?: unknown): ContextError {
  const spec = printSpec({ name, revision: { hash } })
  return new ContextError('not-found', `There is no ${spec} in ${registry.uri}.`, { hint: LOG_HINT, cause })
}

/** The hash that begins with a prefix. @throws ContextError for no such hash, or more than one. */
async function findHash(lookup: PackageLookup, prefix: string): Promise<string> {
  const { registry, signal } = lookup
  const page = await registry.list({ prefix: `${MANIFESTS}${prefix}`, signal })
  const hashes = page.objects.map(({ key }) => key.slice(MANIFESTS.length)).filter(isTopHash)
  const [hash] = hashes
  if (hash === undefined) throw hashNotFound(lookup, prefix)
  if (hashes.length === 1) return hash
  throw invalidInput(`${hashes.length} hashes begin with ${prefix}: ${listFirst(hashes)}.`, 'Give more digits.')
}

async function pointerNotFound({ registry, name, signal }: PackageLookup, tag: string): Promise<ContextError> {
  const names = await pointerNames(registry, { name, limit: MAX_SHOWN_POINTERS, signal })
  if (names.length === 0) return new PackageNotFound(name, registry)
  return new ContextError('not-found', `The package ${name} has no pointer ${tag} in ${registry.uri}.`, {
    hint: `There are ${names.join(', ')}. ${LOG_HINT}`,
  })
}

/** The manifest of a hash. `notFound`: makes the error for a manifest that does not exist. */
function manifestOf(registry: Objects, hash: string, notFound: (cause: unknown) => ContextError): Manifest {
  const manifest = manifestAt(registry, `${MANIFESTS}${hash}`)
  return {
    ...manifest,
    async *open(signal) {
      try {
        yield* manifest.open(signal)
      } catch (error) {
        throw error instanceof ContextError && error.code === 'not-found' ? notFound(error) : error
      }
    },
  }
}
