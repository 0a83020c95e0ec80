import { type AnswerOf, count, object, recordOf, text } from '../../core/answer.ts'
import { migrated } from '../store.ts'

/** The rows that were exported or imported. */
const transfer = {
  /** Absolute. */
  file: text,
  database: text,
  rows: count,
  /** How many rows of each table. */
  tables: recordOf(count),
}
export const importStoreAnswer = () => object(transfer)
/** `lost`: number of uploads whose bytes were not found, and are not in the file. */
export const exportStoreAnswer = () => object({ ...transfer, 'lost?': count })
export type TransferAnswer = AnswerOf<typeof exportStoreAnswer>
export const migrateAnswer = () => object({ ...migrated, moved: count })
