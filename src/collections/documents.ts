import { ContextError, invalidInput } from '../core/errors.ts'
import type { Document } from '../stores/document-store.ts'
import type { Store } from '../stores/store.ts'
import { type Address, uriOf } from '../text/collection-uri.ts'
import { countNoun } from '../text/counts.ts'
import { globs, patternsOf } from '../text/globs.ts'
import { lineStarts } from '../text/lines.ts'
import { nearest } from '../text/nearest.ts'
import { readAddress } from './library/address.ts'
import type { ContextResolver } from './path-contexts.ts'
import { docidOf } from './search.ts'

/** A document, or some lines of it. */
export interface GetAnswer {
  readonly uri: string
  readonly docid: string
  readonly collection: string
  readonly path: string
  readonly title: string
  readonly text: string
  /** Those that `text` is, from 1, and how many there are. */
  readonly lines: { readonly start: number; readonly end: number; readonly total: number }
  /** What its place is for. */
  readonly context?: string
}

/** Several documents. */
export interface MultiGetAnswer {
  readonly documents: readonly GetAnswer[]
  /** What was asked for and is not given, and why. */
  readonly left: readonly { readonly path: string; readonly detail: string }[]
}

export interface ListAnswer {
  readonly collection: string | null
  readonly path: string
  readonly directories: readonly { readonly path: string; readonly documents: number; readonly context?: string }[]
  readonly documents: readonly {
    readonly path: string
    readonly uri: string
    readonly docid: string
    readonly title: string
    readonly bytes: number
    readonly modifiedAt: string
  }[]
}

/** Bytes of all documents that are given at once: 256 KiB. */
const MOST_BYTES = 256 * 1024

/** Reads documents of a store. */
export class Documents {
  readonly #store: Store
  readonly #contexts: ContextResolver

  constructor(store: Store, contexts: ContextResolver) {
    this.#store = store
    this.#contexts = contexts
  }

  /**
   * @param path `c/p`, a uri, a path on the disk, or `#docid`; with `:10` behind it from that line on, with `:10-20` these
   * @param lines `10-20`, `10-` or `10`
   * @throws ContextError `not-found`, with the nearest paths; `invalid-input` for lines that it does not have;
   * `conflict` for a docid of several contents.
   */
  async get(path: string, lines?: string): Promise<GetAnswer> {
    const [, place = '', shown] = /^(.+):(\d+(?:-\d*)?)$/.exec(path) ?? []
    try {
      return await this.#get(path, lines)
    } catch (error) {
      const isAbsent = error instanceof ContextError && error.code === 'not-found'
      if (!isAbsent || shown === undefined) throw error
      // As hits are shown: from that line on.
      return this.#get(place, lines ?? (shown.includes('-') ? shown : `${shown}-`))
    }
  }

  async #get(path: string, lines?: string): Promise<GetAnswer> {
    const document = path.startsWith('#') ? await this.#byDocid(path) : await this.#byPath(path)
    const texts = await this.#store.documents.texts([document.id])
    return this.#answer(document, texts.get(document.id) ?? '', lines)
  }

  /** Those of a list of paths, or that a glob matches: `docs/**` or `docs/a.md,docs/b.md`. */
  async multiGet(pattern: string, mostBytes = MOST_BYTES): Promise<MultiGetAnswer> {
    const found: Document[] = []
    const left: { path: string; detail: string }[] = []
    for (const part of patternsOf(pattern)) {
      const some = await this.#matching(part)
      if (some instanceof ContextError)
        left.push({ path: part, detail: `${some.message} ${some.hint ?? ''}`.trimEnd() })
      else found.push(...some)
    }
    const documents: GetAnswer[] = []
    let bytes = 0
    for (const document of new Map(found.map((one) => [one.id, one])).values()) {
      const text = (await this.#store.documents.texts([document.id])).get(document.id) ?? ''
      const size = Buffer.byteLength(text)
      if (bytes + size > mostBytes) {
        const detail = `It has ${size} bytes; ${Math.max(0, mostBytes - bytes)} of ${mostBytes} are left. Get it alone, or by lines.`
        left.push({ path: `${document.collection}/${document.path}`, detail })
        continue
      }
      bytes += size
      documents.push(this.#answer(document, text))
    }
    return { documents, left: limitLeft(left, pattern) }
  }

  /** What is in a place: directories with how many documents there are below, and documents. Without a place: collections. */
  async list(place?: string): Promise<ListAnswer> {
    if (place === undefined || place === '/') return this.#collections()
    const { collection, path } = await readAddress(place, this.#store)
    const children = await this.#store.documents.children(collection, path)
    const own = path === '' ? undefined : await this.#store.documents.find(collection, path)
    const documents = own ? [own, ...children.documents] : children.documents
    if (path !== '' && documents.length === 0 && children.directories.length === 0) {
      throw this.#absent({ collection, path }, placesIn(await this.#allOf(collection)))
    }
    const prefix = path === '' ? '' : `${path}/`
    const directories = children.directories.map(({ name, documents: count }) =>
      this.#directory(collection, `${prefix}${name}`, count),
    )
    return { collection, path, directories, documents: documents.map(toListItem) }
  }

  #allOf(collection: string): Promise<Document[]> {
    return this.#store.documents.list({ collections: [collection] })
  }

  async #collections(): Promise<ListAnswer> {
    const collections = await this.#store.collections.list()
    const directories = collections.map(({ name, documents }) => {
      const context = this.#contexts.find(name, '')
      return { path: name, documents, ...(context !== undefined && { context }) }
    })
    return { collection: null, path: '', directories, documents: [] }
  }

  #directory(collection: string, path: string, documents: number): ListAnswer['directories'][number] {
    const own = this.#contexts.all(collection, path).find(({ prefix }) => prefix === `/${path}`)
    return { path, documents, ...(own && { context: own.text }) }
  }

  /** Those that a path or a glob stands for; why there are none. */
  async #matching(part: string): Promise<readonly Document[] | ContextError> {
    const isGlob = /[*?[{]/.test(part)
    try {
      return [part.startsWith('#') ? await this.#byDocid(part) : await this.#byPath(part)]
    } catch (error) {
      if (!(error instanceof ContextError) || error.code === 'unavailable') throw error
      if (!isGlob) return error
    }
    const found = await this.#byGlob(part.replace(/^(?:ambit|qfs|qmd):\/\//, ''))
    return found.length > 0 ? found : new ContextError('not-found', 'There is no such document.')
  }

  /** Of a paused collection, too, if the pattern begins with its name. */
  async #byGlob(pattern: string): Promise<readonly Document[]> {
    const { matches } = globs([pattern.includes('/') ? pattern : `**/${pattern}`])
    const collections = (await this.#store.collections.list()).filter(
      ({ name, isPaused }) => !isPaused || pattern.startsWith(`${name}/`),
    )
    if (collections.length === 0) return []
    const all = await this.#store.documents.list({ collections: collections.map(({ name }) => name) })
    return all.filter(({ collection, path }) => matches(`${collection}/${path}`))
  }

  async #byPath(text: string): Promise<Document> {
    const address = await readAddress(text, this.#store)
    const document = await this.#store.documents.find(address.collection, address.path)
    if (document) return document
    const paths = (await this.#allOf(address.collection)).map(({ path }) => path)
    throw this.#absent(address, paths)
  }

  /** `paths`: what there is in the collection. */
  #absent({ collection, path }: Address, paths: readonly string[]): ContextError {
    const place = path === '' ? collection : `${collection}/${path}`
    const near = nearest(path, paths).map((one) => `${collection}/${one}`)
    const isDirectory = path === '' || paths.some((one) => one.startsWith(`${path}/`))
    const hint = isDirectory
      ? `It holds documents: see "ambit ls ${place}".`
      : near.length > 0
        ? `Near to it: ${near.join(', ')}.`
        : `See "ambit ls ${collection}".`
    return new ContextError('not-found', `There is no document ${place}.`, { hint })
  }

  async #byDocid(docid: string): Promise<Document> {
    const prefix = docid.slice(1).toLowerCase()
    if (!/^[0-9a-f]{6,64}$/.test(prefix)) {
      const hint = 'A docid is # and six hexadecimal digits or more, as in #a1b2c3d4.'
      throw invalidInput(`"${docid}" is no docid.`, hint)
    }
    const found = await this.#store.documents.byHash(prefix, 10)
    const hashes = new Set(found.map(({ hash }) => hash))
    const [first] = found
    if (first && hashes.size === 1) return first
    if (!first)
      throw new ContextError('not-found', `There is no document ${docid}.`, {
        hint: 'It may have changed: search again.',
      })
    const hint = `Give more of it, or a path: ${found.map(({ collection, path }) => `${collection}/${path}`).join(', ')}.`
    throw new ContextError('conflict', `${docid} stands for ${hashes.size} documents.`, { hint })
  }

  #answer(document: Document, text: string, asked?: string): GetAnswer {
    const { collection, path, title } = document
    const starts = lineStarts(text)
    const total = text === '' ? 0 : starts.length - (starts.at(-1) === text.length ? 1 : 0)
    const { start, end } = asked === undefined ? { start: 1, end: total } : rangeOf(asked, total, document)
    const shown = asked === undefined ? text : text.slice(starts[start - 1] ?? text.length, starts[end] ?? text.length)
    const contexts = this.#contexts.all(collection, path)
    const lines = { start, end, total }
    return {
      uri: uriOf({ collection, path }),
      docid: docidOf(document),
      collection,
      path,
      title,
      text: shown,
      lines,
      ...(contexts.length > 0 && { context: contexts.map((context) => context.text).join('\n\n') }),
    }
  }
}

/** What is not given is told one by one, up to so many. */
const MOST_LEFT = 20

function limitLeft(left: MultiGetAnswer['left'], pattern: string): MultiGetAnswer['left'] {
  if (left.length <= MOST_LEFT) return left
  const detail = `${left.length - MOST_LEFT} more are not given. Narrow it down, or ask for more bytes.`
  return [...left.slice(0, MOST_LEFT), { path: pattern, detail }]
}

/** The paths of documents, and of the directories that they are in. */
function placesIn(documents: readonly Document[]): string[] {
  const places = new Set<string>()
  for (const { path } of documents) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) places.add(path.slice(0, at))
    places.add(path)
  }
  return [...places]
}

function toListItem(document: Document): ListAnswer['documents'][number] {
  const { collection, path, title, size, modifiedAt } = document
  return { path, uri: uriOf({ collection, path }), docid: docidOf(document), title, bytes: size, modifiedAt }
}

/** Of `10-20`, `10-` or `10`. @throws ContextError for what is none, and for lines behind the last. */
function rangeOf(text: string, total: number, { collection, path }: Address): { start: number; end: number } {
  const [, from = '', dash, to = ''] = /^(\d+)(-?)(\d*)$/.exec(text) ?? []
  const start = Number(from)
  const end = dash ? (to === '' ? Number.POSITIVE_INFINITY : Number(to)) : start
  if (start > Math.max(1, total) && end >= start) {
    const message = `${collection}/${path} has ${total === 0 ? 'no lines' : `only ${countNoun(total, 'line')}`}.`
    const hint = `"${text}" is behind its end${total === 0 ? '.' : `: ask for some of 1-${total}.`}`
    throw invalidInput(message, hint)
  }
  if (start >= 1 && end >= start) return { start, end: Math.min(end, total) }
  throw invalidInput(`"${text}" is no range of lines.`, 'For example: 10-20, 10- or 10.')
}
