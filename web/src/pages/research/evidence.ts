import type { Finding } from '../../api/sessions.ts'

interface Shown {
  readonly kind: string
  /** As in "3 from the web". */
  readonly name: string
  /** As the colour of a small area. */
  readonly colour: string
}

export const EVIDENCE: readonly Shown[] = [
  { kind: 'context', name: 'files', colour: 'bg-kind-digest' },
  { kind: 'collections', name: 'collections', colour: 'bg-kind-path' },
  { kind: 'web', name: 'the web', colour: 'bg-accent' },
  { kind: 'earlier', name: 'earlier research', colour: 'bg-kind-instruction' },
]

export function nameOf(kind: string): string {
  return EVIDENCE.find((each) => each.kind === kind)?.name ?? kind
}

/** How many findings are of which kind; none that is not there. */
export function mixOf(findings: readonly Finding[]): (Shown & { readonly count: number })[] {
  return EVIDENCE.map((each) => ({ ...each, count: findings.filter(({ kind }) => kind === each.kind).length })).filter(
    ({ count }) => count > 0,
  )
}
