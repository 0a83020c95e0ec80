import { fileURLToPath } from 'node:url'
import type { Assembled } from '../../core/assemble.ts'
import type { Warning } from '../../core/flow.ts'
import type { AnswerAccount, LedgerRow } from '../../core/ledger.ts'
import { type Drift, findDrift } from '../../drift/drift.ts'

export type MarkedLedger = Pick<AnswerAccount, 'ledger' | 'warnings'>

/** Adds stale references (to missing files, commands or headings) to the ledger and the warnings. Without git. */
export async function markDrift({ selection, considered, ledger }: Assembled, root: string): Promise<MarkedLedger> {
  const texts = new Map(considered.kept.map((fragment) => [fragment.origin.uri, fragment.text]))
  const prose = selection.kept.filter(({ kind }) => kind !== 'code')
  const files = prose.map(({ origin: { uri } }) => ({ path: fileURLToPath(uri), text: texts.get(uri) ?? '' }))
  const { drift: missing, unfinished } = await findDrift({ root, files })
  const drift = missing.filter(({ state }) => state === 'dead')
  const byPath = Map.groupBy(drift, ({ path }) => path)
  const staleWarnings = drift.map(({ path, line, message }) => ({ path, message: `Line ${line}: ${message}` }))
  return {
    ledger: ledger.map((row) => markStale(row, byPath.get(fileURLToPath(row.uri)))),
    warnings: [...selection.warnings, ...staleWarnings, ...timeLimitWarnings(unfinished)],
  }
}

function markStale(row: LedgerRow, drift: readonly Drift[] | undefined): LedgerRow {
  if (!drift || row.decision === 'left') return row
  const gone = drift.length === 1 ? `1 thing that is gone: ${drift[0]?.cited}` : `${drift.length} things that are gone`
  return { ...row, detail: `${row.detail ? `${row.detail} ` : ''}It cites ${gone}.` }
}

/** A warning about files whose check reached the time limit. */
export function timeLimitWarnings([path, ...others]: readonly string[]): Warning[] {
  if (path === undefined) return []
  const subject = others.length === 0 ? 'it cites' : `it and ${others.length} more cite`
  return [{ path, message: `The time limit was reached before everything that ${subject} was checked.` }]
}
