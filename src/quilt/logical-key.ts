import type { ContextError } from '../core/errors.ts'
import { invalid, shown } from './message.ts'

/** What is wrong with a logical key; undefined when it stays within its package. */
export function logicalKeyProblem(key: string): string | undefined {
  if (key === '') return 'it is empty'
  for (const segment of key.split('/')) {
    if (segment === '') return 'it has an empty segment'
    if (segment === '.' || segment === '..') return `it has the segment "${segment}"`
  }
  return key.includes('\0') ? 'it has a NUL' : undefined
}

/** @throws ContextError `invalid-input` when it would leave the package, or names nothing in one. */
export function checkLogicalKey(key: string): string {
  const problem = logicalKeyProblem(key)
  if (problem !== undefined) throw badKey(key, problem)
  return key
}

/** A directory of a package: without slashes around it; `''` is the package itself. */
export function checkDirectory(path: string): string {
  const key = path.endsWith('/') ? path.slice(0, -1) : path
  return key === '' && path.length <= 1 ? '' : checkLogicalKey(key)
}

function badKey(key: string, problem: string): ContextError {
  return invalid(`${shown(key)} is no path in a package: ${problem}.`, 'Give a path such as data/table.csv.')
}
