/** Which PostgreSQL database is used instead of a file: `AMBIT_DATABASE_URL`, or `databaseUrl` in the file. */

import { ContextError } from '../core/errors.ts'
import type { Told } from './language.ts'

export interface DatabaseConfig {
  /** There may be a password in it: it is never shown. */
  readonly url: string
  /** The file that holds it with its password, where others may read it: it is not used. Absolute. */
  readonly openFile?: string
}

/** Undefined where none is set. The environment wins. @throws ContextError `invalid-input` for what is no text. */
export function databaseIn({ environment, values, file = '', isOpen }: Told): DatabaseConfig | undefined {
  if (environment.AMBIT_DATABASE_URL) return { url: environment.AMBIT_DATABASE_URL }
  const { databaseUrl: url } = values
  if (url === undefined || url === '') return undefined
  if (typeof url !== 'string') {
    const hint = 'Write it as a text: databaseUrl: postgres://user@host:5432/name'
    throw new ContextError('invalid-input', `"databaseUrl" in the configuration file ${file} is no text.`, { hint })
  }
  return { url, ...(isOpen && holdsPassword(url) && { openFile: file }) }
}

function holdsPassword(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return true
  return new URL(url).password !== '' || /[?&]password=/.test(url)
}
