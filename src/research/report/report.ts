/** The report of a run: its text as Markdown, and everything that it rests on. */

import type { EvidenceKind } from '../run/evidence.ts'
import type { Spent } from '../run/stages.ts'
import type { ReportClaim } from './claims.ts'

/** `full`: every question of the tree has its answer. */
export type Grade = 'full' | 'partial' | 'none'

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
  readonly quotes: {
    readonly proven: number
    readonly unproven: readonly { readonly quote: string; readonly ref: string | undefined }[]
  }
  /** Each statement of the body, held against what it cites. */
  readonly claims: readonly ReportClaim[]
  /** Citations that lead nowhere. */
  readonly unknown_refs: readonly string[]
  /** By what each stage was done: models, or `extractive`. */
  readonly stages: Readonly<Record<string, readonly string[]>>
  readonly spent: Spent
}
