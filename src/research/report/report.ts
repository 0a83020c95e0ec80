/** The report of a run: its text as Markdown, and everything that it rests on. */

import type { PageDate } from '../../ingest/extracted.ts'
import type { EvidenceKind, NamedValue } from '../run/evidence.ts'
import type { GradedPart, Spent } from '../run/stages.ts'
import type { ReportClaim } from './claims.ts'
import type { Grade } from './report-words.ts'

/** What something is cited by, and where that leads. */
export interface ReportSource {
  readonly ref: string
  readonly kind: EvidenceKind
  readonly title: string
  /** Of a file of the session: which, and where in its text. */
  readonly file?: string
  readonly page?: number
  readonly lines?: { readonly start: number; readonly end: number }
  /** In UTF-16 units of the text that was taken from the file. */
  readonly offsets?: { readonly start: number; readonly end: number }
  readonly headings?: readonly string[]
  /** Of a page of the web: the days that it is said to be of. */
  readonly dates?: readonly PageDate[]
  /** What stands there. */
  readonly text: string
}

export interface ReportBranch {
  readonly id: string
  readonly question: string
  readonly status: string
  readonly evidence: readonly EvidenceKind[]
  readonly gaps: readonly string[]
}

/** What was computed by groups, as a chart shows it. */
export interface ReportChart {
  readonly title: string
  /** What it is cited by. */
  readonly ref: string
  readonly rows: readonly NamedValue[]
}

export interface ResearchReport {
  readonly session_id: string
  readonly question: string
  readonly grade: Grade
  /** Whether the run was stopped, or had used something up, before it was done. */
  readonly is_partial: boolean
  readonly markdown: string
  readonly sources: readonly ReportSource[]
  readonly branches: readonly ReportBranch[]
  readonly conflicts: readonly { readonly text: string; readonly refs: readonly string[] }[]
  readonly gaps: readonly string[]
  /** Parts of the question, and whether the report answers them, as a model judged it. */
  readonly parts?: readonly GradedPart[]
  readonly quotes: {
    readonly proven: number
    readonly unproven: readonly { readonly quote: string; readonly ref?: string }[]
  }
  /** Of answers that are a table. */
  readonly charts?: readonly ReportChart[]
  /** Each statement of the body, held against what it cites. */
  readonly claims: readonly ReportClaim[]
  /** Citations that lead nowhere. */
  readonly unknown_refs: readonly string[]
  /** By what each stage was done: models, or `extractive`. */
  readonly stages: Readonly<Record<string, readonly string[]>>
  readonly spent: Spent
}
