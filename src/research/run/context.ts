/** What a run knows of the files that a person gave it. Names with underscores are those of the research spec. */

import type { DigestItem } from './evidence.ts'

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

/** A file as a run has bound it. */
export interface BoundFile {
  readonly id: string
  readonly name: string
  /** What it is cited by: its name, with a number where two are of one name. */
  readonly alias: string
  readonly sha256: string
  readonly status: 'ready' | 'error'
  /** Why it could not be read. A sentence. */
  readonly reason?: string
  readonly title?: string
  readonly spans: number
  readonly items: number
  /** Items that a model made up: their source is not a span of the file. */
  readonly rejected: number
  /** What should be known of it, such as pages without text. A sentence each. */
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
export type SliceMode = 'root' | 'routed' | 'fallback' | 'passthrough' | 'none'

export interface SelectedItem extends DigestItem {
  readonly why_relevant?: string
}

/** What one node has of the files. */
export interface NodeContextSlice {
  readonly node_id: string
  readonly selection_reason: string
  readonly selected_items: readonly SelectedItem[]
  readonly coverage_note: string
  /** Items of the parent that are not in it. */
  readonly dropped_items_count: number
  readonly mode: SliceMode
}

/** How far the files are. */
export interface ContextProcessing {
  status: 'none' | 'pending' | 'parsing' | 'ready' | 'error'
  files_total: number
  files_ready: number
  files_error: number
}
