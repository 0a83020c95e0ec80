/** Answers of the commands on collections, as plain data. A collection is a named directory or bucket with an index. */

import {
  type AnswerOf,
  array,
  count,
  flag,
  number,
  object,
  oneOf,
  text,
  textOrNull,
  trueOrAbsent,
  withDescription,
} from '../core/answer.ts'
import { WHYS } from '../core/flow.ts'
import { collectionRow } from '../stores/library.ts'

export * from './path-contexts/answers.ts'

const span = () => object({ start: count, end: count })

/** The fields of a matched passage of a document. */
const hitSection = {
  snippet: text,
  /** Line numbers of the snippet in the document, from 1. */
  lines: span(),
  /** Matched words in the snippet, in UTF-16 units. */
  highlights: array(span()),
  /** Headings above the passage, outermost first. */
  headings: array(text),
}
const hitSectionSchema = () => object(hitSection)
export type HitSection = AnswerOf<typeof hitSectionSchema>

/** A path context (a note on all files below a path). `prefix`: the path; `/` for a collection and everything. */
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
     * By words: the share of the highest possible score. By meaning: the cosine. By both: the fused score. Reranked:
     * the score of the model; the logistic function maps scores outside of 0 to 1.
     */
    score: withDescription(number, '0 to 1'),
    ...hitSection,
    /** The path contexts of the place, joined by a blank line. Absent under a budget, and if no path context applies. */
    'context?': text,
    /** Path contexts, general to specific. Under a budget, `text` is only in the first result that has the context. */
    contexts: array(object({ ...appliedContext, 'text?': text })),
    'sections?': array(hitSectionSchema()),
    'text?': text,
    'explain?': object({
      matchedTerms: array(text),
      missingTerms: array(text),
      titlePairs: number,
      exactTitle: flag,
      /** Rank in the list of matches by words and in the list by meaning, from 1. Absent if the list lacks the document. */
      'lexical?': object({ rank: count, score: number }),
      'vector?': object({ rank: count, cosine: number }),
      /** Rank by the reranking model, from 1. */
      'rerank?': object({ rank: count, score: withDescription(number, 'as the model gave it') }),
    }),
  })
export type SearchResult = AnswerOf<typeof result>

const facet = () => array(object({ value: text, count }))
/**
 * Counts of results by collection, type, folder and date. A list ignores its own filter, but obeys the other filters.
 */
const searchFacets = () =>
  object({
    collections: facet(),
    /** File extensions; `''` for none. */
    types: facet(),
    /** Top-level folders of collections, as globs of paths. */
    folders: facet(),
    /** Dates of changes, the latest first. */
    changed: facet(),
    /** Number of counted results: at most the best 1,000. */
    counted: count,
  })
export type SearchFacets = AnswerOf<typeof searchFacets>

const searchMode = oneOf('lexical', 'vector', 'hybrid')
/** How to search: by words (lexical), by meaning (vector), or by both (hybrid). */
export type SearchMode = AnswerOf<typeof searchMode>

export const searchAnswer = () =>
  object({
    query: text,
    mode: searchMode,
    /** The requested ways to search that failed. */
    degraded: array(text),
    results: array(result()),
    /** Number of documents that contain any of the words. */
    total: count,
    /** Number of results without room in the budget; absent without a budget. */
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
    /** The lines of `text`, from 1, and the number of lines of the document. */
    lines: object({ start: count, end: count, total: count }),
    /** The path contexts of its place. */
    'context?': text,
    /** A sentence if the name also names a document on disk. */
    'notice?': text,
  })
export type GetAnswer = AnswerOf<typeof getAnswer>

/** `left`: requested documents that are not in the answer, with the reason. */
export const multiGetAnswer = () =>
  object({ documents: array(getAnswer()), left: array(object({ path: text, detail: text })) })
export type MultiGetAnswer = AnswerOf<typeof multiGetAnswer>

export const listAnswer = () =>
  object({
    collection: textOrNull,
    path: text,
    directories: array(object({ path: text, documents: count, 'context?': text })),
    documents: array(object({ path: text, uri: text, docid: text, title: text, bytes: count, modifiedAt: text })),
    /** A sentence if the same text also names a place on disk. */
    'notice?': text,
  })
export type ListAnswer = AnswerOf<typeof listAnswer>

/** State of a file in the index. */
const indexState = {
  'docid?': text,
  'title?': text,
  /** Whether the file has changed since it was indexed. */
  'isStale?': trueOrAbsent,
  /** Why the file or its content is not indexed. Absent for indexed files, and for files that the next update will index. */
  'why?': oneOf(...WHYS),
  'detail?': text,
}

const browseEntry = () =>
  object({
    name: text,
    /** `other`: it exists, but cannot be opened, for the reason in `why` and `detail`. */
    kind: oneOf('directory', 'file', 'other'),
    /** Size of a file in bytes. */
    'size?': count,
    'modifiedAt?': text,
    /** Number of documents below a directory; absent if it is not indexed. */
    'documents?': count,
    /** Number of entries below a directory of a data package. */
    'files?': count,
    'isIndexed?': flag,
    ...indexState,
    /** The path context of this place alone. */
    'context?': text,
  })
export type BrowseEntry = AnswerOf<typeof browseEntry>

const browsedFile = () =>
  object({ name: text, size: count, modifiedAt: text, etag: text, 'version?': text, isIndexed: flag, ...indexState })
export type BrowsedFile = AnswerOf<typeof browsedFile>
export type IndexState = Omit<BrowsedFile, 'name' | 'size' | 'modifiedAt' | 'etag' | 'version'>

export interface BrowseRequest {
  /** `collection/path`, a uri, or a path on disk inside a collection. Default: the collections. */
  readonly place?: string | undefined
  /** Maximum number of entries. Default: 1,000. */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
}

export const browseAnswer = () =>
  object({
    /** Null for a list of collections. */
    collection: textOrNull,
    /** The path without slashes around it; `''` is the collection itself. */
    path: text,
    uri: textOrNull,
    /** The bucket of S3 that the collection is in; null for a directory. */
    bucket: textOrNull,
    /** Path contexts of the place and of the places above, from general to specific. */
    contexts: array(object({ ...appliedContext, text })),
    /** In byte order; a directory sorts as if it ended with a slash. Empty for a file. */
    entries: array(browseEntry()),
    /** The `after` of a request for the next page. */
    'next?': text,
    /** The place itself, when it is a file. */
    'file?': browsedFile(),
    /** The listed revision, for a place in a data package. */
    'package?': object({ name: text, hash: text }),
    /** A sentence that names the chosen place, if a directory and a data package have the same name. */
    'choice?': text,
    /** For a directory on disk: as in `FolderAnswer`. */
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
    /** The parent directory; null if it may not be opened. */
    parent: textOrNull,
    directories: folders(),
    /** Paths relative to the directory. */
    files: array(text),
    /** Whether there are more files or directories than in the answer, or more files than were compared. */
    isPartial: flag,
  })
export type FolderAnswer = AnswerOf<typeof folderAnswer>

/** Numbers of files in an update, by result. */
const fileCounts = {
  added: count,
  changed: count,
  /** Files with a new path and the same content. */
  moved: count,
  removed: count,
  unchanged: count,
  /** Files without text to search: binary, empty, too large, secret. */
  skipped: count,
  /** Files that could not be read. */
  failed: count,
}

/** `problem`: why the root could not be read; the index of the collection is then unchanged. */
const indexedCollection = () =>
  object({
    name: text,
    ...fileCounts,
    left: array(object({ path: text, why: text, detail: text })),
    'problem?': text,
  })
export type IndexedCollection = AnswerOf<typeof indexedCollection>

/** Counts of files in an update, for all collections together and for each collection. */
export const indexAnswer = () => object({ ...fileCounts, collections: array(indexedCollection()) })
export type IndexAnswer = AnswerOf<typeof indexAnswer>

export const collectionsAnswer = () => object({ collections: array(object(collectionRow)) })
export const collectionAnswer = () => object(collectionRow)

/** `skipped`: number of files that are not indexed. `problem`: why the root cannot be read. */
const collectionStatus = () => object({ ...collectionRow, skipped: count, isIndexing: flag, 'problem?': text })
export type CollectionStatus = AnswerOf<typeof collectionStatus>

export const statusAnswer = () =>
  object({
    /** Path of the database. */
    database: text,
    bytes: count,
    documents: count,
    segments: count,
    /** Absent without an embedding model. `documents`: number of documents with vectors. */
    'embedding?': object({ model: text, documents: count, missing: count, chunks: count }),
    collections: array(collectionStatus()),
  })
export type StatusAnswer = AnswerOf<typeof statusAnswer>

export const rebuildAnswer = () =>
  object({
    /** Path of the old database. */
    aside: text,
    /** Names of data in the old database that could not be read. */
    lost: array(text),
    collections: count,
    contexts: count,
    conversations: count,
    research: count,
    tokens: count,
    /** Absent when no collection could be read. */
    'index?': indexAnswer(),
    /** Sentences that name what could not be copied or indexed. */
    problems: array(text),
  })
export type RebuildAnswer = AnswerOf<typeof rebuildAnswer>
