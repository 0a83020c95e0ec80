/** What a node of the tree has found out, and by what. */

import type { PageDate } from '../../ingest/extracted.ts'

/** `context`: the files of the session; `earlier`: the session that it follows. */
export type EvidenceKind = 'context' | 'collections' | 'web' | 'earlier'

/** A group of a table, and what was computed for it. */
export interface NamedValue {
  readonly name: string
  readonly value: number
}

export const BASES = ['said', 'inferred', 'computed', 'absent'] as const
export type Basis = (typeof BASES)[number]

/** Something that a source says, or that follows from sources. */
export interface EvidenceItem {
  readonly text: string
  /** `alias::S3`, `ambit://docs/a.md#L3-L9`, or a URL. */
  readonly ref: string
  readonly kind: EvidenceKind
  /** Where it stands: file and lines, headings. */
  readonly place?: string
  /** All that it rests on, where that is more than `ref`. */
  readonly refs?: readonly string[]
  /** Whether a source says it, or it follows from what they say, was computed, or was looked for and not found. */
  readonly basis?: Basis
  /** A row of a table with the names of its columns: no quotation. */
  readonly is_row?: boolean
  /** It was computed on the table that it cites, by this statement of SQL. */
  readonly sql?: string
  /** What came of it by groups: a name and a value each. */
  readonly groups?: readonly NamedValue[]
}

/** Whether something is answered: `part` where the evidence lacks some of what tells most. */
export type Answered = 'yes' | 'part' | 'no'

/** One part of a question, and what the sources hold on it. */
export interface PartEvidence {
  readonly text: string
  readonly answered: Answered
  /** The best first; of what has no answer those that come nearest. */
  readonly findings: readonly EvidenceItem[]
  /** Words of it that stand in nothing that was read. */
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
  /** What is not known yet. */
  readonly gaps: readonly string[]
}

const ORDER: readonly EvidenceKind[] = ['context', 'collections', 'web', 'earlier']

/** The kinds of evidence among findings, each once. */
export function mixOf(findings: readonly EvidenceItem[]): EvidenceKind[] {
  return ORDER.filter((kind) => findings.some((finding) => finding.kind === kind))
}

/** What a digest holds of a file, by kind. */
export const ITEM_KINDS = [
  'fact',
  'uncertainty',
  'analysis',
  'constraint',
  'case',
  'definition',
  'lead',
  'conflict',
] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** One thing that a file says, and where it says it. */
export interface DigestItem {
  /** `F1` …, the same for the life of a digest. */
  readonly id: string
  readonly kind: ItemKind
  readonly text: string
  /** The words of the file that it rests on, where they are not the text itself. */
  readonly quote?: string
  /** `alias::S3`: a span of a file. */
  readonly sources: readonly string[]
}

/** An item of one file, before it has a name. `sources`: spans, `S3`. */
export type QuotedItem = Omit<DigestItem, 'id'>

/** By position: `1.2` before `1.10`, a node before its children. */
export function byPosition(a: string, b: string): number {
  const [x, y] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let at = 0; at < Math.min(x.length, y.length); at++) {
    const difference = (x[at] ?? 0) - (y[at] ?? 0)
    if (difference !== 0) return difference
  }
  return x.length - y.length
}
