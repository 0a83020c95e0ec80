/** Answers of the commands on collections. Plain data. */

import {
  type AnswerOf,
  array,
  count,
  flag,
  number,
  object,
  oneOf,
  set,
  text,
  textOrNull,
  withDescription,
} from '../core/answer.ts'
import { WHYS } from '../core/flow.ts'
import { collectionRow } from '../stores/library.ts'

export * from './path-contexts/answers.ts'

const span = () => object({ start: count, end: count })

/** Lines of a document that were found. */
const hitSection = {
  snippet: text,
  /** From 1. */
  lines: span(),
  /** Matched words in the snippet, in UTF-16 units. */
  highlights: array(span()),
  /** The headings that it stands under, the outermost first. */
  headings: array(text),
}
const hitSectionSchema = () => object(hitSection)
export type HitSection = AnswerOf<typeof hitSectionSchema>

/** `prefix`: the place that it was said of, with a leading slash; `/` for a whole collection, and for everything. */
const appliedContext = { scope: oneOf('global', 'collection', 'path'), prefix: text }

const result = () =>
  object({
    /** Short name of the content: `#` and eight hexadecimal digits. */
    docid: text,
    collection: text,
    path: text,
    uri: text,
    title: text,
    /**
     * By words, the share of what a document could have scored; by meaning, the cosine of the angle; by both, what
     * the two come to together; reranked, the score of the model, by the logistic function where it is not 0 to 1.
     */
    score: withDescription(number, '0 to 1'),
    ...hitSection,
    /** The path contexts of the place, joined by a blank line. Absent under a budget, and where there are none. */
    'context?': text,
    /** From the general to the specific. Under a budget, the text stands in the first result that it applies to. */
    contexts: array(object({ ...appliedContext, 'text?': text })),
    'sections?': array(hitSectionSchema()),
    'text?': text,
    'explain?': object({
      matchedTerms: array(text),
      missingTerms: array(text),
      titlePairs: number,
      exactTitle: flag,
      /** Its place in the list by words, and by meaning, from 1; absent where it is in none. */
      'lexical?': object({ rank: count, score: number }),
      'vector?': object({ rank: count, cosine: number }),
      /** Its place in the model's order, from 1. */
      'rerank?': object({ rank: count, score: withDescription(number, 'as the model gave it') }),
    }),
  })
export type SearchResult = AnswerOf<typeof result>

const facet = () => array(object({ value: text, count }))
/** Each list counts the hits that meet the filters of the other lists. */
const searchFacets = () =>
  object({
    collections: facet(),
    /** Endings of file names; `''` where there is none. */
    types: facet(),
    /** Folders at the top of a collection, as globs of paths. */
    folders: facet(),
    /** Days since which something was changed, the latest first. */
    changed: facet(),
    /** Hits that were counted: of more, the best 1,000. */
    counted: count,
  })
export type SearchFacets = AnswerOf<typeof searchFacets>

const searchMode = oneOf('lexical', 'vector', 'hybrid')
/** By words, by meaning, or by both. */
export type SearchMode = AnswerOf<typeof searchMode>

export const searchAnswer = () =>
  object({
    query: text,
    mode: searchMode,
    /** Ways to search that were asked for and did not answer. */
    degraded: array(text),
    results: array(result()),
    /** Documents that hold any of the words. */
    total: count,
    /** Results that have no room in the budget; absent without one. */
    'dropped?': count,
    'facets?': searchFacets(),
    notices: array(text),
  })
export type SearchAnswer = AnswerOf<typeof searchAnswer>

/** A document, or some lines of it. */
export const getAnswer = () =>
  object({
    uri: text,
    docid: text,
    collection: text,
    path: text,
    title: text,
    text,
    /** Those that `text` is, from 1, and how many there are. */
    lines: object({ start: count, end: count, total: count }),
    /** The path contexts of its place. */
    'context?': text,
    /** Says so where its name names another document on disk, too. */
    'notice?': text,
  })
export type GetAnswer = AnswerOf<typeof getAnswer>

/** `left`: what was asked for and is not given, and why. */
export const multiGetAnswer = () =>
  object({ documents: array(getAnswer()), left: array(object({ path: text, detail: text })) })
export type MultiGetAnswer = AnswerOf<typeof multiGetAnswer>

export const listAnswer = () =>
  object({
    collection: textOrNull,
    path: text,
    directories: array(object({ path: text, documents: count, 'context?': text })),
    documents: array(object({ path: text, uri: text, docid: text, title: text, bytes: count, modifiedAt: text })),
    /** Says so where the place names another one on disk, too. */
    'notice?': text,
  })
export type ListAnswer = AnswerOf<typeof listAnswer>

/** State of a file in the index. */
const indexState = {
  'docid?': text,
  'title?': text,
  /** It was changed since it was indexed. */
  'isStale?': set,
  /** Why it, or what is in it, is not indexed. Absent for what is, and for what is not indexed yet. */
  'why?': oneOf(...WHYS),
  'detail?': text,
}
const indexStateSchema = () => object({ isIndexed: flag, ...indexState })
export type IndexState = AnswerOf<typeof indexStateSchema>

const browseEntry = () =>
  object({
    name: text,
    /** `other`: it is there, and cannot be opened; `why` and `detail` say why. */
    kind: oneOf('directory', 'file', 'other'),
    /** Bytes, of a file. */
    'size?': count,
    'modifiedAt?': text,
    /** Of a directory: how many are below it. Absent where no index knows. */
    'documents?': count,
    /** Of a directory in a data package: how many entries are below it. */
    'files?': count,
    'isIndexed?': flag,
    ...indexState,
    /** The path context of this very place. */
    'context?': text,
  })
export type BrowseEntry = AnswerOf<typeof browseEntry>

const browsedFile = () =>
  object({ name: text, size: count, modifiedAt: text, etag: text, 'version?': text, isIndexed: flag, ...indexState })
export type BrowsedFile = AnswerOf<typeof browsedFile>

export interface BrowseRequest {
  /** `collection/path`, a uri, or a path on disk inside a collection. Default: the collections. */
  readonly place?: string | undefined
  /** Most entries. Default: 1,000. */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
}

export const browseAnswer = () =>
  object({
    /** Null where the collections are listed. */
    collection: textOrNull,
    /** Without slashes around it; `''` is the collection itself. */
    path: text,
    uri: textOrNull,
    /** The bucket of S3 that the collection is in; null for a directory. */
    bucket: textOrNull,
    /** Of the place and of those that it is in, from general to specific. */
    contexts: array(object({ ...appliedContext, text })),
    /** In the order of their bytes, a directory as if it had a slash at its end. None for a file. */
    entries: array(browseEntry()),
    /** Cursor for more results, as `after`. */
    'next?': text,
    /** The place itself, when it is a file. */
    'file?': browsedFile(),
    /** The revision that is listed, of a place in a data package. */
    'package?': object({ name: text, hash: text }),
    /** Of a directory that a data package is called like: which was taken. */
    'choice?': text,
    /** Of a directory on disk: as `FolderAnswer` has it. */
    'parent?': textOrNull,
    'directories?': folders(),
    'files?': array(text),
    'isPartial?': flag,
  })
export type BrowseAnswer = AnswerOf<typeof browseAnswer>

const folders = () => array(object({ name: text, path: text, 'collection?': text }))

const folderAnswer = () =>
  object({
    /** Absolute. */
    path: text,
    /** The directory above; null where that may not be opened. */
    parent: textOrNull,
    directories: folders(),
    /** Paths seen from the directory. */
    files: array(text),
    /** There are more than were looked at, or than are given. */
    isPartial: flag,
  })
export type FolderAnswer = AnswerOf<typeof folderAnswer>

/** Counts of files of an update. */
const updateCounts = {
  added: count,
  changed: count,
  /** Found under another path, with the same content. */
  moved: count,
  removed: count,
  unchanged: count,
  /** Without text to search: binary, empty, too large, secret. */
  skipped: count,
  /** Could not be read. */
  failed: count,
}

/** `problem`: why its root could not be walked, and nothing was done. */
const indexedCollection = () =>
  object({
    name: text,
    ...updateCounts,
    left: array(object({ path: text, why: text, detail: text })),
    'problem?': text,
  })
export type IndexedCollection = AnswerOf<typeof indexedCollection>

/** Counts of an update, over all collections and for each. */
export const indexAnswer = () => object({ ...updateCounts, collections: array(indexedCollection()) })
export type IndexAnswer = AnswerOf<typeof indexAnswer>

export const collectionsAnswer = () => object({ collections: array(object(collectionRow)) })
export const collectionAnswer = () => object(collectionRow)

/** `skipped`: files that were left out. `problem`: why its root cannot be walked. */
const collectionStatus = () => object({ ...collectionRow, skipped: count, isIndexing: flag, 'problem?': text })
export type CollectionStatus = AnswerOf<typeof collectionStatus>

export const statusAnswer = () =>
  object({
    /** Path of the database. */
    database: text,
    bytes: count,
    documents: count,
    segments: count,
    /** Absent when no model is set. Documents: those that have vectors. */
    'embedding?': object({ model: text, documents: count, missing: count, chunks: count }),
    collections: array(collectionStatus()),
  })
export type StatusAnswer = AnswerOf<typeof statusAnswer>

/** Result of a rebuild. */
export const rebuildAnswer = () =>
  object({
    /** Path of the old database. */
    aside: text,
    lost: array(text),
    collections: count,
    contexts: count,
    conversations: count,
    /** Sessions of research. */
    research: count,
    tokens: count,
    /** Absent when no collection could be read. */
    'index?': indexAnswer(),
    /** Data that could not be copied, a sentence each. */
    problems: array(text),
  })
export type RebuildAnswer = AnswerOf<typeof rebuildAnswer>
