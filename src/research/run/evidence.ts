/** Evidence of a node of the tree. */

import type { PageDate } from '../../ingest/extracted.ts'
import type { EvidenceKind, SessionFile, ShownNode, ShownSlice } from '../answers.ts'

export const BASES = ['said', 'inferred', 'computed', 'absent'] as const
export type Basis = (typeof BASES)[number]

/**
 * Something that a source says, or that follows from sources. `ref`: `alias::S3`, `ambit://docs/a.md#L3-L9`, or a URL. `is_row`: it
 * is a row of a table with the names of its columns, and no quotation. `sql`: it was computed on the table that it cites.
 */
export interface EvidenceItem extends Finding {
  /** Its place: file and lines, headings. */
  readonly place?: string
  /** All that it rests on, where that is more than `ref`. */
  readonly refs?: readonly string[]
  /** Whether a source says it, or it follows from what they say, was computed, or was looked for and not found. */
  readonly basis?: Basis
}

type Finding = ShownNode['findings'][number]

/** Whether something is answered: `part` where the evidence lacks some of what tells most. */
export type Answered = 'yes' | 'part' | 'no'

/** One part of a question, and what the sources hold on it. */
export interface PartEvidence {
  readonly text: string
  readonly answered: Answered
  /** The best first; without an answer, the nearest. */
  readonly findings: readonly EvidenceItem[]
  /** Its words that no source holds. */
  readonly missing: readonly string[]
}

/** `yes`: each part is answered; `no`: none is, not even in part. */
export function answeredOf(parts: readonly Pick<PartEvidence, 'answered'>[]): Answered {
  if (parts.length > 0 && parts.every(({ answered }) => answered === 'yes')) return 'yes'
  return parts.every(({ answered }) => answered === 'no') ? 'no' : 'part'
}

/** A text that was looked up, and may be cited. */
export interface EvidencePassage {
  readonly ref: string
  readonly kind: EvidenceKind
  readonly title: string
  readonly text: string
  readonly author?: string
  /** Of a page of the web: the days that it is said to be of. */
  readonly dates?: readonly PageDate[]
}

export interface Sufficiency {
  readonly is_sufficient: boolean
  readonly reasoning: string
  /** Open questions. */
  readonly gaps: readonly string[]
}

const ORDER: readonly EvidenceKind[] = ['context', 'collections', 'web', 'earlier']

/** The kinds of evidence, each once. */
export function mixOf(kinds: readonly EvidenceKind[]): EvidenceKind[] {
  return ORDER.filter((kind) => kinds.includes(kind))
}

/** One thing that a file says, and where it says it. `id`: `F1` …, the same for the life of a digest. */
export type DigestItem = Omit<SelectedItem, 'why_relevant'>

/** An item of one file, before it has a name. `sources`: spans, `S3`. */
export type QuotedItem = Omit<DigestItem, 'id'>

/** By position: `1.2` before `1.10`, a node before its children. */
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
  /** Of a file that has pages, from 1. */
  readonly page?: number
  /** The headings that it stands under, the outermost first. */
  readonly headings: readonly string[]
  /** Of a row of a table: the row that names its columns, as it is written. */
  readonly header?: string
}

/** A file as a run has bound it. `alias`: what it is cited by; `reason`: why it could not be read, a sentence. */
export interface BoundFile extends Pick<SessionFile, 'id' | 'name' | 'alias' | 'sha256' | 'reason'> {
  readonly status: 'ready' | 'error'
  readonly title?: string
  readonly spans: number
  readonly items: number
  /** Items that a model made up: their source is not a span of the file. */
  readonly rejected: number
  /** Warnings such as pages without text. A sentence each. */
  readonly warnings: readonly string[]
}

/** By what items are routed without a model, besides their words. */
export interface RoutingIndex {
  /** Ids of items by the headings that they stand under. */
  readonly tags: Readonly<Record<string, readonly string[]>>
}

/** Everything that the files say, as one run has bound it. */
export interface ContextBundle {
  readonly session_context_id: string
  readonly revision: number
  readonly files: readonly BoundFile[]
  readonly aggregate_digest: { readonly items: readonly DigestItem[] }
  readonly routing_index: RoutingIndex
}

/** How a slice was made. `fallback`: a model was to do it, and failed. `none`: there is nothing to choose from. */
export type SliceMode = ShownSlice['mode']

export type SelectedItem = NonNullable<ShownSlice['selected_items']>[number]

/** A node's slice of the digest. `dropped_items_count`: items of the parent that are not in it. */
export interface NodeContextSlice extends Omit<ShownSlice, 'selected_items' | 'selected_items_count'> {
  readonly selected_items: readonly SelectedItem[]
}

/** Progress of the files. */
export interface ContextProcessing {
  status: 'none' | 'pending' | 'parsing' | 'ready' | 'error'
  files_total: number
  files_ready: number
  files_error: number
}
