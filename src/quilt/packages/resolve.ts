import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'
import { HASH_DIGITS, NoPackage, type PackageSpec, pointerTime, printSpec } from '../names.ts'
import { type Manifest, manifestAt } from './manifest.ts'
import { LATEST, LAYOUTS, type Layout, pointerNames, readPointer, restOf } from './registry.ts'

/** One revision of a package, found. */
export interface Resolved {
  readonly name: string
  /** The top hash that it is asked for by. What its manifest really has is `summarizeManifest` to tell. */
  readonly hash: string
  /** The pointer it was found by; absent when it was asked for by hash. */
  readonly pointer?: string
  /** When the pointer was written; absent when it was asked for by hash. ISO 8601, UTC. */
  readonly modified?: string
  readonly manifest: Manifest
}

const REVISIONS = '"ambit package log" shows its revisions.'

/** Candidates that are named when a hash is ambiguous or a tag is wrong. */
const NAMED = 10

/**
 * The revision that is asked for: one request for a pointer, none for a whole hash, a listing for the beginning of one.
 *
 * @throws ContextError `not-found` with what there is instead; `invalid-input` when a hash is ambiguous.
 */
export async function resolvePackage(
  registry: Objects,
  { name, revision = { tag: LATEST } }: PackageSpec,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Resolved> {
  const asked: ResolveQuestion = { registry, name, signal }
  return 'hash' in revision ? byHash(asked, revision.hash) : byTag(asked, revision.tag)
}

interface ResolveQuestion {
  readonly registry: Objects
  readonly name: string
  readonly signal?: AbortSignal | undefined
}

async function byTag(asked: ResolveQuestion, tag: string): Promise<Resolved> {
  const { registry, name, signal } = asked
  for (const layout of LAYOUTS) {
    const pointer = await readPointer(registry, `${layout.pointersOf(name)}${tag}`, signal)
    if (pointer === undefined) continue
    const { hash, modifiedAt } = pointer
    const manifest = manifestOf(asked, { layout, hash, pointer: tag })
    return { name, hash, pointer: tag, modified: pointerTime(tag) ?? modifiedAt, manifest }
  }
  throw await noPointer(asked, tag)
}

async function byHash(asked: ResolveQuestion, prefix: string): Promise<Resolved> {
  const { name } = asked
  if (prefix.length === HASH_DIGITS) return { name, hash: prefix, manifest: anyManifest(asked, prefix) }
  const known = await matchOf(asked, prefix)
  if (known === undefined) throw noHash(asked, prefix)
  return { name, hash: known.hash, manifest: manifestOf(asked, known) }
}

function noHash({ registry, name }: ResolveQuestion, hash: string, cause?: unknown): ContextError {
  const spec = printSpec({ name, revision: { hash } })
  return new ContextError('not-found', `There is no ${spec} in ${registry.uri}.`, { hint: REVISIONS, cause })
}

interface Known {
  readonly layout: Layout
  readonly hash: string
}

/** The one hash that begins so. */
async function matchOf(asked: ResolveQuestion, prefix: string): Promise<Known | undefined> {
  const found = new Map<string, Layout>()
  for (const layout of LAYOUTS)
    for (const hash of await hashesOf(asked, layout, prefix)) if (!found.has(hash)) found.set(hash, layout)
  const [first, ...others] = found
  if (others.length > 0) throw ambiguous(prefix, [...found.keys()])
  return first && { hash: first[0], layout: first[1] }
}

async function hashesOf(
  { registry, name, signal }: ResolveQuestion,
  layout: Layout,
  prefix: string,
): Promise<string[]> {
  const folder = layout.manifestsOf(name)
  const page = await registry.list({ prefix: `${folder}${prefix}`, signal })
  return page.objects.flatMap((info) => layout.hashOf(restOf(info, folder)) ?? [])
}

function ambiguous(prefix: string, hashes: readonly string[]): ContextError {
  const named = hashes.slice(0, NAMED).join(', ')
  const more = hashes.length > NAMED ? ` and ${hashes.length - NAMED} more` : ''
  return invalidInput(`${hashes.length} hashes begin with ${prefix}: ${named}${more}.`, 'Give more digits.')
}

async function noPointer({ registry, name, signal }: ResolveQuestion, tag: string): Promise<ContextError> {
  const found = new Set<string>()
  for (const layout of LAYOUTS) {
    const options = { layout, name, most: NAMED, signal }
    for (const pointer of await pointerNames(registry, options)) found.add(pointer)
  }
  if (found.size === 0) return new NoPackage(name, registry)
  return new ContextError('not-found', `The package ${name} has no pointer ${tag} in ${registry.uri}.`, {
    hint: `There are ${[...found].slice(0, NAMED).join(', ')}. ${REVISIONS}`,
  })
}

/** The manifest, which says what named it when it turns out not to be there. */
function manifestOf(
  { registry, name }: ResolveQuestion,
  { layout, hash, pointer }: Known & { readonly pointer?: string },
): Manifest {
  const manifest = manifestAt(registry, layout.manifestKey(name, hash))
  if (pointer === undefined) return manifest
  const message = `The pointer ${registry.uri}/${layout.pointersOf(name)}${pointer} names the manifest ${hash}, which does not exist.`
  const hint = 'The registry is incomplete: it was copied in part, or the manifest was deleted.'
  const missing = (cause: unknown) => new ContextError('not-found', message, { hint, cause })
  return { ...manifest, open: (signal) => firstOf([manifest], missing, signal) }
}

/** The manifest of a hash in whichever layout it is: known once it is read, so that it takes no request of its own. */
function anyManifest(asked: ResolveQuestion, hash: string): Manifest {
  const manifests = LAYOUTS.map((layout) => manifestOf(asked, { layout, hash }))
  const name = `${printSpec({ name: asked.name, revision: { hash } })} in ${asked.registry.uri}`
  return { name, open: (signal) => firstOf(manifests, (cause) => noHash(asked, hash, cause), signal) }
}

/** The bytes of the first that is there. */
async function* firstOf(
  [manifest, ...others]: readonly Manifest[],
  missing: (cause: unknown) => ContextError,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (manifest === undefined) throw missing(undefined)
  let hasBegun = false
  try {
    for await (const bytes of manifest.open(signal)) {
      hasBegun = true
      yield bytes
    }
    return
  } catch (error) {
    if (hasBegun || !(error instanceof ContextError) || error.code !== 'not-found') throw error
    if (others.length === 0) throw missing(error)
  }
  yield* firstOf(others, missing, signal)
}
