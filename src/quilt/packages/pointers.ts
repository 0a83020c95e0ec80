import { ContextError } from '../../core/errors.ts'
import type { ObjectInfo, Objects } from '../../files/objects.ts'
import { pagesOf } from '../../files/pages.ts'
import { invalid, shown } from '../message.ts'
import { isTopHash } from '../names.ts'
import { type Layout, pointerName } from './layouts.ts'

/** The name of the pointer that moves. */
export const LATEST = 'latest'

/** A pointer to a manifest, read. */
export interface Pointer {
  readonly hash: string
  /** When it was written. ISO 8601, UTC. */
  readonly modifiedAt: string
}

/** Bytes of the longest pointer that is read: a hash, and room for white space about it. */
const MAX_POINTER = 1024

/**
 * What a pointer holds; undefined when there is none.
 *
 * @throws ContextError `invalid-input` when it holds something else than a top hash.
 */
export async function readPointer(objects: Objects, key: string, signal?: AbortSignal): Promise<Pointer | undefined> {
  const found = await read(objects, key, signal)
  if (found === undefined || found === 'unchanged') return undefined
  const text = Buffer.from(found.bytes).toString('latin1').trim()
  if (!isTopHash(text) || found.size > MAX_POINTER)
    throw invalid(`The pointer ${objects.uri}/${key} holds ${shown(text)}, which is no top hash.`)
  return { hash: text, modifiedAt: found.modifiedAt }
}

async function read(objects: Objects, key: string, signal: AbortSignal | undefined) {
  try {
    return await objects.read(key, { length: MAX_POINTER, ...(signal === undefined ? {} : { signal }) })
  } catch (error) {
    if (error instanceof ContextError && error.code === 'not-found') return undefined
    throw error
  }
}

/** The pointers of a package by their names, at most `most` of them, in the order of their bytes. */
export async function pointerNames(
  objects: Objects,
  { layout, name, most, signal }: { layout: Layout; name: string; most: number; signal?: AbortSignal },
): Promise<string[]> {
  const prefix = layout.pointersOf(name)
  const names: string[] = []
  const request = { prefix, delimiter: '/', limit: Math.min(most, 1000), ...(signal === undefined ? {} : { signal }) }
  for await (const page of pagesOf(objects, request)) {
    names.push(...page.objects.flatMap((info) => pointerName(restOf(info, prefix)) ?? []))
    if (names.length >= most) break
  }
  return names.slice(0, most)
}

/** What follows the prefix in the key of an object. */
export function restOf({ key }: ObjectInfo, prefix: string): string {
  return key.slice(prefix.length)
}
