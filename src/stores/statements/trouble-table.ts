/** Errors of databases, by code. */

export interface Trouble {
  /** `{}` stands for the name of the database. */
  readonly message: string
  readonly hint: string
  /** Whether it may be over in a moment. */
  readonly isPassing: boolean
}

/**
 * Makes a function that finds an error by its code, from lines such as `CODE CODE | message | hint`. ` | passing` at the end marks an error that may
 * be over in a moment. Each code is a prefix; the longest matching prefix applies.
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
