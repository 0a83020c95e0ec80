/**
 * Checks the input of an operation by the kind of each field. A path on disk must be in a root after following links; other paths
 * are `denied`, whether they exist or not. Names in collections are not checked, because the owner of the collection chose its
 * content. In a field that takes names and paths, a text that looks like a path on disk is treated as a path.
 */

import { resolve } from 'node:path'
import { namesProfileFile } from '../../../core/choices.ts'
import { ContextError, quoteValue } from '../../../core/errors.ts'
import type { Input, InputFields, PathInput, PathKind } from '../../../core/input.ts'
import { statOf } from '../../../files/file-version.ts'
import { type ResolvedPath, type ServedRoots, withinRoots } from '../../../files/roots.ts'
import { isPlaceUri } from '../../../text/collection-uri.ts'
import { patternsOf } from '../../../text/globs.ts'

type InputValues = Readonly<Record<string, unknown>>

interface InputConfinement {
  readonly roots: ServedRoots
  /** Whether the root of a new collection may be a bucket. Buckets are read with the credentials of the server's owner. */
  readonly mayNameBuckets: boolean
}

interface WordContext extends InputConfinement {
  /** Base of relative paths. */
  readonly base: string
}

/** The checked value for the operation, and the paths on disk that it names. */
interface ConfinedWord {
  readonly word: string
  readonly paths?: ResolvedPath | readonly ResolvedPath[]
}

/** The input with absolute paths, and these paths. Relative paths start at the first root. @throws ContextError `denied`. */
export function confineInput(fields: InputFields, request: unknown, confinement: InputConfinement) {
  const paths: ResolvedPath[] = []
  let input: InputValues = { ...Object(request) }
  for (const name of orderInputs(Object.keys(input), fields)) {
    const field = fields[name]
    const confineValue = (value: unknown) => {
      // Refused, because no input is an object, and paths in an object would not be checked.
      if (typeof value === 'object' && value !== null) throw outsideRootsError(name)
      if (typeof value !== 'string') return value
      const base = baseOf(value, input[baseInputOf(field) ?? ''], confinement.roots)
      const { word, paths: wordPaths } = confineWord(value, field, { ...confinement, base })
      if (wordPaths) paths.push(...[wordPaths].flat())
      return word
    }
    const value = input[name]
    input = { ...input, [name]: Array.isArray(value) ? value.map(confineValue) : confineValue(value) }
  }
  return { input, paths }
}

/** Sorts the names of inputs, so that an input with a base comes after the input that is its base. */
function orderInputs(names: readonly string[], fields: InputFields): readonly string[] {
  const rankOf = (name: string) => Number(baseInputOf(fields[name]) !== undefined)
  return names.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function baseInputOf(field: Input | undefined): string | undefined {
  return field?.is === 'path' ? field.under : undefined
}

/** The base of a relative path: the first root. If the path does not exist there and `under` is a text, the base is `under`. */
function baseOf(word: string, under: unknown, roots: ServedRoots): string {
  const [base = '.'] = roots.paths
  return typeof under === 'string' && !statOf(resolve(base, word)) ? resolve(base, under) : base
}

/** Checks one value. An unknown input, or an input of unknown kind, is treated as a path. */
function confineWord(word: string, field: Input | undefined, context: WordContext): ConfinedWord {
  if (field?.is === 'text' || field?.is === 'choice') return { word }
  if (field?.is !== 'path') return confineDiskPath(word, context)
  return (Object.hasOwn(RULES, field.path) ? RULES[field.path] : confineDiskPath)(word, context, field)
}

type PathRule = (word: string, context: WordContext, field: PathInput) => ConfinedWord

const RULES: Readonly<Record<PathKind, PathRule>> = {
  disk: confineDiskPath,
  directory: confineDirectory,
  place: (word, context) => {
    if (isPlaceUri(word)) return { word }
    const isCollection = context.roots.real.length === 0 && !looksLikeDiskPath(word)
    return isCollection ? { word: toCollectionUri(word) } : confineDirectory(word, context)
  },
  collection: (word, context) => {
    if (/^s3:/i.test(word)) throw bucketDenied(word)
    return isPlaceUri(word) || !looksLikeDiskPath(word) ? { word } : confineDiskPath(word, context)
  },
  // A glob on disk is refused, because its matches are unknown before the disk is read.
  documents: (word) => {
    const diskPattern = patternsOf(word).find((pattern) => !isPlaceUri(pattern) && looksLikeDiskPath(pattern))
    if (diskPattern !== undefined) throw outsideRootsError(diskPattern)
    return { word }
  },
  root: (word, context) => {
    if (/^s3:/i.test(word) && context.mayNameBuckets) return { word }
    if (/^s3:/i.test(word)) throw bucketDenied(word)
    return confineDiskPath(word, context)
  },
  package: (word) => ({ word }),
  profile: (word, { base, roots }) => {
    const words = word.split(',').map((part) => part.trim())
    const profilePaths = words.map((part) => (namesProfileFile(part) ? pathInRoots(part, base, roots) : undefined))
    return {
      word: words.map((part, index) => profilePaths[index]?.path ?? part).join(','),
      paths: profilePaths.filter((one) => one !== undefined),
    }
  },
}

function confineDiskPath(word: string, { base, roots }: WordContext): ConfinedWord {
  const resolved = pathInRoots(word, base, roots)
  return { word: resolved.path, paths: resolved }
}

function confineDirectory(word: string, { base, roots }: WordContext): ConfinedWord {
  const resolved = pathInRoots(word, base, roots)
  return { word: placeInRoots(word, resolved), paths: resolved }
}

/**
 * The error for a bucket. Buckets are read with the credentials of the server's owner, so only the owner may add one as a
 * collection.
 */
function bucketDenied(word: string): ContextError {
  const hint = 'The administrator of the server can add it on the command line.'
  return new ContextError('denied', `${quoteValue(word)} is a bucket: only collections are served.`, { hint })
}

/** Whether a text looks like a path on disk, or has a segment `..`. False for a single slash, which is the global place. */
export function looksLikeDiskPath(word: string): boolean {
  return /^(?:\/.|\.(?:\/|$)|~)|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(word)
}

export function toCollectionUri(word: string): string {
  return `ambit://${word.split('/').map(encodeURIComponent).join('/')}`
}

/** @throws ContextError `denied` for a path that is not in a root after following links, whether it exists or not. */
export function pathInRoots(word: string, base: string, roots: ServedRoots): ResolvedPath {
  const resolved = withinRoots(word, base, roots)
  if (!resolved) throw outsideRootsError(word)
  return resolved
}

/**
 * The real path of an existing directory or file. Otherwise a bare word is returned as it is, because it may be the name of a
 * collection.
 */
export function placeInRoots(word: string, { path, real }: ResolvedPath): string {
  if (statOf(path)) return real
  return looksLikeDiskPath(word) ? path : word
}

export function outsideRootsError(word: string): ContextError {
  const hint = 'The server shows what lies in the directories that it was started with: --root DIR.'
  return markClean(new ContextError('denied', `${quoteValue(word)} is not in a directory that is served.`, { hint }))
}

/** Marks an error that reveals nothing about the machine beyond what the client sent. */
export const CLEAN = Symbol('clean')

export function markClean(error: ContextError): ContextError {
  return Object.defineProperty(error, CLEAN, { value: true })
}
