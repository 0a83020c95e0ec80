/** The part of the port that knows where the bytes of files are: in the database, or in an object beside it. */

import { ContextError } from '../core/errors.ts'

/** Bytes that are in an object, by its key. Nobody gives a key twice, so an object that is taken away is nobody else's. */
export interface InObject {
  readonly key: string
}

export interface ByteStore {
  /** 128 random bits, hex: tells what this database keeps beside itself from what others keep in the same place. */
  id(): Promise<string>
  /** Undefined where no session has them. */
  find(sha256: string): Promise<Uint8Array | InObject | undefined>
  /**
   * Says that bytes are in an object now. Those in the database are let go of.
   *
   * @param from where they were: where they are somewhere else, or nowhere, nothing changes, and false is returned.
   */
  move(sha256: string, to: InObject, from: InObject | 'database'): Promise<boolean>
  /** Hashes of bytes that are in the database itself, in order, from after `after`. */
  inDatabase(after: string, limit: number): Promise<string[]>
  /** Bytes that are in objects, by their hashes in order, from after `after`; each with a name that a file of them has. */
  inObjects(after: string, limit: number): Promise<readonly KeptObject[]>
  /** Those of the keys that bytes are in. */
  used(keys: readonly string[]): Promise<Set<string>>
  /** Keys of objects that nobody has any more, and that may still be there. */
  left(limit: number): Promise<string[]>
  /** Says that such objects are gone. */
  forget(keys: readonly string[]): Promise<void>
}

export interface KeptObject extends InObject {
  readonly sha256: string
  readonly name: string
}

/** Instead of bytes that are in an object. */
export const NO_BYTES = new Uint8Array()

/** What a store says that is asked for bytes which it does not hold itself. */
export function bytesInObject({ key }: InObject): ContextError {
  const hint = 'Open the database with the place of uploads that it was used with (AMBIT_OBJECTS).'
  return new ContextError('unavailable', `The bytes are in the object ${key}, beside the database.`, { hint })
}

/** Of a database whose own id somebody took away. */
export function lacksIdentity(name: string): ContextError {
  return new ContextError('unavailable', `The database ${name} is damaged: it has no id.`, {
    hint: 'Restore a backup.',
  })
}

export function noBytes(sha256: string): ContextError {
  return new ContextError('not-found', `There are no bytes of ${sha256}.`, { hint: 'Add the file again.' })
}
