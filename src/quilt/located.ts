import { ContextError } from '../core/errors.ts'
import type { Objects } from '../files/objects.ts'
import { quoteForeign } from './names.ts'
import { keyBelow, type PhysicalKey, parsePhysicalKey } from './packages/physical-key.ts'
import type { ManifestEntry } from './records.ts'

/** An object, and where it can be read. */
export interface Located {
  readonly objects: Objects
  readonly key: string
  readonly version: string | undefined
}

/** Where the objects of a package may be. */
export interface RegistryReach {
  readonly registry: Objects
  /**
   * Tells who reads what is outside the registry, if anyone may: a manifest can name any file and any bucket. Default:
   * none, so that no credentials go to another place and no other file is opened.
   */
  readonly elsewhere?: (place: PhysicalKey) => Objects | undefined | Promise<Objects | undefined>
}

/**
 * Where the bytes of an entry are.
 *
 * @throws ContextError `invalid-input` for an invalid physical key; `untrusted` when it is out of reach.
 */
export async function locate(
  { physicalKey }: Pick<ManifestEntry, 'physicalKey'>,
  reach: RegistryReach,
): Promise<Located> {
  const place = parsePhysicalKey(physicalKey)
  const version = place.kind === 's3' ? place.version : undefined
  const within = keyBelow(place, reach.registry.uri)
  if (within !== undefined) return { objects: reach.registry, key: within, version }
  const objects = await reach.elsewhere?.(place)
  const key = objects && keyBelow(place, objects.uri)
  if (objects === undefined || key === undefined) throw outsideRegistry(physicalKey, reach)
  return { objects, key, version }
}

function outsideRegistry(physicalKey: string, { registry }: RegistryReach): ContextError {
  return new ContextError('untrusted', `${quoteForeign(physicalKey)} is outside the registry ${registry.uri}.`, {
    hint: 'Add its location as a collection to read it.',
  })
}

/** The bytes of an entry as they come. @throws ContextError as `locate`, and as reading does. */
export async function* streamEntry(
  entry: Pick<ManifestEntry, 'physicalKey'>,
  reach: RegistryReach,
  signal?: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { objects, key, version } = await locate(entry, reach)
  yield* objects.stream(key, { version, signal })
}
