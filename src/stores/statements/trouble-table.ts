/** Finds messages and hints for errors of databases, by error code. */

export interface ErrorDescription {
  /** `{}` stands for the name of the database. */
  readonly message: string
  readonly hint: string
  /** Whether a retry may succeed. */
  readonly isTransient: boolean
}

/**
 * Parses lines such as `CODE CODE | message | hint` to a function that finds an entry by an error code. ` | transient` at the end
 * marks an error after which a retry may succeed. Each CODE is a prefix; the longest matching prefix applies.
 */
export function parseErrorTable(lines: string): (code: string | undefined) => ErrorDescription | undefined {
  const descriptions = new Map<string, ErrorDescription>()
  for (const line of lines.trim().split('\n')) {
    const [codes = '', message = '', hint = '', transient] = line.split(' | ')
    for (const code of codes.split(' ')) descriptions.set(code, { message, hint, isTransient: transient !== undefined })
  }
  const longestFirst = [...descriptions.keys()].toSorted((one, other) => other.length - one.length)
  return (code) => descriptions.get(longestFirst.find((prefix) => code?.startsWith(prefix)) ?? '')
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
