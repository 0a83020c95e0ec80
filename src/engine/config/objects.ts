/** Where the bytes of uploads are kept: `AMBIT_OBJECTS`, or `objects` in the file; else beside the database. */

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { invalidInput } from '../../core/errors.ts'
import type { ConfigSources } from './language.ts'

export interface ObjectsConfig {
  /** A directory, absolute, or `s3://bucket/prefix`; undefined where it is not set: see `objectsOf`. */
  readonly objects?: string
  /** Where the user's own data are. Absolute; undefined where there is no place for them. */
  readonly data?: string
}

/** An address that is not a bucket: as a path it would be a directory that is called like it. */
const ELSEWHERE = /^(?!s3:)([a-z][a-z0-9+.-]*):\/\//i

/** @throws ContextError `invalid-input`. */
export function readObjectsConfig(
  { environment, values, file = '' }: ConfigSources,
  data: string | undefined,
): ObjectsConfig {
  const own = data === undefined ? {} : { data }
  const value = environment.AMBIT_OBJECTS || values.objects
  if (value === undefined || value === '') return own
  if (typeof value !== 'string') {
    const hint = 'Write it as a text: objects: s3://bucket/prefix'
    throw invalidInput(`"objects" in the configuration file ${file} is not text.`, hint)
  }
  const [, scheme] = ELSEWHERE.exec(value) ?? []
  if (scheme !== undefined) {
    // Not the address itself, in which there may be a password.
    const hint = 'It is a directory, or s3://BUCKET/PREFIX; of another service of that kind, with AWS_ENDPOINT_URL_S3.'
    throw invalidInput(`Files cannot be kept at an address of ${scheme}.`, hint)
  }
  // `~` is written in files, where no shell replaces it.
  return { ...own, objects: /^s3:/i.test(value) ? value : resolve(value.replace(/^~(?=\/|$)/, homedir())) }
}

export interface ObjectsPlace {
  readonly root: string
  /** Other machines that use the database may not see this directory. */
  readonly isHereAlone: boolean
}

interface Stores extends ObjectsConfig {
  readonly db?: string
  readonly database?: object
}

/**
 * Of a database in a file, a directory beside it: the two are copied and moved together. Of PostgreSQL, one of the user.
 * Undefined for a database in memory, which keeps them itself, and where there is no place.
 */
export function objectsOf({ objects, db, database, data }: Stores): ObjectsPlace | undefined {
  if (objects !== undefined) return db === ':memory:' && !database ? undefined : { root: objects, isHereAlone: false }
  if (!database)
    return db === undefined || db === ':memory:' ? undefined : { root: `${db}.objects`, isHereAlone: false }
  return data === undefined ? undefined : { root: join(data, 'ambit', 'objects'), isHereAlone: true }
}
