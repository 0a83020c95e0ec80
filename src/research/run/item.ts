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
  /** `alias::S3`: a span of a file. */
  readonly sources: readonly string[]
}
