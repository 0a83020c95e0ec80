/** Stores research: sessions, their files, the logs of their runs, and results computed from files. */

import type { createRunStore } from './statements/runs.ts'

export type { NewFile, StoredFile, StoredRecord, StoredSession } from './statements/run-data.ts'

export type RunStore = ReturnType<typeof createRunStore>
