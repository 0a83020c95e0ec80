/** Stores research: sessions, their files, the logs of their runs, and results derived from files. */

import type { createRunStore } from './statements/runs.ts'

export {
  aliasFor,
  type NewFile,
  type StoredFile,
  type StoredRecord,
  type StoredSession,
} from './statements/run-data.ts'

export type RunStore = ReturnType<typeof createRunStore>
