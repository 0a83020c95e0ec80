import type { SubjectMaker } from './subject.ts'
import { ambitSubject } from './subjects/ambit.ts'
import { fts5Subject } from './subjects/fts5.ts'
import { memorySubjects } from './subjects/memory.ts'
import { postgresSubject } from './subjects/postgres.ts'
import { qmdSubject } from './subjects/qmd.ts'

/** Everything that is measured, the baseline first. */
export const SUBJECTS: readonly SubjectMaker[] = [
  fts5Subject,
  ambitSubject,
  qmdSubject,
  ...memorySubjects,
  postgresSubject,
]
