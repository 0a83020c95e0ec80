/** Statements as PostgreSQL takes them: see `statements/statement.ts`. */

import { translateWords } from '../statements/statement.ts'

const WORDS = {
  now: () => '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  isoNow: () => `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  anyOf: (kind: string) => `= ANY(?::${kind === 'number' ? 'bigint' : kind}[])`,
  each: (kind: string) => `unnest(?::${kind === 'number' ? 'bigint' : kind}[]) WITH ORDINALITY AS a (value, key)`,
  hex: (bytes: string) => `encode(${bytes}, 'hex')`,
  least: () => 'least',
  position: () => 'strpos',
  forUpdate: (table: string) => (table === '' ? 'FOR UPDATE' : `FOR UPDATE OF ${table}`),
  forShare: () => 'FOR SHARE',
}

const translations = new Map<string, string>()

/** Each text is translated once. One whose values are numbered already keeps its numbers. */
export function translateText(text: string): string {
  const known = translations.get(text)
  if (known !== undefined) return known
  let count = 0
  const translated = translateWords(text, WORDS).replace(/\?/g, () => `$${++count}`)
  translations.set(text, translated)
  return translated
}
