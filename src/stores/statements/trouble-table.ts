/** Errors of databases, by code. */

export interface Trouble {
  /** `{}` stands for the database. */
  readonly message: string
  readonly hint: string
  /** Whether it may be over in a moment. */
  readonly isPassing: boolean
}

/**
 * Makes the look-up of errors by code, from lines of `CODE CODE | message | hint`, with ` | passing` for an error that may be over in a moment. Each
 * code is a prefix; the longest matching one applies.
 */
export function troubleTable(lines: string): (code: string | undefined) => Trouble | undefined {
  const troubles = new Map<string, Trouble>()
  for (const line of lines.trim().split('\n')) {
    const [codes = '', message = '', hint = '', passing] = line.split(' | ')
    for (const code of codes.split(' ')) troubles.set(code, { message, hint, isPassing: passing !== undefined })
  }
  const longestFirst = [...troubles.keys()].toSorted((one, other) => other.length - one.length)
  return (code) => troubles.get(longestFirst.find((prefix) => code?.startsWith(prefix)) ?? '')
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
