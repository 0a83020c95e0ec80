import { type ContextError, invalidInput } from '../../core/errors.ts'

const DEFAULT_POOL = 10
const MAX_CONNECTIONS = 1000

/**
 * Parses `postgres://user:password@host:5432/name?pool=10`. Returns `url`, with the password, for the client; `name`, without the
 * password, for messages; and `pool`, the maximum number of connections of this process.
 *
 * @throws ContextError `invalid-input`, without the URL, which may contain a password.
 */
export function parseDatabaseUrl(databaseUrl: string) {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl))
    throw invalidDatabaseUrl('is not the URL of a PostgreSQL database')
  const url = new URL(databaseUrl)
  const size = url.searchParams.get('pool')
  const pool = size === null ? DEFAULT_POOL : Number(size)
  if (!Number.isInteger(pool) || pool < 1 || pool > MAX_CONNECTIONS) {
    throw invalidDatabaseUrl(`asks for a pool that is not a number from 1 to ${MAX_CONNECTIONS}`)
  }
  url.searchParams.delete('pool')
  normalizeSslMode(url.searchParams)
  const user = url.username === '' ? '' : `${url.username}@`
  const host = url.searchParams.get('host') ?? url.host
  return { url: url.href, name: `postgres://${user}${host}${url.pathname}`, pool }
}

/** Modes that the client treats as `verify-full`, with a warning. */
const AS_VERIFY_FULL = ['prefer', 'require', 'verify-ca']

/** Replaces these modes by `verify-full`, which the client would use anyway, so that the client prints no warning. */
function normalizeSslMode(settings: URLSearchParams): void {
  const isLibpqCompatible = settings.get('uselibpqcompat') === 'true'
  // If there are several modes, the client uses the last one.
  const mode = settings.getAll('sslmode').at(-1) ?? ''
  if (!isLibpqCompatible && AS_VERIFY_FULL.includes(mode)) settings.set('sslmode', 'verify-full')
}

function invalidDatabaseUrl(problem: string): ContextError {
  const hint = 'Write it as postgres://user:password@host:5432/name.'
  return invalidInput(`AMBIT_DATABASE_URL ${problem}.`, hint)
}
