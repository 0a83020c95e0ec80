import { ContextError } from '../core/errors.ts'
import type { Document } from '../stores/document-store.ts'
import type { Store } from '../stores/store.ts'
import { uriOf } from '../text/collection-uri.ts'
import { countNoun } from '../text/counts.ts'
import { globs, patternsOf } from '../text/globs.ts'
import { lineStarts } from '../text/lines.ts'
import { foldersAbove } from '../text/paths.ts'
import type { GetAnswer, ListAnswer, MultiGetAnswer } from './answers.ts'
import { readAddress } from './library/address.ts'
import {
  absentDocument,
  clipLineRange,
  type DocumentLines,
  findDocument,
  findExactly,
  type NamedDocument,
  readLineRange,
  similarHint,
} from './library/find-document.ts'
import { rankPaths } from './library/rank-paths.ts'
import type { ContextResolver } from './path-contexts.ts'
import { docidOf } from './search.ts'

interface ShownLines {
  readonly range?: DocumentLines | undefined
  readonly maxLines?: number | undefined
}

/** Maximum bytes of all texts of an answer: 256 KiB. */
const MAX_BYTES = 256 * 1024

/** Reads documents of a store. */
export class Documents {
  readonly #store: Store
  readonly #contexts: ContextResolver

  constructor(store: Store, contexts: ContextResolver) {
    this.#store = store
    this.#contexts = contexts
  }

  /**
   * @param path `c/p`, a uri, a path on the disk, `#docid`, or the end of the path of one document, such as `p.md`; then optionally `:10` (from that
   * line on), `:10-20` or `:10:5` (five lines from line 10)
   * @param lines `10-20`, `10-`, `10` or `10:5`, instead of lines after the path
   * @param maxLines maximum number of lines. Default: all.
   * @throws ContextError `not-found`, with the nearest paths; `invalid-input` for lines that it does not have; `conflict` for an ambiguous name.
   */
  async get(path: string, lines?: string, maxLines?: number): Promise<GetAnswer> {
    const found = await findDocument(path, this.#store)
    const range = lines === undefined ? found.lines : readLineRange(lines)
    return addNotice(await this.#answer(found.document, { range, maxLines }), found)
  }

  /**
   * The documents of paths, docids and globs such as `docs/**`, separated by commas. A path may name lines, as for `get`.
   *
   * @param mostBytes maximum bytes of all texts together. Default: 262,144.
   * @param maxLines maximum number of lines of each document. Default: all.
   */
  async multiGet(
    pattern: string | readonly string[],
    mostBytes = MAX_BYTES,
    maxLines?: number,
  ): Promise<MultiGetAnswer> {
    const wanted: NamedDocument[] = []
    const left: { path: string; detail: string }[] = []
    for (const name of await this.#partsOf(pattern)) {
      const some = await this.#matching(name).catch(asRefusal)
      if (some instanceof ContextError) left.push(leftBy(name, some))
      else wanted.push(...some)
    }
    const documents: GetAnswer[] = []
    let bytes = 0
    for (const { document, lines: range, notice } of withoutRepeats(wanted)) {
      const full = `${document.collection}/${document.path}`
      const answer = await this.#answer(document, { range, maxLines }).catch(asRefusal)
      if (answer instanceof ContextError) {
        left.push(leftBy(full, answer))
        continue
      }
      const size = Buffer.byteLength(answer.text)
      if (bytes + size > mostBytes) {
        const detail = `It has ${size} bytes; ${Math.max(0, mostBytes - bytes)} of ${mostBytes} are left. Get it alone, or by lines.`
        left.push({ path: full, detail })
        continue
      }
      bytes += size
      documents.push(addNotice(answer, { notice }))
    }
    return { documents, left: limitLeft(left) }
  }

  /** The content of a place: directories with the number of documents below, and documents. Without a place: collections. */
  async list(place?: string): Promise<ListAnswer> {
    if (place === undefined || place === '/') return this.#collections()
    const { collection, path, notice } = await readAddress(place, this.#store)
    const children = await this.#store.documents.children(collection, path)
    const own = path === '' ? undefined : await this.#store.documents.find(collection, path)
    const documents = own ? [own, ...children.documents] : children.documents
    if (path !== '' && documents.length === 0 && children.directories.length === 0) {
      throw absentDocument(
        { collection, path },
        placesIn(await this.#store.documents.list({ collections: [collection] })),
      )
    }
    const prefix = path === '' ? '' : `${path}/`
    const directories = children.directories.map(({ name, documents: count }) =>
      this.#directory(collection, `${prefix}${name}`, count),
    )
    return addNotice({ collection, path, directories, documents: documents.map(toListItem) }, { notice })
  }

  /**
   * Documents whose paths contain the typed letters in their order; the best first.
   *
   * @param place a collection, or a directory in one. Default: all collections that are not paused.
   */
  async match(letters: string, place: string | undefined, limit: number): Promise<ListAnswer> {
    const within = place === undefined || place === '/' ? undefined : await readAddress(place, this.#store)
    const all = await this.#store.documents.list(within ? { collections: [within.collection] } : {})
    const below = within && within.path !== '' ? all.filter(({ path }) => path.startsWith(`${within.path}/`)) : all
    const documents = rankPaths(below, letters, limit).map(toListItem)
    return { collection: within?.collection ?? null, path: within?.path ?? '', directories: [], documents }
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

  /** Splits names at commas, unless a document of the whole name exists. */
  async #partsOf(names: string | readonly string[]): Promise<string[]> {
    const parts: string[] = []
    for (const name of typeof names === 'string' ? [names] : names) {
      const exact = name.includes(',') ? await findExactly(name, this.#store).catch(asRefusal) : undefined
      parts.push(...(exact && !(exact instanceof ContextError) ? [name] : patternsOf(name)))
    }
    return parts
  }

  /** The documents of a path or a glob. @throws ContextError if there are none. */
  async #matching(part: string): Promise<readonly NamedDocument[]> {
    const isGlob = /[*?[{]/.test(part) && !part.startsWith('[[')
    if (!isGlob) return [await findDocument(part, this.#store)]
    const exact = await findExactly(part, this.#store).catch(asRefusal)
    if (!(exact instanceof ContextError)) return [exact]
    const found = await this.#byGlob(part.replace(/^(?:ambit|qfs|qmd):\/\//, ''))
    if (found.length > 0) return found.map((document) => ({ document }))
    const hint = await similarHint(part, this.#store)
    throw new ContextError('not-found', 'There is no such document.', hint === undefined ? {} : { hint })
  }

  /** Documents that match a pattern; those of a paused collection only if the pattern begins with its name. */
  async #byGlob(pattern: string): Promise<readonly Document[]> {
    const { matches } = globs([pattern.includes('/') ? pattern : `**/${pattern}`])
    const collections = (await this.#store.collections.list()).filter(
      ({ name, isPaused }) => !isPaused || pattern.startsWith(`${name}/`),
    )
    if (collections.length === 0) return []
    const all = await this.#store.documents.list({ collections: collections.map(({ name }) => name) })
    return all.filter(({ collection, path }) => matches(`${collection}/${path}`))
  }

  async #answer(document: Document, { range, maxLines }: ShownLines): Promise<GetAnswer> {
    const text = (await this.#store.documents.texts([document.id])).get(document.id) ?? ''
    const { collection, path, title } = document
    const starts = lineStarts(text)
    const total = text === '' ? 0 : starts.length - (starts.at(-1) === text.length ? 1 : 0)
    const { start, end: last } = range === undefined ? { start: 1, end: total } : clipLineRange(range, total, document)
    const end = Math.min(last, start + (maxLines ?? total) - 1)
    const isWhole = start === 1 && end === total
    const shown = isWhole ? text : text.slice(starts[start - 1] ?? text.length, starts[end] ?? text.length)
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

function addNotice<Answer>(answer: Answer, { notice }: { readonly notice?: string | undefined }): Answer {
  return notice === undefined ? answer : { ...answer, notice }
}

/** Returns an error that the caller caused. Rethrows others. */
function asRefusal(error: unknown): ContextError {
  if (error instanceof ContextError && error.code !== 'unavailable') return error
  throw error
}

function leftBy(path: string, { message, hint = '' }: ContextError) {
  return { path, detail: `${message} ${hint}`.trimEnd() }
}

/** Drops repeated requests for the same lines of a document. */
function withoutRepeats(wanted: readonly NamedDocument[]): NamedDocument[] {
  const keyOf = ({ document, lines }: NamedDocument) => `${document.id}:${lines?.start}-${lines?.end}`
  return [...new Map(wanted.map((one) => [keyOf(one), one])).values()]
}

/** Maximum number of documents that an answer lists as left out. */
const MAX_LEFT = 20

function limitLeft(left: MultiGetAnswer['left']): MultiGetAnswer['left'] {
  if (left.length <= MAX_LEFT) return left
  const more = left.length - MAX_LEFT
  const detail = `${more} more are left out. Use a narrower pattern, or allow more bytes.`
  return [...left.slice(0, MAX_LEFT), { path: countNoun(more, 'document'), detail }]
}

/** The paths of documents, and of the directories above them. */
function placesIn(documents: readonly Document[]): string[] {
  return [...new Set(documents.flatMap(({ path }) => [...foldersAbove(path).slice(1), path]))]
}

function toListItem(document: Document): ListAnswer['documents'][number] {
  const { collection, path, title, size, modifiedAt } = document
  return { path, uri: uriOf({ collection, path }), docid: docidOf(document), title, bytes: size, modifiedAt }
}
