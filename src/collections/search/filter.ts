import { invalidInput } from '../../core/errors.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'

/** Where is looked. */
export interface Narrowing {
  /** Names of collections. Default: all that are not paused. */
  readonly collections?: readonly string[] | undefined
  /** Globs of paths; one must match. */
  readonly path?: readonly string[] | undefined
  /** Endings of file names, such as `md`; one must be the file's, and `none` stands for no ending. */
  readonly types?: readonly string[] | undefined
  /** Changed on this day or later: `2026-05-31`, or a time in ISO 8601. */
  readonly after?: string | undefined
  /** `KEY=VALUE` of the front matter; all must hold. */
  readonly where?: readonly string[] | undefined
}

/** @throws ContextError `invalid-input` for what is not a date, or no condition. */
export function toDocumentFilter({ collections, path, types, after, where }: Narrowing): DocumentFilter {
  return {
    ...(collections && collections.length > 0 && { collections }),
    ...(path && path.length > 0 && { paths: path }),
    ...(types && types.length > 0 && { types: types.map(readType) }),
    ...(after !== undefined && { after: parseTime(after) }),
    ...(where && where.length > 0 && { where: pairsOf(where) }),
  }
}

function readType(type: string): string {
  return type === 'none' ? '' : type.toLowerCase().replace(/^[*.]+/, '')
}

function parseTime(text: string): string {
  const time = new Date(text)
  const [, day] = /^(\d{4}-\d{2}(?:-\d{2})?)(?:T|$)/.exec(text) ?? []
  // A day that its month does not have would be taken for one of the next.
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isDay && !Number.isNaN(time.getTime())) return time.toISOString()
  const hint = 'For example: 2026-05-31, or 2026-05-31T12:00:00Z.'
  throw invalidInput(`"${text}" is not a date.`, hint)
}

function pairsOf(where: readonly string[]): Record<string, string> {
  const pairs = where.map((pair) => {
    const at = pair.indexOf('=')
    if (at > 0) return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
    throw invalidInput(`"${pair}" is not a condition.`, 'For example: status=draft.')
  })
  const twice = pairs.find(([key, value]) => pairs.some(([other, said]) => other === key && said !== value))
  if (!twice) return Object.fromEntries(pairs)
  throw invalidInput(`"${twice[0]}" cannot have two values.`, 'Ask for one at a time.')
}
