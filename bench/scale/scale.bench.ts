import { lacksPostgres } from '../../test/support/postgres-server.ts'
import type { BenchOptions, Findings } from '../harness.ts'
import { indexingFigures } from './indexing.ts'
import { runFigures } from './runs.ts'
import { sizeFigures } from './sizes.ts'

/** More take an hour, and ten gigabytes. */
const FILES = 100_000

/** What more workers give, and what larger collections take. */
export async function scaleFigures({ files = FILES }: BenchOptions): Promise<Findings> {
  const reason = lacksPostgres()
  if (reason !== undefined) return { verdicts: [], tables: [{ title: reason, columns: [''], rows: [] }] }
  const runs = await runFigures()
  const indexing = await indexingFigures()
  const { verdicts, tables } = await sizeFigures(files)
  return { verdicts, tables: [runs, indexing, ...tables] }
}
