import { type AnswerOf, array, count, flag, object, oneOf, text, trueOrAbsent } from '../../core/answer.ts'
import { pathContextRow } from '../../stores/library.ts'

export const pathContextsAnswer = () => object({ contexts: array(object(pathContextRow)) })
export type PathContextsAnswer = AnswerOf<typeof pathContextsAnswer>

/** `notice`: a sentence for the person. */
export const addedContext = () => object({ ...pathContextRow, 'notice?': text })
export type AddedContext = AnswerOf<typeof addedContext>

const { collection, pathPrefix, context } = pathContextRow
export const removedContext = () => object({ collection, pathPrefix, removed: trueOrAbsent })
export type RemovedContext = AnswerOf<typeof removedContext>

/** `suggestion`: a command that adds a path context, with a placeholder as its text. */
const undescribed = { documents: count, suggestion: text }
export const contextsCheckAnswer = () =>
  object({
    collections: array(object({ name: text, ...undescribed })),
    /** Top-level folders of a collection without a path context. `path`: without a leading slash. */
    paths: array(object({ collection: text, path: text, ...undescribed })),
    /** Path contexts of places with no document at or below them, and of collections that are gone. */
    stale: array(object({ collection, pathPrefix, context })),
    strict: flag,
  })
export type ContextsCheck = Omit<AnswerOf<typeof contextsCheckAnswer>, 'strict'>

/**
 * Items of an imported configuration. `name`: a collection, setting or place of a context. `why`: why it was skipped.
 */
const importItems = () => array(object({ kind: oneOf('collection', 'context', 'setting'), name: text, 'why?': text }))
export const importAnswer = () =>
  object({
    added: importItems(),
    /** Contexts that replaced another text. */
    updated: importItems(),
    unchanged: importItems(),
    skipped: importItems(),
  })
export type ImportAnswer = AnswerOf<typeof importAnswer>
