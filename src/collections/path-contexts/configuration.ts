/**
 * Reads and writes collections and path contexts as YAML in the format of qmd's configuration. The YAML is untrusted.
 */

import { basename, dirname, resolve } from 'node:path'
import { Document, isAlias, isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml'
import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, type ErrorCode, invalidInput } from '../../core/errors.ts'
import type { Why } from '../../core/flow.ts'
import { openRoot } from '../../files/disk.ts'
import { isDirectory, realOf } from '../../files/file-version.ts'
import type { Collection, PathContext } from '../../stores/store.ts'
import { decode } from '../../text/decode.ts'
import { patternsOf } from '../../text/globs.ts'
import { byCodeUnit } from '../../text/paths.ts'
import type { BucketAccess } from '../library/collection-root.ts'
import { expandHome, type PathBases } from './place.ts'

/** Maximum number of aliases in a document. */
const MAX_ALIASES = 100

/** A collection in a configuration file, as written. */
export interface ConfiguredCollection
  extends Pick<Collection, 'name' | 'patterns' | 'exclude' | 'isPaused' | 'hasSubstrings'> {
  readonly path: string
  /** Settings of its bucket, as written; empty for a directory. */
  readonly access: BucketAccess
  readonly contexts: readonly (readonly [path: string, text: string])[]
}

export interface Configuration {
  readonly global?: string
  readonly collections: readonly ConfiguredCollection[]
  /** Names of unknown settings. */
  readonly unknownSettings: readonly string[]
}

const ROOT_SETTINGS = ['global_context', 'collections']
/** Settings of a bucket, named like the flags of `collection add`. */
const BUCKET_TEXTS = ['endpoint', 'region', 'profile'] as const
const BUCKET_SWITCHES = ['anonymous', 'pathStyle', 'requesterPays'] as const
const COLLECTION_SETTINGS = ['path', 'pattern', 'ignore', 'includeByDefault', 'substrings', 'context']
const ALL_COLLECTION_SETTINGS: readonly string[] = [...COLLECTION_SETTINGS, ...BUCKET_TEXTS, ...BUCKET_SWITCHES]

/** The pattern that qmd writes for all files. In Ambit, a collection without patterns has all files. */
const ALL_FILES = '**/*'

/**
 * Parses a configuration, without running anything in it.
 *
 * @throws ContextError `invalid-input` for invalid YAML or another format; `over-limit`.
 */
export function readConfiguration(yaml: string): Configuration {
  const root = mapOf(parseConfiguration(yaml), 'The configuration')
  const collections = mapOf(root.get('collections') ?? '', '"collections"')
  const global = root.get('global_context')
  const settingsByName = [...collections].map(([name, value]) => [name, mapOf(value, `"${name}"`)] as const)
  const unknownOfCollections = settingsByName.flatMap(([name, settings]) =>
    unknownNames(settings, ALL_COLLECTION_SETTINGS).map((each) => `collections.${name}.${each}`),
  )
  return {
    ...(global !== undefined && { global: requireTextValue(global, '"global_context"') }),
    collections: settingsByName.map(([name, settings]) => readCollection(name, settings)),
    unknownSettings: [...unknownNames(root, ROOT_SETTINGS), ...unknownOfCollections],
  }
}

function unknownNames(map: ReadonlyMap<string, unknown>, known: readonly string[]): string[] {
  return [...map.keys()].filter((name) => !known.includes(name))
}

function readCollection(name: string, settings: ReadonlyMap<string, unknown>): ConfiguredCollection {
  const label = (key: string) => `"${key}" of "${name}"`
  const textAt = (key: string) => requireTextValue(settings.get(key) ?? '', label(key))
  const contexts = mapOf(settings.get('context') ?? '', label('context'))
  return {
    name,
    path: textAt('path'),
    patterns: readPatterns(settings.get('pattern') ?? '', label('pattern')),
    exclude: listOf(settings.get('ignore') ?? '', label('ignore')),
    isPaused: settings.get('includeByDefault') === 'false',
    hasSubstrings: settings.get('substrings') === 'true',
    access: Object.fromEntries([
      ...BUCKET_TEXTS.filter((key) => settings.has(key)).map((key) => [key, textAt(key)]),
      ...BUCKET_SWITCHES.filter((key) => settings.get(key) === 'true').map((key) => [key, true]),
    ]),
    contexts: [...contexts].map(([path, text]) => {
      return [path, requireTextValue(text, `the context of "${path}" in "${name}"`)]
    }),
  }
}

/** Reads a text with patterns separated by commas, or a list of patterns. */
function readPatterns(value: unknown, what: string): string[] {
  const patterns = Array.isArray(value) ? listOf(value, what) : patternsOf(requireTextValue(value, what))
  return patterns.length === 1 && patterns[0] === ALL_FILES ? [] : patterns
}

/** @throws ContextError `invalid-input` */
function mapOf(value: unknown, what: string): ReadonlyMap<string, unknown> {
  if (value === '') return new Map()
  if (!(value instanceof Map)) throw formatError(`${what} must hold names and values.`)
  for (const key of value.keys()) if (typeof key !== 'string') throw formatError(`${what} has a name that is not text.`)
  return value
}

function listOf(value: unknown, what: string): string[] {
  if (value === '') return []
  if (Array.isArray(value)) return value.map((each) => requireTextValue(each, what))
  return [requireTextValue(value, what)]
}

function requireTextValue(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw formatError(`${what} must be a text.`)
}

function formatError(message: string, cause?: unknown): ContextError {
  const hint = 'See "ambit context export" for what such a file looks like. Nothing was changed.'
  return new ContextError('invalid-input', message, { hint, cause })
}

/** Parses YAML to maps, lists and texts as written. Maps are `Map`s, so that the key `__proto__` is harmless. */
function parseConfiguration(yaml: string): unknown {
  if (Buffer.byteLength(yaml) > BOUNDS.configuration) throw tooLargeError(`has more than ${BOUNDS.configuration} bytes`)
  try {
    // `uniqueKeys` is off, because it takes quadratic time. `assertParseable` finds duplicate names.
    const document = parseDocument(yaml, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
    const [error] = document.errors
    if (error) throw formatError(`Line ${lineNumberAt(yaml, error.pos[0])}: ${parserMessage(error)}`, error)
    assertParseable(document, yaml)
    return document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES }) ?? ''
  } catch (error) {
    if (error instanceof ContextError) throw error
    throw formatError(parserMessage(error), error)
  }
}

function assertParseable(document: ReturnType<typeof parseDocument>, yaml: string): void {
  let aliases = 0
  visit(document, (_, node) => {
    if (isAlias(node) && ++aliases > MAX_ALIASES) throw tooLargeError(`has more than ${MAX_ALIASES} aliases`)
    if (isMap(node)) assertUniqueNames(node, yaml)
  })
}

function assertUniqueNames(map: YAMLMap, yaml: string): void {
  const seen = new Set<unknown>()
  for (const { key } of map.items) {
    if (!isScalar(key)) continue
    if (seen.has(key.value))
      throw formatError(`Line ${lineNumberAt(yaml, key.range?.[0] ?? 0)}: "${key.value}" is given twice.`)
    seen.add(key.value)
  }
}

function lineNumberAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function parserMessage(error: unknown): string {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return message.includes('call stack') ? 'It is nested too deeply.' : message.replace(/[:.]?$/, '.')
}

function tooLargeError(what: string): ContextError {
  const hint = 'Cut it into several files. Nothing was changed.'
  return new ContextError('over-limit', `The configuration ${what}.`, { hint })
}

/** Collections by name and contexts by path as YAML, without contexts of removed collections. */
export function writeConfiguration(collections: readonly Collection[], contexts: readonly PathContext[]): string {
  const contextsByName = Map.groupBy(contexts, ({ collection }) => collection ?? '')
  const global = contextsByName.get('')?.[0]?.context
  const entries = collections
    .toSorted((a, b) => byCodeUnit(a.name, b.name))
    .map((collection) => [collection.name, toSettings(collection, contextsByName.get(collection.name) ?? [])] as const)
  const root = new Map<string, unknown>([
    ...(global === undefined ? [] : [['global_context', global] as const]),
    ['collections', new Map(entries)],
  ])
  return writeYaml(root)
}

/** Writes YAML. Quotes a text with white space at its ends, because a YAML block would lose white space. */
function writeYaml(root: unknown): string {
  const document = new Document(root, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value !== node.value.trim()) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true })
}

function toSettings(
  { root, patterns, exclude, isPaused, hasSubstrings, access: { realPath: _, ...access } = {} }: Collection,
  contexts: readonly PathContext[],
) {
  const texts = contexts
    .toSorted((a, b) => byCodeUnit(a.pathPrefix, b.pathPrefix))
    .map(({ pathPrefix, context }) => [pathPrefix, context] as const)
  return new Map<string, unknown>([
    ['path', root],
    ['pattern', patternOf(patterns)],
    ...(exclude.length > 0 ? [['ignore', exclude] as const] : []),
    ...(isPaused ? [['includeByDefault', false] as const] : []),
    ...(hasSubstrings ? [['substrings', true] as const] : []),
    ...Object.entries(access),
    ...(texts.length > 0 ? [['context', new Map(texts)] as const] : []),
  ])
}

/** The patterns joined by commas, as qmd expects; a list if the joined text would be parsed as other patterns. */
function patternOf(patterns: readonly string[]): string | readonly string[] {
  if (patterns.length === 0) return ALL_FILES
  const joined = patterns.join(',')
  const reparsed = patternsOf(joined)
  const isSame = reparsed.length === patterns.length && reparsed.every((each, index) => each === patterns[index])
  return isSame ? joined : patterns
}

const ERROR_CODES: Partial<Record<Why, ErrorCode>> = {
  missing: 'not-found',
  'over-limit': 'over-limit',
  unreadable: 'denied',
}

/**
 * The text of a configuration file, and the directory that contains the file, or the link to the file.
 *
 * @throws ContextError `not-found`, `denied`, `over-limit`, `unavailable`; `invalid-input` for a file that is not text.
 */
export function readConfigurationFile(path: string, { cwd, home }: PathBases) {
  const absolutePath = resolve(cwd, expandHome(path, home))
  const realPath = realOf(absolutePath)
  const content = openRoot(dirname(realPath)).read(basename(realPath), { maxBytes: BOUNDS.configuration })
  const hint = `The file was looked for at ${absolutePath}.`
  if (!content.ok) {
    const code = isDirectory(realPath) ? 'invalid-input' : (ERROR_CODES[content.why] ?? 'unavailable')
    throw new ContextError(code, content.detail, { hint })
  }
  const decoded = decode(content.bytes)
  if ('binary' in decoded) throw invalidInput(`It is not text: ${absolutePath}.`, decoded.detail)
  return { text: decoded.text, directory: dirname(absolutePath) }
}
