import type { AnswerOf } from '../core/answer.ts'
import { ContextError } from '../core/errors.ts'
import type { Migrated, Store } from './store.ts'
import type { importStoreAnswer, migrateAnswer, TransferAnswer } from './transfer/answers.ts'
import type { ImportStoreRequest } from './transfer/store-import.ts'

export { exportStoreAnswer, importStoreAnswer, migrateAnswer } from './transfer/answers.ts'

/** What is done with a store as a whole. Only while nothing else is under way. */
export interface Upkeep {
  /**
   * Brings the tables of the database up to date, which makes them where there are none, and moves uploads that are in them
   * to where they are kept now.
   */
  migrate(signal?: AbortSignal): Promise<AnswerOf<typeof migrateAnswer>>
  /** Writes all that is kept to a new file. */
  exportTo(path: string, signal?: AbortSignal): Promise<TransferAnswer>
  /** Puts what is in such a file into a database. */
  importFrom(request: ImportStoreRequest, signal?: AbortSignal): Promise<AnswerOf<typeof importStoreAnswer>>
}

interface Parts {
  store(): Promise<Store>
  /** Ends what is open. */
  close(): Promise<void>
  /** Brings the tables up to date. */
  readonly migrate: (() => Promise<Migrated>) | undefined
  readonly uploads: {
    /** Moves those that are in the database. Returns how many. */
    moveAll(open: () => Promise<unknown>, signal?: AbortSignal): Promise<number>
  }
}

/** What takes long is loaded when it is asked for. */
export function upkeepOf({ store, close, migrate, uploads }: Parts): Upkeep {
  return {
    migrate: async (signal) => {
      if (!migrate) throw noDatabase()
      await close()
      const migrated = await migrate()
      return { ...migrated, moved: await uploads.moveAll(store, signal) }
    },
    exportTo: async (path, signal) =>
      (await import('./transfer/store-export.ts')).exportStore(await store(), path, signal),
    importFrom: async (request, signal) =>
      (await import('./transfer/store-import.ts')).importStore(await store(), request, signal),
  }
}

export function noDatabase(): ContextError {
  return new ContextError('unavailable', 'This engine has no database of its own.', { hint: 'Make it by open().' })
}
