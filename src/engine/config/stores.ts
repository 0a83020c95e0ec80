/** Storage settings: the database, the bytes of uploads, and buckets of S3. */

import { join } from 'node:path'
import { invalidInput } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { BucketSettings } from '../../files/bucket-root.ts'
import type { BucketsSettings } from '../../files/object-stores.ts'
import type { UploadPlace } from '../../stores/uploads.ts'
import {
  type ConfigSection,
  type ConfigSources,
  invalidConfig,
  isRecord,
  readSection,
  readSetting,
  readSwitchVariable,
  readTextSetting,
  resolveHome,
} from './sources.ts'

export interface DatabaseConfig {
  /** The URL may contain a password, so it is never shown. */
  readonly url: string
  /**
   * Absolute path of the configuration file, if its URL is refused: the URL contains a password, and others may read the file.
   */
  readonly openFile?: string
}

/**
 * The PostgreSQL database that is used instead of a file: `AMBIT_DATABASE_URL`, or `databaseUrl` in the file. Undefined if none
 * is set. An environment variable overrides the file.
 * @throws ContextError `invalid-input` unless the value in the file is a text.
 */
export function readDatabase(sources: ConfigSources): DatabaseConfig | undefined {
  const { environment, file = '', isExposed } = sources
  if (environment.AMBIT_DATABASE_URL) return { url: environment.AMBIT_DATABASE_URL }
  const url = readTextSetting(sources, 'databaseUrl')
  return url ? { url, ...(isExposed && holdsPassword(url) && { openFile: file }) } : undefined
}

/**
 * `AMBIT_HEARTBEAT`, or `heartbeat` in the file: seconds without a heartbeat after which a worker loses its jobs. Returns
 * milliseconds.
 *
 * @throws ContextError `invalid-input` unless it is a number from 1 to 600.
 */
export function readHeartbeat({ environment, values }: ConfigSources): number | undefined {
  const value = environment.AMBIT_HEARTBEAT || values.heartbeat
  if (value === undefined) return undefined
  const seconds = Number(value)
  if (seconds >= 1 && seconds <= 600) return Math.round(seconds * 1000)
  throw invalidInput(`AMBIT_HEARTBEAT is ${JSON.stringify(value)}.`, 'Give 1 to 600 seconds; the default is 15.')
}

function holdsPassword(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return true
  return new URL(url).password !== '' || /[?&]password=/.test(url)
}

/** Matches addresses with a scheme other than `s3:`. Without this check, they would be read as paths. */
const OTHER_SCHEME = /^(?!s3:)([a-z][a-z0-9+.-]*):\/\//i

/**
 * `AMBIT_OBJECTS`, or `objects` in the file: the absolute path of a directory, or `s3://bucket/prefix`.
 *
 * @throws ContextError `invalid-input`.
 */
export function readObjectsPlace(sources: ConfigSources): string | undefined {
  const value = readSetting(sources, 'AMBIT_OBJECTS', 'objects')
  if (!value) return undefined
  const [, scheme] = OTHER_SCHEME.exec(value) ?? []
  if (scheme !== undefined) {
    // The hint does not show the address, which may contain a password.
    const hint = 'Give a directory, or s3://BUCKET/PREFIX; AWS_ENDPOINT_URL_S3 names a service other than Amazon.'
    throw invalidInput(`Files cannot be kept at an address of ${scheme}.`, hint)
  }
  return /^s3:/i.test(value) ? value : resolveHome(value)
}

interface Stores {
  readonly objects?: string
  readonly data?: string
  readonly db?: string
  readonly database?: object
}

/**
 * The place of uploads. Default: a directory beside the database file, so that people copy and move both together; with
 * PostgreSQL, a directory in the user's data directory. Undefined for a database in memory, which holds the uploads itself, and
 * if no directory is known.
 */
export function uploadPlaceOf({ objects, db, database, data }: Stores): Omit<UploadPlace, 'open'> | undefined {
  if (objects !== undefined) return db === ':memory:' && !database ? undefined : { root: objects, isLocalOnly: false }
  if (!database)
    return db === undefined || db === ':memory:' ? undefined : { root: `${db}.objects`, isLocalOnly: false }
  return data === undefined ? undefined : { root: join(data, 'ambit', 'objects'), isLocalOnly: true }
}

/** Settings of buckets in the file; keys and secrets stay in the files of AWS. */
const BUCKET_SECTION: ConfigSection = {
  name: 's3',
  fields: {
    endpoint: 'string',
    region: 'string',
    profile: 'string',
    pathStyle: 'boolean',
    anonymous: 'boolean',
    requesterPays: 'boolean',
  },
}

/** Settings of single buckets by name. They override variables for all buckets. */
function readSingleBuckets(value: unknown, file: string): Pick<BucketsSettings, 'buckets'> {
  if (value === undefined) return {}
  if (!isRecord(value)) throw invalidConfig(file, '"buckets" of "s3" has no names of buckets.')
  const entries = Object.entries(value).map(
    ([name, one]) => [name, readSection<BucketSettings>(BUCKET_SECTION, one ?? {}, file)] as const,
  )
  return { buckets: Object.fromEntries(entries) }
}

/** Settings of buckets, from AWS's variables, from Ambit's variables for other settings, and from the file. A variable overrides the file. */
export function readBuckets({ environment, values, file = '' }: ConfigSources): BucketsSettings | undefined {
  const isIgnored = environment.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true'
  const endpoint = isIgnored ? undefined : environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL
  const { buckets, ...commonSettings } = Object(values.s3)
  const settings = {
    ...readSection<BucketSettings>(BUCKET_SECTION, isRecord(values.s3) ? commonSettings : values.s3, file),
    ...readSingleBuckets(buckets, file),
    ...omitUndefined({
      endpoint: endpoint || undefined,
      region: environment.AWS_REGION || undefined,
      pathStyle: readSwitchVariable(environment, 'AMBIT_S3_PATH_STYLE'),
      anonymous: readSwitchVariable(environment, 'AMBIT_S3_ANONYMOUS'),
    }),
  }
  return Object.keys(settings).length > 0 ? settings : undefined
}
