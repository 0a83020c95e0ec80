/** What a node of the tree has found out, and by what. */

/** `context`: the files of the session; `earlier`: the session that it follows. */
export type EvidenceKind = 'context' | 'collections' | 'web' | 'earlier'

/** Something that a source says, in its own words. */
export interface Finding {
  readonly text: string
  /** `alias::S3`, `ambit://docs/a.md#L3-L9`, or a URL. */
  readonly ref: string
  readonly kind: EvidenceKind
}

/** A text that was looked up, and may be cited. */
export interface Passage {
  readonly ref: string
  readonly kind: EvidenceKind
  readonly title: string
  readonly text: string
}

export interface Sufficiency {
  readonly is_sufficient: boolean
  readonly reasoning: string
  /** What is not known yet. */
  readonly gaps: readonly string[]
}

const ORDER: readonly EvidenceKind[] = ['context', 'collections', 'web', 'earlier']

/** The kinds of evidence among findings, each once. */
export function mixOf(findings: readonly Finding[]): EvidenceKind[] {
  return ORDER.filter((kind) => findings.some((finding) => finding.kind === kind))
}
