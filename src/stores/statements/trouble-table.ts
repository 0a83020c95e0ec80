/** Finds messages and hints for errors of databases, by error code. */

export interface ErrorDescription {
  /** `{}` stands for the name of the database. */
  readonly message: string
  readonly hint: string
  /** Whether a retry may succeed. */
  readonly isTransient: boolean
}

/**
 * Parses lines such as `CODE CODE | message | hint`. Returns a function that finds the description of an error code:
 * each CODE is a prefix, and the longest matching prefix applies. ` | transient` at the end means that a retry may
 * succeed.
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
