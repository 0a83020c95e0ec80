/** Which PostgreSQL database is used instead of a file: `AMBIT_DATABASE_URL`, or `databaseUrl` in the file. */

import { invalidInput } from '../../core/errors.ts'
import type { ConfigSources } from './language.ts'

export interface DatabaseConfig {
  /** There may be a password in it: it is never shown. */
  readonly url: string
  /** The file that holds it with its password, where others may read it: it is not used. Absolute. */
  readonly openFile?: string
}

/** Undefined where none is set. The environment wins. @throws ContextError `invalid-input` for what is not text. */
export function databaseIn({ environment, values, file = '', isOpen }: ConfigSources): DatabaseConfig | undefined {
  if (environment.AMBIT_DATABASE_URL) return { url: environment.AMBIT_DATABASE_URL }
  const { databaseUrl: url } = values
  if (url === undefined || url === '') return undefined
  if (typeof url !== 'string') {
    const hint = 'Write it as a text: databaseUrl: postgres://user@host:5432/name'
    throw invalidInput(`"databaseUrl" in the configuration file ${file} is not text.`, hint)
  }
  return { url, ...(isOpen && holdsPassword(url) && { openFile: file }) }
}

/**
 * `AMBIT_HEARTBEAT`, or `heartbeat` in the file: seconds after which a worker that shows no sign of life loses its jobs.
 *
 * @throws ContextError `invalid-input` for what is not a number from 1 to 600.
 */
export function heartbeatIn({ environment, values }: ConfigSources): { readonly heartbeatMs?: number } {
  const value = environment.AMBIT_HEARTBEAT || values.heartbeat
  if (value === undefined) return {}
  const seconds = Number(value)
  if (seconds >= 1 && seconds <= 600) return { heartbeatMs: Math.round(seconds * 1000) }
  const hint = 'Give seconds, from 1 to 600; without it they are 15.'
  throw invalidInput(`AMBIT_HEARTBEAT is ${JSON.stringify(value)}.`, hint)
}

function holdsPassword(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return true
  return new URL(url).password !== '' || /[?&]password=/.test(url)
}
