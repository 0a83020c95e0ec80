import { BOUNDS } from '../core/bounds.ts'
import { ContextError, invalidInput } from '../core/errors.ts'
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
  clipLineRange,
  type DocumentLines,
  findDocument,
  findExactly,
  missingDocumentError,
  type NamedDocument,
  readLineRange,
  similarHint,
} from './library/find-document.ts'
import { rankPaths } from './library/rank-paths.ts'
import { placeContext } from './path-contexts/resolver.ts'
import type { ContextResolver } from './path-contexts.ts'
import { docidOf } from './search.ts'

/** Default maximum bytes of all texts of an answer: 256 KiB. */
const DEFAULT_MAX_BYTES = 256 * 1024

/** Reads documents of a store. */
export class Documents {
  readonly #store: Store
  readonly #contexts: ContextResolver

  constructor(store: Store, contexts: ContextResolver) {
    this.#store = store
    this.#contexts = contexts
  }

  /**
   * Reads a document, or some lines of it.
   *
   * @param path `c/p`, a uri, a path on the disk, `#docid`, or the end of the path of one document, such as `p.md`; then optionally `:10` (from that
   * line on), `:10-20` or `:10:5` (five lines from line 10)
   * @param lines `10-20`, `10-`, `10` or `10:5`, instead of lines after the path
   * @param maxLines maximum number of lines. Default: all.
   * @throws ContextError `not-found`, with the nearest paths; `invalid-input` for lines after the end of the document; `conflict` for an ambiguous
   * name.
   */
  async get(path: string, lines?: string, maxLines?: number): Promise<GetAnswer> {
    const named = await findDocument(path, this.#store)
    const lineRange = lines === undefined ? named.lines : readLineRange(lines)
    return addNotice(await this.#toAnswer(named.document, lineRange, maxLines), named)
  }

  /**
   * Reads the documents that paths, docids and globs such as `docs/**` name; commas separate names. A path may name
   * lines, as for `get`.
   *
   * @param maxBytes maximum bytes of all texts together. Default: 262,144.
   * @param maxLines maximum number of lines of each document. Default: all.
   */
  async multiGet(
    pattern: string | readonly string[],
    maxBytes = DEFAULT_MAX_BYTES,
    maxLines?: number,
  ): Promise<MultiGetAnswer> {
    const requested: NamedDocument[] = []
    const omissions: { path: string; detail: string }[] = []
    for (const name of await this.#splitNames(pattern)) {
      const matches = await this.#findMatching(name).catch(catchUserError)
      if (matches instanceof ContextError) omissions.push(toOmission(name, matches))
      else requested.push(...matches)
    }
    const documents: GetAnswer[] = []
    let bytes = 0
    for (const { document, lines: range, notice } of dropRepeated(requested)) {
      const fullPath = `${document.collection}/${document.path}`
      const answer = await this.#toAnswer(document, range, maxLines).catch(catchUserError)
      if (answer instanceof ContextError) {
        omissions.push(toOmission(fullPath, answer))
        continue
      }
      const size = Buffer.byteLength(answer.text)
      if (bytes + size > maxBytes) {
        const detail = `It has ${size} bytes; ${Math.max(0, maxBytes - bytes)} of ${maxBytes} are left. Get it alone, or by lines.`
        omissions.push({ path: fullPath, detail })
        continue
      }
      bytes += size
      documents.push(addNotice(answer, { notice }))
    }
    return { documents, left: limitOmissions(omissions) }
  }

  /** The directories (with numbers of documents) and documents in a place. Without a place: the collections. */
  async list(place?: string): Promise<ListAnswer> {
    if (place === undefined || place === '/') return this.#listCollections()
    const { collection, path, notice } = await readAddress(place, this.#store)
    const children = await this.#store.documents.children(collection, path)
    const ownDocument = path === '' ? undefined : await this.#store.documents.find(collection, path)
    const documents = ownDocument ? [ownDocument, ...children.documents] : children.documents
    if (path !== '' && documents.length === 0 && children.directories.length === 0) {
      const allDocuments = await this.#store.documents.list({ collections: [collection] })
      const paths = new Set(allDocuments.flatMap((one) => [...foldersAbove(one.path).slice(1), one.path]))
      throw missingDocumentError({ collection, path }, [...paths])
    }
    const directories = children.directories.map(({ name, documents: count }) => {
      const directory = path === '' ? name : `${path}/${name}`
      return { path: directory, documents: count, ...placeContext(this.#contexts, { collection, path: directory }) }
    })
    return addNotice({ collection, path, directories, documents: documents.map(toListItem) }, { notice })
  }

  /**
   * Documents whose paths contain the typed letters in their order; the best first.
   *
   * @param place a collection, or a directory in one. Default: all collections that are not paused.
   */
  async match(letters: string, place: string | undefined, limit: number): Promise<ListAnswer> {
    const scope = place === undefined || place === '/' ? undefined : await readAddress(place, this.#store)
    const all = await this.#store.documents.list(scope ? { collections: [scope.collection] } : {})
    const candidates = scope && scope.path !== '' ? all.filter(({ path }) => path.startsWith(`${scope.path}/`)) : all
    const documents = rankPaths(candidates, letters, limit).map(toListItem)
    return { collection: scope?.collection ?? null, path: scope?.path ?? '', directories: [], documents }
  }

  async #listCollections(): Promise<ListAnswer> {
    const directories = (await this.#store.collections.list()).map(({ name, documents }) => {
      const context = this.#contexts.find(name, '')
      return { path: name, documents, ...(context !== undefined && { context }) }
    })
    return { collection: null, path: '', directories, documents: [] }
  }

  /**
   * Splits names at commas, unless a document has the whole name. @throws ContextError `invalid-input` for too many.
   */
  async #splitNames(names: string | readonly string[]): Promise<string[]> {
    const parts: string[][] = []
    for (const name of typeof names === 'string' ? [names] : names) {
      const exact = name.includes(',') ? await findExactly(name, this.#store).catch(catchUserError) : undefined
      parts.push(exact && !(exact instanceof ContextError) ? [name] : patternsOf(name))
    }
    const allNames = [...new Set(parts.flat())]
    if (allNames.length === 0) throw invalidInput('No document is named.', 'For example: "docs/api/*.md".')
    if (allNames.length <= BOUNDS.names) return allNames
    const message = `There are ${allNames.length} names and patterns; at most ${BOUNDS.names} are accepted.`
    throw invalidInput(message, 'Get them in several calls, or by a glob.')
  }

  /** The documents that a path or a glob names. @throws ContextError if there are none. */
  async #findMatching(name: string): Promise<readonly NamedDocument[]> {
    const isGlob = /[*?[{]/.test(name) && !name.startsWith('[[')
    if (!isGlob) return [await findDocument(name, this.#store)]
    const exact = await findExactly(name, this.#store).catch(catchUserError)
    if (!(exact instanceof ContextError)) return [exact]
    const documents = await this.#findByGlob(name.replace(/^(?:ambit|qfs|qmd):\/\//, ''))
    if (documents.length > 0) return documents.map((document) => ({ document }))
    const hint = await similarHint(name, this.#store)
    throw new ContextError('not-found', 'There is no such document.', { hint })
  }

  /** Documents that match a pattern. A paused collection is included only if the pattern begins with its name. */
  async #findByGlob(pattern: string): Promise<readonly Document[]> {
    const { matches } = globs([pattern.includes('/') ? pattern : `**/${pattern}`])
    const collections = (await this.#store.collections.list()).filter(
      ({ name, isPaused }) => !isPaused || pattern.startsWith(`${name}/`),
    )
    const documents = await this.#store.documents.list({ collections: collections.map(({ name }) => name) })
    return documents.filter(({ collection, path }) => matches(`${collection}/${path}`))
  }

  async #toAnswer(document: Document, range?: DocumentLines, maxLines?: number): Promise<GetAnswer> {
    const text = (await this.#store.documents.texts([document.id])).get(document.id) ?? ''
    const { collection, path, title } = document
    const starts = lineStarts(text)
    const total = text === '' ? 0 : starts.length - (starts.at(-1) === text.length ? 1 : 0)
    const { start, end: last } = range === undefined ? { start: 1, end: total } : clipLineRange(range, total, document)
    const end = Math.min(last, start + (maxLines ?? total) - 1)
    const isWhole = start === 1 && end === total
    const shownText = isWhole ? text : text.slice(starts[start - 1] ?? text.length, starts[end] ?? text.length)
    const contexts = this.#contexts.all(collection, path)
    return {
      uri: uriOf({ collection, path }),
      docid: docidOf(document),
      collection,
      path,
      title,
      text: shownText,
      lines: { start, end, total },
      ...(contexts.length > 0 && { context: contexts.map((context) => context.text).join('\n\n') }),
    }
  }
}

function addNotice<Answer>(answer: Answer, { notice }: { readonly notice?: string | undefined }): Answer {
  return notice === undefined ? answer : { ...answer, notice }
}

/** Returns an error that the caller caused. Rethrows every other error. */
function catchUserError(error: unknown): ContextError {
  if (error instanceof ContextError && error.code !== 'unavailable') return error
  throw error
}

function toOmission(path: string, { message, hint = '' }: ContextError) {
  return { path, detail: `${message} ${hint}`.trimEnd() }
}

function dropRepeated(requested: readonly NamedDocument[]): NamedDocument[] {
  const keyOf = ({ document, lines }: NamedDocument) => `${document.id}:${lines?.start}-${lines?.end}`
  return [...new Map(requested.map((named) => [keyOf(named), named])).values()]
}

/** Maximum number of documents that an answer lists as left out. */
const MAX_LISTED_OMISSIONS = 20

function limitOmissions(omissions: MultiGetAnswer['left']): MultiGetAnswer['left'] {
  if (omissions.length <= MAX_LISTED_OMISSIONS) return omissions
  const remaining = omissions.length - MAX_LISTED_OMISSIONS
  const detail = `${remaining} more are left out. Use a narrower pattern, or allow more bytes.`
  return [...omissions.slice(0, MAX_LISTED_OMISSIONS), { path: countNoun(remaining, 'document'), detail }]
}

function toListItem(document: Document): ListAnswer['documents'][number] {
  const { collection, path, title, size, modifiedAt } = document
  return { path, uri: uriOf({ collection, path }), docid: docidOf(document), title, bytes: size, modifiedAt }
}
