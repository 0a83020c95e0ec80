/** Finds the document that a person or a program names. */

import { ContextError } from '../../core/errors.ts'
import type { Document } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'
import type { Address } from '../../text/collection-uri.ts'
import { countNoun } from '../../text/counts.ts'
import { nearest } from '../../text/nearest.ts'
import { foldedPath } from '../../text/paths.ts'
import { readAddress } from './address.ts'

interface FoundDocument {
  readonly document: Document
  /** A notice about how it was found. */
  readonly notice?: string
}

/** A document, and the lines in its name. */
export interface NamedDocument extends FoundDocument {
  readonly lines?: DocumentLines
}

/**
 * Finds `c/p`, a uri, a path on the disk, `#docid`, or the only document whose path ends with these whole names: `p.md`. Lines may follow: `:10`
 * (from that line on), `:10-20`, or `:10:5` (five lines from line 10).
 *
 * @throws ContextError `not-found`, with the nearest paths; `conflict` for an ambiguous name; `invalid-input`.
 */
export async function findDocument(name: string, store: Store): Promise<NamedDocument> {
  const [, linked] = WIKI_LINK.exec(name) ?? []
  if (linked !== undefined) return findLinked(name, linked.trim(), store)
  const ways = splitLines(name)
  let absent: unknown
  for (const { path, lines } of ways) {
    try {
      return { ...(await findExactly(path, store)), ...(lines && { lines }) }
    } catch (error) {
      if (!(error instanceof ContextError) || error.code !== 'not-found') throw error
      absent = error
    }
  }
  for (const { path, lines } of ways) {
    const document = await findByEnd(path, store)
    if (document) return { document, ...(lines && { lines }) }
  }
  throw await addNearDocuments(absent, ways.at(-1)?.path ?? name, store)
}

/** Matches `[[Name]]`, and ignores a heading or a label in it. */
const WIKI_LINK = /^\[\[([^\][#|]{1,300})(?:[#|][^\][]*)?\]\]$/

/** Finds the document of a wiki link, which omits the extension. */
async function findLinked(name: string, linked: string, store: Store): Promise<FoundDocument> {
  const document = (await findByEnd(linked, store)) ?? (await findByEnd(`${linked}.md`, store))
  if (document) return { document }
  const hint = (await similarHint(linked, store)) ?? 'See "ambit ls".'
  throw new ContextError('not-found', `There is no document ${name}.`, { hint })
}

/** A hint with names in all collections that are similar to a name or to a glob without its special characters; undefined without any. */
export async function similarHint(name: string, store: Store): Promise<string | undefined> {
  const literal = name.replaceAll(/\*\*\/?|[*?{}[\]]/g, '')
  const collections = await store.collections.list()
  const documents = await store.documents.list({ collections: collections.map((one) => one.name) })
  const near = literal === '' ? [] : nearestByEnd(literal, documents.map(fullPathOf))
  return near.length === 0 ? undefined : `Similar: ${near.join(', ')}.`
}

/** Finds a document by its docid or its whole path. */
export async function findExactly(text: string, store: Store): Promise<FoundDocument> {
  if (text.startsWith('#')) return { document: await findByDocid(text, store) }
  const { notice, ...address } = await readAddress(text, store)
  const document = await store.documents.find(address.collection, address.path)
  if (document) return { document, ...(notice !== undefined && { notice }) }
  const all = await store.documents.list({ collections: [address.collection] })
  throw absentDocument(
    address,
    all.map(({ path }) => path),
  )
}

async function findByDocid(docid: string, store: Store): Promise<Document> {
  const prefix = docid.slice(1).toLowerCase()
  if (!/^[0-9a-f]{6,64}$/.test(prefix)) {
    const hint = 'A docid is # and six hexadecimal digits or more, as in #a1b2c3d4.'
    throw new ContextError('invalid-input', `"${docid}" is not a docid.`, { hint })
  }
  const found = await store.documents.byHash(prefix, 10)
  const hashes = new Set(found.map(({ hash }) => hash))
  const [first] = found
  if (first && hashes.size === 1) return first
  if (!first) {
    const hint = 'It may have changed: search again.'
    throw new ContextError('not-found', `There is no document ${docid}.`, { hint })
  }
  const hint = `Give more of it, or a path: ${found.map(fullPathOf).join(', ')}.`
  throw new ContextError('conflict', `${docid} stands for ${hashes.size} documents.`, { hint })
}

/** The error for a missing document. `paths`: all paths of the collection. */
export function absentDocument({ collection, path }: Address, paths: readonly string[]): ContextError {
  const place = path === '' ? collection : `${collection}/${path}`
  const near = nearest(path, paths).map((one) => `${collection}/${one}`)
  const isDirectory = path === '' || paths.some((one) => one.startsWith(`${path}/`))
  const hint = isDirectory
    ? `It holds documents: see "ambit ls ${place}".`
    : near.length > 0
      ? `Similar: ${near.join(', ')}.`
      : `See "ambit ls ${collection}".`
  return new ContextError('not-found', `There is no document ${place}.`, { hint })
}

/** Matches bare paths, which may be the end of a path. Others are complete. */
const BARE = /^(?![/.~#])(?!\w[\w+.-]*:\/\/)(?=.*[^/\s])/s

/** Maximum number of paths in an error. */
const MAX_NAMED = 10

/** The only document whose path ends with these names. Paused collections are searched only if no other collection has one. */
async function findByEnd(end: string, store: Store): Promise<Document | undefined> {
  if (!BARE.test(end)) return undefined
  const collections = await store.collections.list()
  for (const isPaused of [false, true]) {
    const names = collections.filter((one) => one.isPaused === isPaused).map(({ name }) => name)
    const [first, ...others] = names.length === 0 ? [] : await listByEnd(end, names, store)
    if (first && others.length > 0) throw severalDocuments(end, [first, ...others])
    if (first) return first
  }
  return undefined
}

async function listByEnd(end: string, collections: readonly string[], store: Store): Promise<Document[]> {
  const tail = `/${end.normalize('NFC').replace(/^\/+/, '')}`
  const all = await store.documents.list({ collections, pathParts: [foldedPath(end)] })
  return all.filter(({ path }) => `/${path.normalize('NFC')}`.endsWith(tail))
}

function severalDocuments(end: string, documents: readonly Document[]): ContextError {
  const shown = documents.slice(0, MAX_NAMED).map(fullPathOf)
  const more = documents.length > shown.length ? `, and ${documents.length - shown.length} more` : ''
  const hint = `Name one by its whole path: ${shown.join(', ')}${more}.`
  return new ContextError('conflict', `${documents.length} documents are called "${end}".`, { hint })
}

/** Without a named collection or a similar one, suggests similar documents of all collections. */
async function addNearDocuments(error: unknown, name: string, store: Store): Promise<unknown> {
  if (!(error instanceof ContextError) || !BARE.test(name)) return error
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

/** Compares the same number of names from the end of each path; without extensions if the query has none. */
function nearestByEnd(asked: string, paths: readonly string[]): string[] {
  const many = asked.split('/').length
  const isNamed = /\.\w{1,8}$/.test(asked)
  const endOf = (path: string) => path.split('/').slice(-many).join('/')
  const byEnd = Map.groupBy(paths, (path) => (isNamed ? endOf(path) : endOf(path).replace(/(?<=.)\.\w{1,8}$/, '')))
  return nearest(asked, [...byEnd.keys()])
    .flatMap((end) => byEnd.get(end) ?? [])
    .slice(0, 3)
}

function fullPathOf({ collection, path }: Address): string {
  return `${collection}/${path}`
}

/** A range of lines, from 1, with its first and last line. */
export interface DocumentLines {
  readonly start: number
  /** Infinity for the last line of the document. */
  readonly end: number
  /** The original text, for errors. */
  readonly written: string
}

/** Match a path with a range of lines after it. */
const BEHIND = [/^(.+):(\d+(?:-\d*)?)$/s, /^(.+):(\d+:\d+)$/s]

/** The ways to read a name: as a path, and as a path with lines after it. */
function splitLines(name: string): readonly { readonly path: string; readonly lines?: DocumentLines }[] {
  const split = BEHIND.flatMap((pattern) => {
    const [, path, written = ''] = pattern.exec(name) ?? []
    // `PATH:LINE`, as results show it, means from that line on.
    return path === undefined ? [] : [{ path, lines: readLineRange(/[-:]/.test(written) ? written : `${written}-`) }]
  })
  return [{ path: name }, ...split]
}

/** Parses `10-20`, `10-`, `10`, or `10:5`, which is five lines from the tenth on. An invalid range has no lines. */
export function readLineRange(written: string): DocumentLines {
  const [, from = '', sign, to = ''] = /^(\d+)(?:([-:])(\d*))?$/.exec(written) ?? []
  const start = from === '' ? Number.NaN : Number(from)
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  if (sign === ':') return { start, end: to === '' ? Number.NaN : start + last - 1, written }
  return { start, end: sign === '-' ? last : start, written }
}

/** The existing lines of a range. @throws ContextError for an invalid range, and for one after the last line. */
export function clipLineRange({ start, end, written }: DocumentLines, total: number, { collection, path }: Address) {
  if (start > Math.max(1, total) && end >= start) {
    const message = `${collection}/${path} has ${total === 0 ? 'no lines' : `only ${countNoun(total, 'line')}`}.`
    const hint = `"${written}" is after its end${total === 0 ? '.' : `: ask for some of 1-${total}.`}`
    throw new ContextError('invalid-input', message, { hint })
  }
  if (start >= 1 && end >= start) return { start, end: Math.min(end, total) }
  const hint = 'For example: 10-20, 10- or 10; 10:5 is five lines from line 10 on.'
  throw new ContextError('invalid-input', `"${written}" is not a range of lines.`, { hint })
}
