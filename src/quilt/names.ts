import { ContextError, invalidInput } from '../core/errors.ts'
import type { Objects } from '../files/objects.ts'
import { oneLine } from '../text/controls.ts'

/** How a revision of a package is requested: by a prefix of its top hash, or by the name of a pointer. */
export type Revision =
  | { readonly hash: string }
  /** `latest`, the time of its push in seconds since 1970, or another pointer of the package. */
  | { readonly tag: string }

/** A package and its revision: `team/data`, `team/data@1a2b3c`, `team/data:latest`. */
export interface PackageSpec {
  readonly name: string
  /** Default: the latest revision. */
  readonly revision?: Revision
}

/** Number of hex digits of a top hash. */
export const HASH_DIGITS = 64

export function isTopHash(text: string): boolean {
  return text.length === HASH_DIGITS && /^[0-9a-f]+$/.test(text)
}

/** Parses a package and its revision. @throws ContextError `invalid-input` for an invalid name, hash or tag. */
export function parseSpec(text: string): PackageSpec {
  const [, name = '', mark, value = ''] = /^([^@:]*)(?:([@:])(.*))?$/s.exec(text) ?? []
  checkName(name)
  if (mark === undefined) return { name }
  if (mark === '@' ? /^[0-9a-f]{6,64}$/.test(value) : isTag(value))
    return { name, revision: mark === '@' ? { hash: value } : { tag: value } }
  throw invalidInput(
    `${quoteForeign(value)} is not a ${mark === '@' ? 'hash' : 'tag'} of a package.`,
    'Write 6 to 64 lower-case hex digits after "@". After ":", write "latest", a time in seconds since 1970, or a name of letters, digits, ".", "_" and "-".',
  )
}

export function printSpec({ name, revision }: PackageSpec): string {
  if (revision === undefined) return name
  return 'hash' in revision ? `${name}@${revision.hash}` : `${name}:${revision.tag}`
}

/**
 * Returns the name if it is valid: `namespace/name`, each of letters of any script (as in Python's `\w`), digits, `_`
 * and `-`.
 *
 * @throws ContextError `invalid-input` for another name.
 */
export function checkName(name: string): string {
  if (isName(name)) return name
  const nameHint = 'A package is called NAMESPACE/NAME, each of letters, digits, "_" and "-": team/results.'
  throw invalidInput(`${quoteForeign(name)} is not a name of a package.`, nameHint)
}

export function isName(name: string): boolean {
  return /^[\p{L}\p{N}_-]+\/[\p{L}\p{N}_-]+$/u.test(name)
}

/** Maximum characters of a tag. */
const MAX_TAG_LENGTH = 255

export function isTag(tag: string): boolean {
  return /^[\p{L}\p{N}._-]+$/u.test(tag) && tag !== '.' && tag !== '..' && tag.length <= MAX_TAG_LENGTH
}

/** The time in the name of a pointer, as ISO 8601 in UTC; undefined for a name that is not a time. */
export function pointerTime(pointer: string): string | undefined {
  // Twelve digits of seconds reach beyond the year 30,000.
  return /^\d{1,12}$/.test(pointer) ? new Date(Number(pointer) * 1000).toISOString() : undefined
}

/** Maximum characters of a foreign text in a message. */
const MAX_QUOTED = 200

/** Foreign text for a message: on one line, in quotes, and shortened. */
export function quoteForeign(text: string): string {
  return `"${oneLine(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text)}"`
}

/** The error for a package that does not exist. `withPackage` replaces its hint by similar names, if there are any. */
export class PackageNotFound extends ContextError {
  constructor(name: string, { uri }: Pick<Objects, 'uri'>) {
    super('not-found', `There is no package ${name} in ${uri}.`, { hint: '"ambit package list" lists the packages.' })
  }
}

/** What is wrong with a logical key; undefined for a key that names a place within its package. */
export function logicalKeyProblem(key: string): string | undefined {
  if (key === '') return 'it is empty'
  for (const segment of key.split('/')) {
    if (segment === '') return 'it has an empty segment'
    if (segment === '.' || segment === '..') return `it has the segment "${segment}"`
  }
  return key.includes('\0') ? 'it has a NUL' : undefined
}

/** Returns the key if it is valid. @throws ContextError `invalid-input` for an invalid key. */
export function checkLogicalKey(key: string): string {
  const problem = logicalKeyProblem(key)
  if (problem === undefined) return key
  const hint = 'Give a path such as data/table.csv.'
  throw invalidInput(`${quoteForeign(key)} is not a path in a package: ${problem}.`, hint)
}

/** The key of a directory, without the slash at its end; `''` is the package itself. @throws ContextError as `checkLogicalKey`. */
export function checkDirectory(path: string): string {
  const key = path.endsWith('/') ? path.slice(0, -1) : path
  return key === '' ? '' : checkLogicalKey(key)
}
