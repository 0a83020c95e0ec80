/** Finds the document that a person or a program names. */

import { ContextError, isNotFound } from '../../core/errors.ts'
import type { Document } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'
import type { Address } from '../../text/collection-uri.ts'
import { countNoun, listFirst } from '../../text/counts.ts'
import { nearest } from '../../text/nearest.ts'
import { foldedPath } from '../../text/paths.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { readAddress } from './address.ts'

/** A document, a notice about how it was found, and the lines in its name. */
export interface NamedDocument {
  readonly document: Document
  readonly notice?: string
  readonly lines?: DocumentLines
}

/**
 * Finds `collection/path`, a uri, a path on disk, `#docid`, `[[Name]]`, or the only document whose path ends with the
 * segments of the name: `p.md`. Lines may follow: `:10` (from line 10 on), `:10-20`, or `:10:5` (five lines from line
 * 10).
 *
 * @throws ContextError `not-found`, with the nearest paths; `conflict` for an ambiguous name; `invalid-input`.
 */
export async function findDocument(name: string, store: Store): Promise<NamedDocument> {
  const [, linkTarget] = WIKI_LINK.exec(name) ?? []
  if (linkTarget !== undefined) return findByWikiLink(name, linkTarget.trim(), store)
  const variants = readNameVariants(name)
  let missingError: unknown
  for (const { path, lines } of variants) {
    try {
      return { ...(await findExactly(path, store)), ...(lines && { lines }) }
    } catch (error) {
      if (!isNotFound(error)) throw error
      missingError = error
    }
  }
  for (const { path, lines } of variants) {
    const document = await findByEnd(path, store)
    if (document) return { document, ...(lines && { lines }) }
  }
  throw await suggestSimilar(missingError, variants.at(-1)?.path ?? name, store)
}

/** Matches `[[Name]]`, and ignores a heading or a label in it. */
const WIKI_LINK = /^\[\[([^\][#|]{1,300})(?:[#|][^\][]*)?\]\]$/

/** Finds the document of a wiki link, which omits the extension. */
async function findByWikiLink(name: string, target: string, store: Store): Promise<NamedDocument> {
  const document = (await findByEnd(target, store)) ?? (await findByEnd(`${target}.md`, store))
  if (document) return { document }
  const hint = (await similarHint(target, store)) ?? 'See "ambit ls".'
  throw new ContextError('not-found', `There is no document ${name}.`, { hint })
}

/** A hint with similar paths in all collections; undefined without any. Ignores the wildcards of a glob. */
export async function similarHint(name: string, store: Store): Promise<string | undefined> {
  const literal = name.replaceAll(/\*\*\/?|[*?{}[\]]/g, '')
  const collections = await store.collections.list()
  const documents = await store.documents.list({ collections: collections.map((collection) => collection.name) })
  const similar = literal === '' ? [] : nearestByEnd(literal, documents.map(fullPathOf))
  return similar.length === 0 ? undefined : `Similar: ${similar.join(', ')}.`
}

/** Finds a document by its docid or its whole path. */
export async function findExactly(name: string, store: Store): Promise<NamedDocument> {
  if (name.startsWith('#')) return { document: await findByDocid(name, store) }
  const { notice, ...address } = await readAddress(name, store)
  const document = await store.documents.find(address.collection, address.path)
  if (document) return { document, ...(notice !== undefined && { notice }) }
  const paths = (await store.documents.list({ collections: [address.collection] })).map(({ path }) => path)
  throw missingDocumentError(address, paths)
}

async function findByDocid(docid: string, store: Store): Promise<Document> {
  const prefix = docid.slice(1).toLowerCase()
  if (!/^[0-9a-f]{6,64}$/.test(prefix)) {
    const hint = 'A docid is # and six hexadecimal digits or more, as in #a1b2c3d4.'
    throw new ContextError('invalid-input', `"${docid}" is not a docid.`, { hint })
  }
  const matches = await store.documents.byHash(prefix, 10)
  const hashes = new Set(matches.map(({ hash }) => hash))
  const [first] = matches
  if (first && hashes.size === 1) return first
  if (!first) {
    const hint = 'It may have changed: search again.'
    throw new ContextError('not-found', `There is no document ${docid}.`, { hint })
  }
  const hint = `Give more of it, or a path: ${matches.map(fullPathOf).join(', ')}.`
  throw new ContextError('conflict', `${docid} stands for ${hashes.size} documents.`, { hint })
}

/** The error for a missing document. `paths`: all paths of the collection. */
export function missingDocumentError({ collection, path }: Address, paths: readonly string[]): ContextError {
  const fullPath = path === '' ? collection : `${collection}/${path}`
  const similar = nearest(path, paths).map((similarPath) => `${collection}/${similarPath}`)
  const isDirectory = path === '' || paths.some((other) => other.startsWith(`${path}/`))
  const hint = isDirectory
    ? `It holds documents: see "ambit ls ${quoteShell(fullPath)}".`
    : similar.length > 0
      ? `Similar: ${similar.join(', ')}.`
      : `See "ambit ls ${quoteShell(collection)}".`
  return new ContextError('not-found', `There is no document ${fullPath}.`, { hint })
}

/** Matches names that may be the end of a path: no docids, URIs, or paths that begin with a slash, a dot or a tilde. */
const BARE_PATH = /^(?![/.~#])(?!\w[\w+.-]*:\/\/)(?=.*[^/\s])/s

/** The only document whose path ends with `pathEnd`. Searches paused collections only if the others have no match. */
async function findByEnd(pathEnd: string, store: Store): Promise<Document | undefined> {
  if (!BARE_PATH.test(pathEnd)) return undefined
  const collections = await store.collections.list()
  for (const isPaused of [false, true]) {
    const names = collections.filter((collection) => collection.isPaused === isPaused).map(({ name }) => name)
    const [first, ...others] = names.length === 0 ? [] : await listByEnd(pathEnd, names, store)
    if (first && others.length > 0) throw ambiguousNameError(pathEnd, [first, ...others])
    if (first) return first
  }
  return undefined
}

async function listByEnd(pathEnd: string, collections: readonly string[], store: Store): Promise<Document[]> {
  const tail = `/${pathEnd.normalize('NFC').replace(/^\/+/, '')}`
  const candidates = await store.documents.list({ collections, pathParts: [foldedPath(pathEnd)] })
  return candidates.filter(({ path }) => `/${path.normalize('NFC')}`.endsWith(tail))
}

function ambiguousNameError(pathEnd: string, documents: readonly Document[]): ContextError {
  const hint = `Name one by its whole path: ${listFirst(documents.map(fullPathOf))}.`
  return new ContextError('conflict', `${documents.length} documents are called "${pathEnd}".`, { hint })
}

/**
 * An error with similar documents as its hint. The same error if the name begins with a collection's name, or nearly.
 */
async function suggestSimilar(error: unknown, name: string, store: Store): Promise<unknown> {
  if (!(error instanceof ContextError) || !BARE_PATH.test(name)) return error
  const isFileName = !name.includes('/') && name.includes('.')
  if (error.hint?.startsWith('Did you mean') && !isFileName) return error
  const collections = await store.collections.list()
  const isGlob = /[*?[{]/.test(name)
  if (collections.length === 0 || (!isGlob && collections.some((one) => `${name}/`.startsWith(`${one.name}/`))))
    return error
  const hint = await similarHint(name, store)
  if (hint === undefined && !isFileName) return error
  return new ContextError('not-found', `There is no document ${name}.`, { hint: hint ?? 'See "ambit ls".' })
}

/** The paths whose ends are most similar to the name. Ignores extensions if the name has none. */
function nearestByEnd(name: string, paths: readonly string[]): string[] {
  const segmentCount = name.split('/').length
  const hasExtension = /\.\w{1,8}$/.test(name)
  const endOf = (path: string) => path.split('/').slice(-segmentCount).join('/')
  const byEnd = Map.groupBy(paths, (path) => (hasExtension ? endOf(path) : endOf(path).replace(/(?<=.)\.\w{1,8}$/, '')))
  return nearest(name, [...byEnd.keys()])
    .flatMap((end) => byEnd.get(end) ?? [])
    .slice(0, 3)
}

function fullPathOf({ collection, path }: Address): string {
  return `${collection}/${path}`
}

/** A range of lines: its first and last line, from 1. NaN marks an invalid range. */
export interface DocumentLines {
  readonly start: number
  /** Infinity for the last line of the document. */
  readonly end: number
  /** The range as written, for errors. */
  readonly source: string
}

/** Patterns that match a path with a range of lines after it. */
const LINES_AFTER_PATH = [/^(.+):(\d+(?:-\d*)?)$/s, /^(.+):(\d+:\d+)$/s]

/** The ways to read a name: as a path, and as a path with lines after it. */
function readNameVariants(name: string): readonly { readonly path: string; readonly lines?: DocumentLines }[] {
  const withLines = LINES_AFTER_PATH.flatMap((pattern) => {
    const [, path, source = ''] = pattern.exec(name) ?? []
    // `PATH:LINE`, as results show it, means from that line on.
    return path === undefined ? [] : [{ path, lines: readLineRange(/[-:]/.test(source) ? source : `${source}-`) }]
  })
  return [{ path: name }, ...withLines]
}

/** Parses `10-20`, `10-`, `10`, or `10:5` (five lines from line 10). For another form, the start or the end is NaN. */
export function readLineRange(source: string): DocumentLines {
  const [, from = '', sign, to = ''] = /^(\d+)(?:([-:])(\d*))?$/.exec(source) ?? []
  const start = from === '' ? Number.NaN : Number(from)
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  if (sign === ':') return { start, end: to === '' ? Number.NaN : start + last - 1, source }
  return { start, end: sign === '-' ? last : start, source }
}

/**
 * The lines of a range that exist in the document. @throws ContextError for an invalid range, or a range after the end.
 */
export function clipLineRange({ start, end, source }: DocumentLines, total: number, { collection, path }: Address) {
  if (start > Math.max(1, total) && end >= start) {
    const message = `${collection}/${path} has ${total === 0 ? 'no lines' : `only ${countNoun(total, 'line')}`}.`
    const hint = `"${source}" is after its end${total === 0 ? '.' : `: ask for some of 1-${total}.`}`
    throw new ContextError('invalid-input', message, { hint })
  }
  if (start >= 1 && end >= start) return { start, end: Math.min(end, total) }
  const hint = 'For example: 10-20, 10- or 10; 10:5 is five lines from line 10 on.'
  throw new ContextError('invalid-input', `"${source}" is not a range of lines.`, { hint })
}
