import { ContextError, NoSpace, StoreTrouble } from '../../core/errors.ts'
import { oneLine } from '../../text/controls.ts'
import { codeOf, type ErrorDescription, parseErrorTable } from '../statements/trouble-table.ts'

const MISSING_HINT = 'Run "ambit doctor --repair": it creates missing tables and columns, and keeps the rest.'

/**
 * Finds the description of an error by its code, from PostgreSQL, zlib or the system. A word in brackets is the code of
 * an error for which the client has no code.
 */
const describeCode = parseErrorTable(`
08 57P01 57P02 57P05 25P03 ECONNRESET EPIPE | The connection to {} was lost. | Check that the server runs, then try again: unfinished changes were not made. | transient
57P03 | {} takes no connections now. | Try again in a moment. | transient
28 | {} does not let this user in. | Check user and password in AMBIT_DATABASE_URL.
3D000 | There is no database {}. | Create it: createdb NAME.
53300 | {} has no connection left. | Allow more (max_connections), or make the pools smaller: ?pool=5 in AMBIT_DATABASE_URL. | transient
53 | {} has no disk or memory left. | Free some space and run it again; nothing is lost.
57014 | {} took too long, and was stopped. | Check what else runs on the server, or request less at a time.
55P03 40 | {} is in use by another process. | Try again in a moment. | transient
25006 | {} is read-only: it is a copy, or is set to read-only. | Set AMBIT_DATABASE_URL to a server that accepts writes.
42501 | The user may not do that in {}. | Let the user own the schema "ambit", or the database.
42 3F | The tables in {} are not those of this version. | Run "ambit migrate". If that does not help, restore a backup.
XX Z_ | The data in {} are damaged. | Restore a backup, or import the file of an "ambit export".
ECONNREFUSED ENOTFOUND EAI_ EHOSTUNREACH ENETUNREACH ENOENT EACCES ETIMEDOUT | {} cannot be reached. | Check that the server runs, and that AMBIT_DATABASE_URL names it. | transient
ERR_SOCKET_BAD_PORT | {} has a port that is not a number from 0 to 65535. | Check the port in AMBIT_DATABASE_URL, and PGPORT.
(pool) | No connection to {} became free. | Check that the server answers, or allow a larger pool: ?pool=20 in AMBIT_DATABASE_URL. | transient
(silent) | {} does not answer. | Check that the server runs, then try again. | transient
(tls) | A secure connection to {} cannot be made. | Check sslmode in AMBIT_DATABASE_URL.
(other) | {} failed. | Its own message is in the cause.`)

const DISK_FULL = '53100'

/** The code in the table of `describeCode` for an error without a code, by the message of the client. */
const MESSAGE_CODES: readonly (readonly [RegExp, code: string])[] = [
  [/timeout exceeded when trying to connect|timeout expired/i, '(pool)'],
  [/read timeout/i, '(silent)'],
  [/terminated|connection ended|not queryable|connection error/i, '08'],
  [/SASL|SCRAM|password/i, '28'],
  [/SSL|certificate|TLS/i, '(tls)'],
]

/** Runs `work` on a database, and converts its errors to ContextErrors with hints. */
export function guardPostgres<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  return work().catch((error: unknown) => {
    throw toContextError(name, error)
  })
}

/** As `guardPostgres`, for synchronous work. */
export function guardPostgresSync<Value>(name: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw toContextError(name, error)
  }
}

/** Thrown when the connection was lost during COMMIT: the server may, or may not, have stored the change. */
export class UnknownCommit extends Error {
  constructor(cause: unknown) {
    super('The answer to COMMIT did not come.', { cause })
    this.name = 'Unsure'
  }
}

export function toContextError(name: string, cause: unknown): unknown {
  if (cause instanceof UnknownCommit) {
    const hint = 'Check whether the change was made, and repeat it if not.'
    const message = `The connection to ${name} was lost during a write.`
    return new StoreTrouble('unavailable', message, { hint, cause: cause.cause })
  }
  if (cause instanceof ContextError || !(cause instanceof Error)) return cause
  const description = describeError(cause)
  if (!description) return cause
  const missingName = missingPart(cause)
  const message = (missingName ?? description.message).replace('{}', () => name)
  const options = { hint: missingName === undefined ? description.hint : MISSING_HINT, cause }
  if (codeOf(cause) === DISK_FULL) return new NoSpace(message, options)
  return new (description.isTransient ? StoreTrouble : ContextError)('unavailable', message, options)
}

/** Error codes of a server that refuses the settings of a new connection: unknown settings, and invalid values. */
const SETTING_CODES = /^(22023|42601|42704)$/

/** As `toContextError`, for a connection that cannot be opened. */
export function toConnectError(name: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  if (('syscall' in cause && cause.syscall === 'open') || codeOf(cause) === 'EISDIR') {
    const message = `A certificate or key that AMBIT_DATABASE_URL names cannot be read: ${oneLine(cause.message)}.`
    return new ContextError('invalid-input', message, { hint: 'Check sslrootcert, sslcert and sslkey there.', cause })
  }
  // A pooler uses one code for all refusals, so the message decides.
  if (!(SETTING_CODES.test(codeOf(cause) ?? '') || isUnsupportedSetting(cause))) return toContextError(name, cause)
  const message = `${name} refuses a setting of AMBIT_DATABASE_URL: ${oneLine(cause.message)}.`
  const hint = 'Remove it from the part after the "?" there, or name a server that supports it.'
  return new ContextError('invalid-input', message, { hint, cause })
}

/** Whether a pooler refuses a setting of a new connection. */
export function isUnsupportedSetting(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/i.test(error.message)
}

/**
 * A sentence about the table or column that a statement did not find; undefined for other errors. Reads names in quotes or with a
 * dot, because the server's message may be in any language.
 */
function missingPart(cause: Error): string | undefined {
  const [, relation, column] = /"(?:ambit\.)?(\w+)"|\b(\w+\.\w+)\b/.exec(cause.message) ?? []
  if (codeOf(cause) === '42P01' && relation !== undefined) return `The table ${relation} is missing from {}.`
  const name = relation ?? column?.split('.')[1]
  if (codeOf(cause) === '42703' && name !== undefined) return `The column ${name} is missing from a table of {}.`
  return undefined
}

function describeError(cause: Error): ErrorDescription | undefined {
  const code = codeOf(cause)
  const isOfClient = /[\\/]pg(-\w+)?[\\/]/.test(cause.stack ?? '')
  const codeOfMessage = () =>
    MESSAGE_CODES.find(([pattern]) => pattern.test(cause.message))?.[1] ?? (isOfClient ? '08' : undefined)
  const descriptionByCode = describeCode(code)
  if (descriptionByCode) return descriptionByCode
  return describeCode(cause instanceof SyntaxError ? 'XX' : isSqlState(code) ? '(other)' : codeOfMessage())
}

/** Whether an error makes the connection unusable: true for every error except the server's refusal of a statement. */
export function isConnectionGone(error: unknown): boolean {
  if (error instanceof ContextError) return error.cause !== undefined && isConnectionGone(error.cause)
  const code = codeOf(error)
  return !isSqlState(code) || /^(08|57P0|25P03)/.test(code)
}

/** Whether two transactions conflicted and the server rolled one back: a deadlock or a serialization failure. */
export function isWriteConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(error) ?? '')
}

function isSqlState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
}
