/** The part of the port for the location of the bytes of files: the database, or an object beside it. */

import { ContextError } from '../core/errors.ts'

/** Bytes in an object, by its key. No key is used twice, so a deleted object was never another file's. */
export interface InObject {
  readonly key: string
}

export interface ByteStore {
  /** 128 random bits, hex: distinguishes the objects of this database from those of others in the same place. */
  id(): Promise<string>
  /** Undefined when no session has these bytes. */
  find(sha256: string): Promise<Uint8Array | InObject | undefined>
  /**
   * Records that bytes are in an object now, and removes them from the database.
   *
   * @param from where the bytes were; when they are elsewhere, nothing changes, and false is returned.
   */
  move(sha256: string, to: InObject, from: InObject | 'database'): Promise<boolean>
  /** Hashes of bytes that are in the database itself, in order, from after `after`. */
  inDatabase(after: string, limit: number): Promise<string[]>
  /** Bytes that are in objects, by their hashes in order, from after `after`; each with a name that a file of them has. */
  inObjects(after: string, limit: number): Promise<readonly KeptObject[]>
  /** The keys that are in use. */
  used(keys: readonly string[]): Promise<Set<string>>
  /** Keys of objects to delete. */
  left(limit: number): Promise<string[]>
  /** Records that such objects are deleted. */
  forget(keys: readonly string[]): Promise<void>
}

export interface KeptObject extends InObject {
  readonly sha256: string
  readonly name: string
}

/** The content of a row whose bytes are in an object. */
export const NO_BYTES = new Uint8Array()

/** The error for bytes that only the place of uploads can give. */
export function bytesInObject({ key }: InObject): ContextError {
  const hint = 'Open the database with the place of uploads that it was used with (AMBIT_OBJECTS).'
  return new ContextError('unavailable', `The bytes are in the object ${key}, beside the database.`, { hint })
}

/** The error for a database without its own id. */
export function lacksIdentity(name: string): ContextError {
  return new ContextError('unavailable', `The database ${name} is damaged: it has no id.`, {
    hint: 'Restore a backup.',
  })
}

export function noBytes(sha256: string): ContextError {
  return new ContextError('not-found', `There are no bytes of ${sha256}.`, { hint: 'Add the file again.' })
}
