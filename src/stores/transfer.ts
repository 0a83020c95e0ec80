import { type AnswerOf, count, object, recordOf, text } from '../core/answer.ts'
import { ContextError } from '../core/errors.ts'
import { type Migrated, migrated, type Store } from './store.ts'
import type { ImportStoreRequest } from './transfer/store-import.ts'
import type { createUploads } from './uploads.ts'

/** The fields of the answer to an export or import. */
const transferFields = {
  /** Absolute. */
  file: text,
  database: text,
  rows: count,
  /** Number of rows of each table. */
  tables: recordOf(count),
}
export const importStoreAnswer = () => object(transferFields)
/** `lost`: number of uploads that the file lacks, because their bytes were not found. */
export const exportStoreAnswer = () => object({ ...transferFields, 'lost?': count })
export type TransferAnswer = AnswerOf<typeof exportStoreAnswer>
export const migrateAnswer = () => object({ ...migrated, moved: count })

interface UpkeepParts {
  store(): Promise<Store>
  close(): Promise<void>
  /** Brings the tables up to date. */
  readonly migrate: (() => Promise<Migrated>) | undefined
  readonly uploads: Pick<ReturnType<typeof createUploads>, 'moveAll'>
}

export type Upkeep = ReturnType<typeof createUpkeep>

/** Operations on a whole store. Call them only while nothing else uses the store. Their modules load at the first use. */
export function createUpkeep({ store, close, migrate, uploads }: UpkeepParts) {
  return {
    /** Brings the tables of the database up to date, or creates them. Then moves uploads out of the database to their place. */
    migrate: async (signal?: AbortSignal): Promise<AnswerOf<typeof migrateAnswer>> => {
      if (!migrate) throw noDatabase()
      await close()
      const migrated = await migrate()
      return { ...migrated, moved: await uploads.moveAll(store, signal) }
    },
    /** Writes the whole content to a new file. */
    exportTo: async (path: string, signal?: AbortSignal): Promise<TransferAnswer> =>
      (await import('./transfer/store-export.ts')).exportStore(await store(), path, signal),
    /** Imports a file of `exportTo`. */
    importFrom: async (request: ImportStoreRequest, signal?: AbortSignal) =>
      (await import('./transfer/store-import.ts')).importStore(await store(), request, signal),
  }
}

export function noDatabase(): ContextError {
  return new ContextError('unavailable', 'This engine has no database of its own.', { hint: 'Create it with open().' })
}
