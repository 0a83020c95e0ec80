/** Functions on slash-separated paths. They compare whole segments: `/api` is not above `/apiary`. */

import { BOUNDS } from '../core/bounds.ts'
import { tryToRead } from '../core/errors.ts'

/** The segments of a path, without empty segments and `.`. */
export function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.')
}

/** Whether `path` is `directory` or below it. Both are absolute and normalised, without a trailing slash (except `/`). */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}

/** `path` relative to `directory`, without leading slash; `''` for the directory itself; undefined for a path outside of it. */
export function relativeTo(directory: string, path: string): string | undefined {
  if (!isWithin(directory, path)) return undefined
  return path.slice(directory === '/' ? 1 : directory.length + 1)
}

/** The parent of a normalised absolute path; the parent of `/` is `/`. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash <= 0 ? '/' : path.slice(0, slash)
}

/** `path` and the directories above it, nearest first, up to and including `top`; only `path` if it is not within `top`. */
export function ancestors(path: string, top: string): string[] {
  if (!isWithin(top, path)) return [path]
  const directories = [path]
  for (let at = path; at !== top && at !== '/'; ) {
    at = parentOf(at)
    directories.push(at)
  }
  return directories
}

/** The directories above a path without a leading slash, the outermost first. For `a/b/c`: `''`, `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const parents = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
  return path === '' ? [] : ['', ...parents]
}

/** Number of segments of a path; 0 for the root. */
export function pathDepth(path: string): number {
  return segments(path).length
}

/** Order by UTF-16 code unit: the same on every machine and in every locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A path for comparison: in lower case and without accents. */
export function foldedPath(text: string): string {
  const lower = text.normalize('NFKD').toLowerCase()
  return lower.replace(/[\u0300-\u036f]/g, '')
}

/** Maximum UTF-16 units of a path in a message. */
const MAX_SHOWN_LENGTH = 200

/** A path relative to a root as a message shows it: `.` for the root itself, and cut when very long. */
export function shortenPath(path: string): string {
  if (path === '') return '.'
  return path.length > MAX_SHOWN_LENGTH ? `${path.slice(0, MAX_SHOWN_LENGTH)}…` : path
}

const CONTROL_CHARACTER = /[\x00-\x1f\x7f-\x9f]/

/**
 * Matches what normalising may change: non-ASCII characters, backslashes, empty segments, `.` and `..`, a last slash.
 */
const UNUSUAL_PATH = /[\\\x80-\uffff]|\/\.{0,2}(?:\/|$)|^\.{1,2}(?:\/|$)/

/**
 * The normal form of a path that a person wrote, relative to a collection's root: in Unicode form NFC, with single
 * slashes and a leading slash, without `.` and without a trailing slash. The root is `/`. `problem`: a sentence that
 * says why a path is invalid.
 */
export function placePath(path: string): { readonly path: string } | { readonly problem: string } {
  if (path.length > BOUNDS.placePath) {
    return { problem: `The path has ${path.length} characters; at most ${BOUNDS.placePath} are accepted.` }
  }
  const control = CONTROL_CHARACTER.exec(path)
  if (control) return { problem: `The path ${JSON.stringify(path)} has a control character.` }
  if (!path.isWellFormed()) return { problem: `The path ${JSON.stringify(path)} is not valid Unicode.` }
  const normal = normalPath(path)
  return normal === undefined ? { problem: `The path ${path} leads up with "..".` } : { path: normal }
}

/** The normal form of a path, also of long names or names with control characters. Undefined for a path with `..`. */
export function normalPath(path: string): string | undefined {
  if (!UNUSUAL_PATH.test(path)) return path.startsWith('/') ? path : `/${path}`
  const parts = segments(path.normalize('NFC').replaceAll('\\', '/'))
  return parts.includes('..') ? undefined : `/${parts.join('/')}`
}

export function lastPathSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Extension of a file name, in lower case; `''` for none. */
export function fileType(path: string): string {
  const name = lastPathSegment(path)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** A decoded segment of the path of an address; undefined for invalid escapes. */
export function decodeSegment(segment: string): string | undefined {
  return tryToRead(() => decodeURIComponent(segment))
}

/** A decoded text of an address; unchanged if it has invalid escapes. */
export function decodeUri(text: string): string {
  return decodeSegment(text) ?? text
}

/** A free name: `name` itself, or with a number if `name` is taken: `report.pdf`, `report (2).pdf`. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let count = 2; isTaken(free); count++) free = `${stem} (${count})${end}`
  return free
}
