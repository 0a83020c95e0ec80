/** Types of the evidence of a run: findings, passages, spans of files, and slices of the digest. */

import type { EvidenceKind, ReportSource, SessionFile, ShownNode, ShownSlice } from '../answers.ts'

export const NOTE_BASES = ['said', 'inferred', 'computed', 'absent'] as const

/**
 * A statement of a source, or a statement that follows from sources. `ref`: `alias::S3`, `ambit://docs/a.md#L3-L9`, or a URL.
 * `is_row`: the statement is a row of a table with its column names, not a quotation. `sql`: the SQL statement that computed it
 * from the cited tables.
 */
export interface EvidenceItem extends Finding {
  /** The place of the statement in words: file, lines and headings. */
  readonly place?: string
  /** All its references, if there are several. */
  readonly refs?: readonly string[]
  /**
   * The origin of the statement. `said`: a source says it. `inferred`: it follows from sources. `computed`: a calculation.
   * `absent`: it was searched for, and not found.
   */
  readonly basis?: (typeof NOTE_BASES)[number]
}

type Finding = ShownNode['findings'][number]

/** Whether a question or a part is answered. `part`: there is evidence, but not for a complete answer. */
export type AnswerStatus = ShownNode['answered']

/** One part of a question, and the evidence for it. */
export interface PartEvidence {
  readonly text: string
  readonly answered: AnswerStatus
  /** The best finding first. Without an answer: the nearest passages. */
  readonly findings: readonly EvidenceItem[]
  /** Words of the part that no source contains. */
  readonly missing: readonly string[]
}

/** `yes`: each part is answered. `no`: no part is answered, not even partly. */
export function answeredOf(parts: readonly Pick<PartEvidence, 'answered'>[]): AnswerStatus {
  if (parts.length > 0 && parts.every(({ answered }) => answered === 'yes')) return 'yes'
  return parts.every(({ answered }) => answered === 'no') ? 'no' : 'part'
}

/** A text that was looked up, and may be cited. */
export type EvidencePassage = Pick<ReportSource, 'ref' | 'kind' | 'title' | 'text' | 'author' | 'dates'>

export interface Sufficiency {
  readonly is_sufficient: boolean
  readonly reasoning: string
  /** Open questions. */
  readonly gaps: readonly string[]
}

const KIND_ORDER: readonly EvidenceKind[] = ['context', 'collections', 'web', 'earlier']

/** The kinds of evidence, each once, in a fixed order. */
export function uniqueKinds(kinds: readonly EvidenceKind[]): EvidenceKind[] {
  return KIND_ORDER.filter((kind) => kinds.includes(kind))
}

/** One statement of a file, and its sources. `id`: `F1` …, stable within a digest (all items of the files). */
export type DigestItem = Omit<SelectedItem, 'why_relevant'>

/** An item of one file, before the digests of all files are merged. `sources`: ids of spans, such as `S3`. */
export type QuotedItem = Omit<DigestItem, 'id'>

/** Compares ids by position: `1.2` before `1.10`, a node before its children. */
export const byPosition = new Intl.Collator('en', { numeric: true }).compare

/** A piece of a file's text that can be cited: `S1` … in the order of the text. */
export interface Span {
  readonly id: string
  readonly text: string
  /** Offsets in the text of the file, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly lines: { readonly start: number; readonly end: number }
  /** The page, from 1, in a file with pages. */
  readonly page?: number
  /** The headings above it, the outermost first. */
  readonly headings: readonly string[]
  /** For a row of a table: the row that names the columns, as it is written. */
  readonly header?: string
}

/** A file that a run has bound. `alias`: its name in citations; `reason`: why it could not be read, a sentence. */
export interface BoundFile extends Pick<SessionFile, 'id' | 'name' | 'alias' | 'sha256' | 'reason'> {
  readonly status: 'ready' | 'error'
  readonly title: string
  /** Number of its spans, and of the items that were read from it. */
  readonly spans: number
  readonly items: number
  /** Items that a model made up: their source is not a span of the file. */
  readonly rejected: number
  /** Warnings such as pages without text. A sentence each. */
  readonly warnings: readonly string[]
}

/** Data for routing items without a model, besides the words of the items. */
export interface RoutingIndex {
  /** Ids of items by the headings above them. */
  readonly tags: Readonly<Record<string, readonly string[]>>
}

/** What a run has read from its files. `aggregate_digest`: the items of all files. */
export interface ContextBundle {
  readonly session_context_id: string
  readonly revision: number
  readonly files: readonly BoundFile[]
  readonly aggregate_digest: { readonly items: readonly DigestItem[] }
  readonly routing_index: RoutingIndex
}

/** How a slice was made. `fallback`: a model should have made it, but failed. `none`: there are no items to choose from. */
export type SliceMode = ShownSlice['mode']

export type SelectedItem = NonNullable<ShownSlice['selected_items']>[number]

/** A slice: the items of the digest that a node gets. `dropped_items_count`: other items of its parent. */
export interface NodeContextSlice extends Omit<ShownSlice, 'selected_items' | 'selected_items_count'> {
  readonly selected_items: readonly SelectedItem[]
}
